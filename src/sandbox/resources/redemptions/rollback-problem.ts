// Why a redemption cannot be rolled back. Source: docs/service/redemptions.md#refused-rollbacks.
import type { Context } from '../../http/route.ts'
import { addDuration } from '../../rules/eligibility/duration.ts'
import { timeZoneOf } from '../../rules/eligibility/time-zone.ts'
import { type RefusalBody, refused } from '../../rules/failures.ts'
import type { StoredRedemption } from './store.ts'

/** One redemption, or all that were made together. */
export type RollbackScope = 'single' | 'whole'

/** How long a redemption can be rolled back: the documents say about three months. */
const limit = { months: 3, days: 0, clockMs: 0 }

/** Returns why not, or undefined. */
export function rollbackProblem(
  redemption: StoredRedemption,
  asked: RollbackScope,
  { now, project }: Pick<Context, 'now' | 'project'>,
): RefusalBody | undefined {
  const { id, object, result, status, related_object_type, created_at } = redemption
  // ASSUMED A291: which documented key has which cause, and the wording; that three months end to the millisecond.
  const invalid = (details: string) => refused('invalid_redemption', 'Invalid redemption', details)
  if (object !== 'redemption') return invalid(`${id} is a rollback`)
  if (result !== 'SUCCESS') return invalid(`${id} is a failed redemption`)
  const isParent = related_object_type === 'redemption'
  if (asked === 'whole' && !isParent)
    return refused('invalid_redemption_parent', 'Invalid parent redemption', `${id} is not the parent of redemptions`)
  if (asked === 'single' && isParent)
    return invalid(`${id} is the parent of redemptions, which are rolled back together`)
  if (redemption.redemption !== undefined)
    return invalid(`${id} is part of ${redemption.redemption} and cannot be rolled back alone`)
  if (status === 'ROLLED_BACK') return refused('already_rolled_back', 'Already rolled back', id)
  const end = addDuration(Date.parse(created_at), limit, timeZoneOf(project.timezone))
  return Date.parse(now) > end ? invalid(`${id} is older than three months`) : undefined
}
