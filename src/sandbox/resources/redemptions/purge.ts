// What goes with a voucher that is gone for good. Source: docs/service/redemptions.md#redemptions-of-a-voucher.
import type { Context } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { redemptions } from './store.ts'

/** Removes the redemptions of a voucher, its rollbacks and failed attempts too; the orders and the parents of several stay. */
export function forgetRedemptions(voucherId: string, context: Pick<Context, 'in'>): void {
  const table = context.in(redemptions)
  for (const { id } of table.all([is(redemptions, 'related_object_id', voucherId)])) table.remove(id)
}
