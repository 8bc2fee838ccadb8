// The settings of a project as a request or a fixture changes them. Source: docs/service/projects.md#fields.
import { withoutUndefined } from '../../../base/record.ts'
import { isTimeZone } from '../../../base/time/time-zone.ts'
import { invalidPayload } from '../../http/refusal.ts'
import { codeConfigProblem } from '../../rules/codes.ts'
import { defaultSettings, type Project, plan, settingsOf } from '../../stores/projects.ts'

// ASSUMED A1056: no served call of the client side sets an expiration, and notifications are not sent: both settings are
// refused, because they would be stored without effect.
const withoutEffect = [
  'client_set_voucher_expiration_date_enabled',
  'webhooks_callout_notifications',
  'api_usage_notifications',
] as const

/** Merges settings into those of a project; omitted ones keep their value. Throws 400 `invalid_payload`. */
export function withSettings(project: Project, given: Readonly<Record<string, unknown>>): Project {
  const sent = withoutUndefined(given)
  const { name = project.name, ...rest } = sent
  const unknown = Object.keys(rest).find((property) => !Object.hasOwn(defaultSettings, property) && property !== plan)
  if (unknown !== undefined) throw invalidPayload(`Property .${unknown} is not a setting of a project`)
  const settings = { ...project.settings, ...rest }
  for (const property of withoutEffect)
    if (settings[property]) throw invalidPayload(`Property .${property} is not supported by the embedded service`)
  const { timezone, api_version, webhook_version, default_code_config: codes } = settingsOf({ ...project, settings })
  const problem = codes && codeConfigProblem(codes)
  if (problem) throw invalidPayload(`Property .default_code_config is invalid: ${problem}`)
  if (!isTimeZone(timezone)) throw invalidPayload('Property .timezone must be the IANA name of a time zone')
  for (const [property, value] of Object.entries({ api_version, webhook_version })) {
    const only = defaultSettings[property as 'api_version' | 'webhook_version']
    if (value !== only)
      throw invalidPayload(`Property .${property} must be equal to one of the allowed values: ${only}`)
  }
  return { ...project, name: String(name), timezone, settings }
}
