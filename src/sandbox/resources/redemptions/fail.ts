// A redemption that is refused: it is stored, and its reason is the HTTP error.
// Source: docs/service/redemptions.md#failures.
import { Answer, type Context } from '../../http/route.ts'
import { type RefusalBody, refusedAs } from '../../rules/failures.ts'
import type { EvaluatedEntry } from '../../rules/stacking/entry.ts'
import { skipMessages } from '../../rules/stacking/limits.ts'
import { redemptions, type StoredRedemption } from '../../stores/redemptions.ts'
import { type RedemptionOrigin, recordRedemptionEvent, redemptionRecord, relatedObjectOf } from './record.ts'

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
    if (entry.status === 'SKIPPED') {
      return [entry, refusedAs(entry.reason, skipMessages[entry.reason], entry.candidate.request.id)]
    }
  throw new Error('a redemption failed though everything applied')
}
