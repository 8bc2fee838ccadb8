// A redemption that is refused: it is remembered, and its reason is the HTTP error.
// Source: docs/service/redemptions.md#failures.
import type { Answer, Context } from '../../http/route.ts'
import { refused } from '../../rules/failures.ts'
import type { Refusal } from '../../rules/model.ts'
import { skipMessages } from '../../rules/stacking/limits.ts'
import type { Entry } from '../../rules/stacking/stacking.ts'
import { aboutOf, type Occasion, recordOf } from './record.ts'
import { tell } from './record-events.ts'
import type { StoredRedemption } from './store.ts'
import { redemptions } from './store.ts'

/** Begins the ids of attempts that failed. Source: docs/service/redemptions.md#redemption-object. */
const failedPrefix = 'rf_'

/**
 * Remembers a failed attempt and answers with its reason, 400 or 404. Records `redemption.failed`.
 *
 * An answer and not a Refusal: a Refusal would undo what is to be remembered.
 */
export function failedRedemption(entries: readonly Entry[], occasion: Occasion, context: Context): Answer {
  const [entry, refusal] = reasonOf(entries)
  const failed: StoredRedemption = {
    ...recordOf(context.id(failedPrefix), occasion, aboutOf(entry.candidate), context),
    order: null,
    ...failureOf(refusal),
  }
  context.in(redemptions).insert(failed)
  tell('redemption.failed', failed, context)
  return errorAnswer(refusal, failed.id, context)
}

/** The members by which a stored attempt says that it failed, and why. */
export function failureOf({ key, message }: Refusal) {
  return { result: 'FAILURE' as const, status: 'FAILED' as const, failure_code: key, failure_message: message }
}

/** The HTTP error of an attempt that is remembered under an id. */
export function errorAnswer(refusal: Refusal, redemptionId: string, context: Context): Answer {
  const body = {
    ...refusal,
    request_id: context.requestId,
    resource_id: redemptionId,
    resource_type: redemptions.type,
  }
  return { status: refusal.code, headers: {}, body }
}

/** The first that does not apply decides. */
function reasonOf(entries: readonly Entry[]): [Entry, Refusal] {
  for (const entry of entries) if (entry.status === 'INAPPLICABLE') return [entry, entry.refusal]
  // ASSUMED A283: a request of which everything is skipped is refused with the reason of the first: nothing would be redeemed.
  for (const entry of entries)
    if (entry.status === 'SKIPPED') {
      return [entry, refused(entry.reason, skipMessages[entry.reason], entry.candidate.request.id)]
    }
  throw new Error('a redemption failed though everything applied')
}
