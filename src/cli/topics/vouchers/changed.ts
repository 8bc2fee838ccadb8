// Whether a call changed what it answered about.
import type { Exchange } from '../../../api/client.ts'

/**
 * Says whether a voucher was changed by the call that returned it: its `updated_at` is not older than the call.
 *
 * Undefined when the answer, or the service's clock, does not tell. A timestamp in whole seconds cannot tell two runs within
 * one second apart; it then counts as changed.
 */
export function changedByThisCall({ outcome, notBeforeMs, ...rest }: Exchange<unknown>): boolean | undefined {
  const answer = 'answer' in rest ? (rest.answer as { updated_at?: unknown }) : {}
  if (outcome !== 'confirmed' || notBeforeMs === undefined) return undefined
  if (answer.updated_at === null) return false
  const updatedMs = typeof answer.updated_at === 'string' ? Date.parse(answer.updated_at) : Number.NaN
  return Number.isNaN(updatedMs) ? undefined : updatedMs >= notBeforeMs
}
