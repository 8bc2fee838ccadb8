// The answer to POST /v1/campaigns/qualification: campaigns a customer and an order qualify for.
// Source: docs/service/qualifications.md#campaign-qualification.

import { numberedRules } from '../conditions/context.ts'
import { evaluateRules } from '../conditions/evaluate.ts'
import type { ValidationRule } from '../conditions/rule.ts'
import { isLacking, ruleContext } from '../eligibility/eligibility.ts'
import { validityState } from '../eligibility/validity.ts'
import { type EvaluationRequest, evaluationOf } from '../evaluation.ts'
import type { RefusalBody } from '../failures.ts'
import {
  bundleOf,
  discountIncentive,
  type EvaluationContext,
  type Incentive,
  noIncentive,
} from '../pricing/incentive.ts'
import type { Campaign } from '../redeemable.ts'
import type { Snapshot } from '../snapshot.ts'
import type { EvaluationCall } from '../stacking/validation.ts'

export interface QualificationQuery {
  audienceRulesOnly?: boolean
  /** 1 to 50. ASSUMED A18: 50 when absent, newest campaigns first. */
  limit?: number
  /** A field name, with `-` for descending. */
  order?: string
}

/** Campaign types that can be qualified for. Source: docs/service/qualifications.md#which-campaigns. */
export const qualifyingTypes = ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'REFERRAL_PROGRAM']

/**
 * Returns the active campaigns whose rules hold for the context.
 *
 * Missing data is never an error, it only excludes a campaign; promotions, loyalty programs and standalone codes are
 * never listed, nor are campaigns that only their vouchers' holders may use. Codes are not disclosed.
 */
export function qualifyCampaigns(
  snapshot: Snapshot,
  request: EvaluationRequest,
  call: Pick<EvaluationCall, 'id' | 'now'>,
  query: QualificationQuery = {},
): { body: Record<string, unknown> } | { refusal: RefusalBody } {
  const found = evaluationOf(snapshot, request, call.now, { audienceOnly: query.audienceRulesOnly ?? false })
  if ('refusal' in found) return found
  const { evaluation, tracked } = found
  const data = sortedBy(
    snapshot.campaigns().filter((campaign) => isOffered(campaign, evaluation) && isQualifiedFor(campaign, evaluation)),
    query.order ?? '-created_at',
    sortValues,
  ).slice(0, query.limit ?? 50)
  return {
    body: {
      object: 'list',
      data_ref: 'data',
      data,
      total: data.length,
      id: call.id,
      created_at: call.now,
      ...tracked,
    },
  }
}

/** Returns whether a campaign has codes available now, for any customer. */
export function isOffered(campaign: Campaign, { snapshot, now }: EvaluationContext): boolean {
  return (
    qualifyingTypes.includes(campaign.campaign_type) &&
    ['AUTO_UPDATE', 'STATIC'].includes(campaign.type ?? 'AUTO_UPDATE') &&
    campaign.active !== false &&
    (campaign.creation_status ?? 'DONE') === 'DONE' &&
    validityState(campaign, now, snapshot.timeZone) === 'open'
  )
}

/** Without rules nothing is computed: every order and every customer qualifies, whatever a code is worth to them. */
function isQualifiedFor(campaign: Campaign, evaluation: EvaluationContext): boolean {
  const { length } = evaluation.snapshot.rulesOf('campaign', campaign.id)
  return length === 0 || campaignIncentive(campaign, evaluation) !== undefined
}

/** Computes the effect of a code of a campaign; undefined when the campaign's rules do not hold. */
export function campaignIncentive(campaign: Campaign, evaluation: EvaluationContext): Incentive | undefined {
  const rules = evaluation.snapshot.rulesOf('campaign', campaign.id)
  if (rules.some(isForHoldersOnly)) return undefined
  const discount = campaign.voucher?.discount
  // The rules may read the order after the incentive; without a computable incentive it is the unchanged order.
  const computed = discount && discountIncentive(discount, campaign.metadata ?? {}, evaluation, rules)
  const bundle = bundleOf(rules, evaluation)
  if (isLacking(bundle, evaluation)) return undefined
  const given = computed && !('refusal' in computed) ? computed : noIncentive(evaluation.order)
  const incentive = { ...given, ...(bundle && { bundle }) }
  return evaluateRules(rules, ruleContext({ campaign }, evaluation, incentive)).satisfied ? incentive : undefined
}

function isForHoldersOnly({ rules }: ValidationRule): boolean {
  return numberedRules(rules).some(([, { name }]) => name === 'publication.redeemable_by_linked_customer')
}

/** Values that a list can be ordered by, by the field of the request. */
type SortValues<Item> = Record<string, (item: Item) => string | null | undefined>

const sortValues: SortValues<Campaign> = {
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
  type: ({ type }) => type,
  code: ({ name }) => name,
  campaign: ({ name }) => name,
  category: ({ category }) => category,
}

/** Sorts by a field, `-` for descending; objects without a value come last in both directions, equal ones newest first. */
export function sortedBy<Item extends { created_at: string }>(
  items: readonly Item[],
  order: string,
  values: SortValues<Item>,
): Item[] {
  const descending = order.startsWith('-')
  const value = values[descending ? order.slice(1) : order] ?? (({ created_at }: Item) => created_at)
  return items.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)]
    if (one != null && other != null && one !== other) return (one < other ? -1 : 1) * (descending ? -1 : 1)
    if ((one == null) !== (other == null)) return one == null ? 1 : -1
    return a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0
  })
}
