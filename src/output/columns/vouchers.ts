// The columns of a voucher. Source: docs/service/vouchers.md#fields; docs/service/vouchers.md#discount-kinds.
import { voucher } from '../../contract/answers/vouchers.ts'
import { columnsOf } from '../columns-of.ts'

/** A voucher. Amounts are in the smallest currency unit and points are whole, exactly as the service sends them; `state` is promo's. */
export const voucherColumns = columnsOf(voucher, {
  first: `
    id code* type* discount.percent_off=percent_off* discount.amount_off=amount_off* gift.balance=gift*
    loyalty_card.balance=points* state:state*? active campaign* redemption.redeemed_quantity=redeemed*
    redemption.quantity=limit* expiration_date=expires*
  `,
})
