// Exports of vouchers. Source: docs/service/exports.md#columns.
import type { Discount } from '../../../contract/discount.ts'
import { assetsOf } from '../../answers/assets.ts'
import type { UnitDiscount } from '../../rules/pricing/free-units.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { customers } from '../../stores/customers.ts'
import { assignments } from '../../stores/validation-rules.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { exportKind, fieldValue, type LookupContext, majorUnits, orderedBy, plainColumns } from './columns.ts'

/** Vouchers of every type. Amounts of money are in major currency units; percentages and points are plain numbers. */
export const voucherExports = exportKind<StoredVoucher>({
  from: [vouchers],
  columns: {
    ...plainColumns('code'),
    voucher_type: ({ type }) => type,
    value: worth,
    formula: ({ discount }) => discount && formulaOf(discount),
    discount_type: ({ discount }) => discount?.type,
    campaign: ({ campaign_id }, look) => campaign_id && look.in(campaigns).get(campaign_id)?.name,
    ...plainColumns('category', 'start_date', 'expiration_date'),
    gift_balance: ({ gift }) => majorUnits(gift?.balance),
    loyalty_balance: ({ loyalty_card }) => loyalty_card?.balance,
    redemption_quantity: ({ redemption }) => redemption.quantity,
    redemption_count: ({ redemption }) => redemption.redeemed_quantity,
    ...plainColumns('active'),
    qr_code: (voucher, look) => pictures(voucher, look).qr?.url,
    bar_code: (voucher, look) => pictures(voucher, look).barcode?.url,
    ...plainColumns('id', 'is_referral_code', 'created_at', 'updated_at'),
    validity_timeframe_interval: ({ validity_timeframe }) => validity_timeframe?.interval,
    validity_timeframe_duration: ({ validity_timeframe }) => validity_timeframe?.duration,
    validity_day_of_week: ({ validity_day_of_week }) => validity_day_of_week?.join(','),
    discount_amount_limit: ({ discount }) => discount && majorUnits(fieldValue(discount, 'amount_limit')),
    ...plainColumns('campaign_id', 'additional_info'),
    customer_id: ({ holder_id }) => holder_id,
    discount_effect: ({ discount }) => discount?.effect,
    discount_unit_type: ({ discount }) => unitsOf(discount, 'unit_type'),
    discount_unit_effect: ({ discount }) => unitsOf(discount, 'effect'),
    validation_rules_id: ({ id }, look) =>
      look
        .in(assignments)
        .all([is(assignments, 'related_object_id', id)])
        .map(({ rule_id }) => rule_id)
        .join(','),
    customer_source_id: ({ holder_id }, look) => holder_id && look.in(customers).get(holder_id)?.source_id,
  },
  hasMetadata: true,
  defaults: ['code', 'voucher_type', 'value', 'discount_type'],
  orders: orderedBy('created_at', 'updated_at', 'code'),
})

function pictures(voucher: StoredVoucher, look: LookupContext) {
  return assetsOf({ ...look, headers: {} })(voucher)
}

function worth({ discount, gift, loyalty_card }: StoredVoucher): unknown {
  if (gift) return majorUnits(gift.amount)
  if (loyalty_card) return loyalty_card.points
  switch (discount?.type) {
    case 'AMOUNT':
      return majorUnits(discount.amount_off)
    case 'PERCENT':
      return discount.percent_off
    case 'FIXED':
      return majorUnits(discount.fixed_amount)
    // ASSUMED A262: several units are a comma-separated list, like the days of the week.
    default:
      return unitsOf(discount, 'unit_off')
  }
}

function formulaOf(discount: Discount): unknown {
  const name = Object.keys(discount).find((key) => key.endsWith('_formula'))
  return name && fieldValue(discount, name)
}

function unitsOf(discount: Discount | null, name: 'unit_off' | 'unit_type' | 'effect'): unknown {
  if (discount?.type !== 'UNIT') return undefined
  const units: UnitDiscount['units'] = discount.units ?? [discount as NonNullable<UnitDiscount['units']>[number]]
  return units.map((unit) => unit[name] ?? '').join(',')
}
