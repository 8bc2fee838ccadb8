// The members common to every stored redemption, rollback and failed attempt, and their events.
import { campaignOf } from '../../answers/campaign-facts.ts'
import { holderAnswer } from '../../answers/customers.ts'
import { stackAnswer, tierWithTotals } from '../../answers/promotions.ts'
import { redemptionAnswer } from '../../answers/redemptions.ts'
import { Answer, type Context } from '../../http/route.ts'
import { type RefusalBody, refusedAs } from '../../rules/failures.ts'
import type { RedeemableCandidate } from '../../rules/stacking/candidates.ts'
import { type EvaluatedEntry, skipMessages } from '../../rules/stacking/entry.ts'
import { promotionStacks } from '../../stores/promotions.ts'
import { redemptions, type StoredRedemption } from '../../stores/redemptions.ts'
import { vouchers } from '../../stores/vouchers.ts'

/** The customer who redeems, and the request's data about it. */
export interface RedemptionOrigin {
  customer_id: string | null
  tracking_id: string | null
  /** Null when the request has none. */
  metadata: Record<string, unknown> | null
}

/** Builds the start of a record with an id; it is a success unless overridden. */
export function redemptionRecord(
  id: string,
  origin: RedemptionOrigin,
  about: Pick<StoredRedemption, 'related_object_type' | 'related_object_id' | 'campaign_id' | 'voucher_code'>,
  context: Context,
): StoredRedemption {
  return {
    id,
    object: 'redemption',
    date: context.now,
    created_at: context.now,
    updated_at: null,
    ...origin,
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    channel: { channel_id: context.project.app_id, channel_type: context.caller.channel },
    ...about,
  }
}

/** What a redemption is about; something that is not stored is named as requested. */
export function relatedObjectOf({ request, voucher, tier }: RedeemableCandidate) {
  return {
    related_object_type: request.object === 'voucher' ? ('voucher' as const) : ('promotion_tier' as const),
    related_object_id: voucher?.id ?? tier?.id ?? request.id,
    campaign_id: voucher?.campaign_id ?? tier?.campaign_id ?? null,
    ...(request.object === 'voucher' && { voucher_code: voucher?.code ?? request.id }),
  }
}

/** What the service announces about redemptions. */
export type RedemptionEvent =
  | 'redemption.succeeded'
  | 'redemption.failed'
  | 'redemption.rollback.succeeded'
  | 'redemption.rollback.failed'

/** Records an event of a redemption or a rollback, as they are stored now. */
export function recordRedemptionEvent(type: RedemptionEvent, told: StoredRedemption, context: Context): void {
  const shown = redemptionAnswer(told, context, tierWithTotals)
  const { voucher, promotion_tier, customer, ...redemption } = shown
  const stack =
    told.promotion_stack_id === undefined ? undefined : context.in(promotionStacks).get(told.promotion_stack_id)
  const code = told.related_object_type === 'voucher' ? context.in(vouchers).get(told.related_object_id) : undefined
  const holder = code && holderAnswer(code, context)
  context.emit(type, told.id, {
    customer: customer ?? null,
    order: shown.order ?? null,
    ...campaignOf(told, context),
    ...(voucher !== undefined && { voucher }),
    ...(promotion_tier !== undefined && { promotion_tier }),
    ...(stack && { promotion_stack: stackAnswer(stack, context) }),
    ...(holder && { holder }),
    ...(told.object === 'redemption_rollback'
      ? { redemption: rolledBack(told, context), redemption_rollback: redemption }
      : { redemption }),
    created_at: told.created_at,
  })
}

/** The redemption that a rollback reverted, or tried to, as it is stored now. */
function rolledBack({ redemption: id = '' }: StoredRedemption, context: Context): Record<string, unknown> | null {
  const original = context.in(redemptions).get(id)
  if (!original) return null
  const {
    voucher: _voucher,
    promotion_tier: _tier,
    customer: _customer,
    ...facts
  } = redemptionAnswer(original, context, tierWithTotals)
  return facts
}

// A redemption that is refused: it is stored, and its reason is the HTTP error.
// Source: docs/service/redemptions.md#failures.

/** Begins the ids of attempts that failed. Source: docs/service/redemptions.md#redemption-object. */
const failedPrefix = 'rf_'

/**
 * Stores a failed attempt and answers with its reason, 400 or 404. Records `redemption.failed`.
 *
 * An answer and not a Refusal: a Refusal would roll back what is to be stored.
 */
export function failedRedemption(
  entries: readonly EvaluatedEntry[],
  origin: RedemptionOrigin,
  context: Context,
): Answer {
  const [entry, refusal] = reasonOf(entries)
  const failed: StoredRedemption = {
    ...redemptionRecord(context.id(failedPrefix), origin, relatedObjectOf(entry.candidate), context),
    order: null,
    ...failureOf(refusal),
  }
  context.in(redemptions).insert(failed)
  recordRedemptionEvent('redemption.failed', failed, context)
  return errorAnswer(refusal, failed, context)
}

/** The members of a stored attempt that record that it failed, and why. */
export function failureOf({ key, message }: RefusalBody) {
  return { result: 'FAILURE' as const, status: 'FAILED' as const, failure_code: key, failure_message: message }
}

/** The HTTP error of a stored attempt, which it names. */
export function errorAnswer(
  refusal: RefusalBody,
  { id: redemptionId, object: type }: StoredRedemption,
  context: Context,
): Answer {
  const body = {
    ...refusal,
    request_id: context.requestId,
    // An unknown customer of a roll-back is named itself; every other failure is that of the attempt, which is stored.
    ...(refusal.resource_type !== 'customer' && { resource_id: redemptionId, resource_type: type }),
  }
  return new Answer(refusal.code, body)
}

/** The first inapplicable one decides. */
function reasonOf(entries: readonly EvaluatedEntry[]): [EvaluatedEntry, RefusalBody] {
  for (const entry of entries) if (entry.status === 'INAPPLICABLE') return [entry, entry.refusal]
  // ASSUMED A283: a request whose redeemables are all skipped is refused with the reason of the first: nothing would apply.
  for (const entry of entries)
    if (entry.status === 'SKIPPED')
      return [entry, refusedAs(entry.reason, skipMessages[entry.reason], entry.candidate.request.id)]
  throw new Error('a redemption failed though everything applied')
}
