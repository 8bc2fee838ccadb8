// Why a redemption cannot be rolled back. Source: docs/service/redemptions.md#refused-rollbacks.

import { addDuration } from '../../../base/time/calendar-duration.ts'
import { timeZoneOf } from '../../../base/time/time-zone.ts'
import { rollbackMonths } from '../../../contract/redemptions.ts'
import type { Context } from '../../http/route.ts'
import { notFound, type RefusalBody, refuse } from '../../rules/failures.ts'
import { customers } from '../../stores/customers.ts'
import type { StoredRedemption } from '../../stores/redemptions.ts'
import { findByIds } from '../source-ids.ts'

/** One redemption, or all that were made together. */
export type RollbackScope = 'single' | 'whole'

const limit = { months: rollbackMonths, days: 0, clockMs: 0 }

/** Returns why not, or undefined. */
export function rollbackProblem(
  redemption: StoredRedemption,
  asked: RollbackScope,
  named: { order?: Named | undefined; customer?: Named | undefined },
  context: Pick<Context, 'in' | 'now' | 'project'>,
): RefusalBody | undefined {
  const { now, project } = context
  const { id, object, result, status, related_object_type, created_at } = redemption
  // ASSUMED A291: which documented key has which cause, and the wording; that three months end to the millisecond.
  const invalid = (details: string) => refuse('invalid_redemption', details)
  if (object !== 'redemption') return invalid(`${id} is a rollback`)
  if (result !== 'SUCCESS') return invalid(`${id} is a failed redemption`)
  const isParent = related_object_type === 'redemption'
  if (asked === 'whole' && !isParent)
    return refuse('invalid_redemption_parent', `${id} is not the parent of redemptions`)
  if (asked === 'single' && isParent)
    return invalid(`${id} is the parent of redemptions, which are rolled back together`)
  if (redemption.redemption !== undefined) {
    const details = `${id} is part of ${redemption.redemption} and cannot be rolled back alone`
    return refuse('invalid_redemption_parent', details)
  }
  if (status === 'ROLLED_BACK') return refuse('already_rolled_back', id)
  const end = addDuration(Date.parse(created_at), limit, timeZoneOf(project.timezone))
  if (Date.parse(now) > end) return invalid(`${id} is older than three months`)
  return strangerProblem(redemption, named, context)
}

/** How a request names an order or a customer. */
interface Named {
  id?: string | null | undefined
  source_id?: string | null | undefined
}

/** Returns the refusal of an order or a customer that the redemption does not belong to. */
function strangerProblem(
  { order: redeemed, customer_id }: StoredRedemption,
  { order, customer }: { order?: Named | undefined; customer?: Named | undefined },
  { in: collectionOf }: Pick<Context, 'in'>,
): RefusalBody | undefined {
  const isOther =
    (order?.id != null && order.id !== redeemed?.id) ||
    (order?.source_id != null && order.source_id !== redeemed?.source_id)
  if (isOther) {
    return refuse('invalid_order', 'Order is not related with redemption.')
  }
  if (!customer) return undefined
  const found = findByIds(collectionOf(customers), customer)
  if (!found && customer.id != null) return notFound('customer', customer.id)
  if (found !== undefined && found.id === customer_id) return undefined
  return refuse('invalid_customer', 'Customer is not related with redemption.')
}
