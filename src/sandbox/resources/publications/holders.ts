// Who has a code. Most codes have one holder, who is noted on the voucher; a code for everyone has many.
import type { Context } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { publications } from './store.ts'

/** Says whether a voucher was published to a customer, or belongs to them otherwise. */
export function isHeldBy(voucher: StoredVoucher, customerId: string, context: Pick<Context, 'in'>): boolean {
  if (voucher.holder_id === customerId || voucher.referrer_id === customerId) return true
  if (voucher.publish.count < 2) return false
  const given = { sql: "? IN (SELECT value FROM json_each(doc, '$.vouchers_id'))", values: [voucher.id] }
  return context.in(publications).count([is(publications, 'customer_id', customerId), given]) > 0
}
