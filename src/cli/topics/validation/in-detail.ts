// What a refusal does not say: whether the switch or the dates of a voucher or tier are at fault, or those of its campaign, and
// what the rules are called that are not met.
import type { Client } from '../../../api/client.ts'
import { asPrinted, refusalWords } from '../../../api/outcome/refusal-words.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import type { AnswerOf } from '../../../contract/endpoint.ts'
import { getPromotionTier } from '../../../contract/promotions.ts'
import { getValidationRule } from '../../../contract/validation-rules.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { cellText } from '../../../output/form/cell.ts'
import { valueAt } from '../../../output/path.ts'
import { readById } from '../../result/read-by-id.ts'
import { tryRead } from '../../result/try-read.ts'
import { existingNear } from '../../session/what-is-meant.ts'
import { type CampaignDates, whichIsOff } from '../vouchers/state.ts'
import type { Result } from './answer.ts'

/** The refusals that a campaign may cause. */
const keys = [
  'voucher_disabled',
  'voucher_expired',
  'voucher_not_active',
  'promotion_inactive',
  'promotion_not_active_now',
]

interface Redeemable extends CampaignDates {
  campaign_id?: string | null
  campaign?: string | { id?: string; name?: string } | null
}

/**
 * Returns a function that says which of the two is off, `it is on; its campaign "Spring" is paused (voucher_disabled)`, or which
 * rules are not met. It reads the redeemable and its campaign, or the rules; undefined for other refusals, and where the key may not
 * read them.
 */
export function inDetail(client: Client, nowMs: number): (result: Result) => Promise<string | undefined> {
  const campaignOf = readById(client, { get: getCampaign })
  const ruleOf = readById(client, { get: getValidationRule })
  return async ({ status, object, id, result }) => {
    const key = result?.error?.key
    if (status !== 'INAPPLICABLE' || key === undefined) return undefined
    if (key === 'not_found' && object === 'voucher') return await nearestCode(client, id)
    if (key.endsWith('_rules_violated')) return await whichRules(ruleOf, key, result?.error ?? {})
    if (!keys.includes(key)) return undefined
    return await tryRead(
      async () => {
        const own = (
          object === 'promotion_tier'
            ? await client.call(getPromotionTier, { path: { promotionTierId: id } })
            : await client.call(getVoucher, { path: { code: id } })
        ) as Redeemable
        const campaignId = own.campaign_id ?? (typeof own.campaign === 'object' ? own.campaign?.id : undefined)
        const campaign = campaignId == null ? undefined : await campaignOf(campaignId)
        if (campaignId != null && campaign === undefined) return undefined
        const words = whichIsOff(own, campaign as CampaignDates | undefined, nowMs)
        return words && `${words} (${key})`
      },
      () => {},
    )
  }
}

/** `there is no such voucher; BEANS10 exists (not_found)`. */
async function nearestCode(client: Client, id: string): Promise<string | undefined> {
  const code = await existingNear(client, id)
  if (code === undefined) return undefined
  const printed = asPrinted(id)
  return `there is no such voucher; ${code} exists${printed?.code === code ? `: ${printed.why}` : ''} (not_found)`
}

/** `the order does not meet its rules: From 20 euros; rule "Orders above 20 euros", val_1 (order_rules_violated)`. */
async function whichRules(
  ruleOf: (id: string) => Promise<AnswerOf<typeof getValidationRule> | undefined>,
  key: string,
  error: object,
): Promise<string | undefined> {
  const ids = new Set(cellText(valueAt(error, 'details')).match(/\bval_\w+/g))
  const rules = await Promise.all(
    [...ids].map(async (id) => {
      const rule = await ruleOf(id)
      return rule && `rule ${JSON.stringify(rule.name)}, ${id}`
    }),
  )
  if (rules.length === 0 || rules.includes(undefined)) return undefined
  const said = [cellText(valueAt(error, 'error.message')), ...rules].filter((text) => text !== '')
  return `${refusalWords(key)}: ${said.join('; ')} (${key})`
}
