import type { CodeConfig } from '../rules/codes.ts'
import type { Project } from './projects.ts'

export interface Settings {
  description: string | null
  /** IANA name of the time zone used for validity hours and days. */
  timezone: string
  currency: string | null
  dial_code: string | null
  /** False where `SALE` and `sale` are one code; fixed when the project is created. */
  case_sensitive_codes: boolean
  /** The form of the codes of a new campaign that names none. */
  default_code_config: CodeConfig | null
  api_version: string
  webhook_version: string
  cluster_id: string
  /** Origins, or hosts, whose pages may use the client-side keys; `*` for any. */
  client_trusted_domains: string[]
  client_redeem_enabled: boolean
  client_publish_enabled: boolean
  client_list_vouchers_enabled: boolean
  client_create_customer_enabled: boolean
  client_loyalty_events_enabled: boolean
  client_set_voucher_expiration_date_enabled: boolean
  webhooks_callout_notifications: null
  api_usage_notifications: null
}

/** What pages and apps may do only when a project allows it. Source: docs/service/projects.md#fields. */
export type ClientPermission = Exclude<
  keyof Settings & `client_${string}_enabled`,
  'client_set_voucher_expiration_date_enabled'
>

/** What a project has that says nothing else. */
export const defaultSettings: Settings = {
  description: null,
  timezone: 'UTC',
  currency: null,
  dial_code: null,
  case_sensitive_codes: true,
  default_code_config: null,
  api_version: 'v2018-08-01',
  webhook_version: 'v2024-01-01',
  cluster_id: 'eu1',
  client_trusted_domains: [],
  client_redeem_enabled: false,
  client_publish_enabled: false,
  client_list_vouchers_enabled: false,
  client_create_customer_enabled: false,
  client_loyalty_events_enabled: false,
  client_set_voucher_expiration_date_enabled: false,
  webhooks_callout_notifications: null,
  api_usage_notifications: null,
}

/** Reads the settings of a project. */
export function settingsOf({ settings, timezone }: Project): Settings {
  const known = Object.entries(settings ?? {}).filter(
    ([name, value]) => Object.hasOwn(defaultSettings, name) && value != null,
  )
  return { ...defaultSettings, timezone, ...Object.fromEntries(known) }
}

/** Returns whether a project allows pages and apps what is off by default. */
export function isPermitted(project: Project, permission: ClientPermission): boolean {
  return settingsOf(project)[permission]
}

/** Returns whether codes that differ only in case are the same code in a project. */
export function ignoresCodeCase({ settings }: Project): boolean {
  return settings?.case_sensitive_codes === false
}

/** A setting of fixtures only: the features that are not in the plan of the project. */
export const plan = 'missing_features'

/** Returns whether a feature of the service is missing from a project's plan. */
export function lacksFeature({ settings }: Project, feature: string): boolean {
  // ASSUMED A145: there are no plans here, but a fixture may say `missing_features: ["management_api"]`, to produce a 402.
  const { [plan]: missing } = settings ?? {}
  return Array.isArray(missing) && missing.includes(feature)
}
