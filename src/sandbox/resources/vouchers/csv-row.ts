// A line of a CSV file as a voucher, for imports of vouchers and into campaigns.
// Source: docs/service/async-actions.md#csv-imports.
import { withoutUndefined } from '../../../base/record.ts'
import { invalidPayload } from '../../http/refusal.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'
import { booleanOf, type CsvRow, centsOf, numberOf } from '../async-actions/rows.ts'

const types = ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD'] as const

/**
 * Returns the voucher of a line as the body of a creation, without metadata and unchecked. `known` is the type of a voucher
 * or a campaign that exists, for files that leave it out. Throws 400 for a cell that cannot be read.
 */
export function voucherIn(row: CsvRow, known?: StoredVoucher['type']): Record<string, unknown> {
  const { cells } = row
  const named = cells['Voucher Type']?.toUpperCase()
  if (named !== undefined && !(types as readonly string[]).includes(named))
    throw invalidPayload(`Column Voucher Type must be one of ${types.join(', ')}`)
  const type = named ?? known ?? (cells['Discount Type'] === undefined ? undefined : 'DISCOUNT_VOUCHER')
  const active = booleanOf(row, 'Active')
  const quantity = numberOf(row, 'Redemption Limit')
  return {
    ...(named !== undefined || known === undefined ? { type } : {}),
    ...valueIn(row, type),
    ...withoutUndefined({
      category: cells.Category,
      start_date: cells['Start Date'],
      expiration_date: cells['Expiration Date'],
      active,
      additional_info: cells['Additional Info'],
      redemption: quantity === undefined ? undefined : { quantity },
    }),
  }
}

function valueIn(row: CsvRow, type: string | undefined): Record<string, unknown> {
  const { Value, 'Discount Type': discountType } = row.cells
  if (type === 'GIFT_VOUCHER') {
    const amount = centsOf(row, 'Gift Amount') ?? centsOf(row, 'Value')
    return amount === undefined ? {} : { gift: { amount } }
  }
  if (type === 'LOYALTY_CARD') {
    const points = numberOf(row, 'Loyalty Points') ?? numberOf(row, 'Value')
    return points === undefined ? {} : { loyalty_card: { points } }
  }
  if (Value === undefined && discountType === undefined) return {}
  switch (discountType?.toUpperCase()) {
    case 'AMOUNT':
      return { discount: { type: 'AMOUNT', amount_off: centsOf(row, 'Value') } }
    case 'PERCENT':
      return { discount: { type: 'PERCENT', percent_off: numberOf(row, 'Value') } }
    case 'FIXED':
      return { discount: { type: 'FIXED', fixed_amount: centsOf(row, 'Value') } }
    // A discount in units needs a product, for which there is no column.
    default:
      throw invalidPayload('Column Discount Type must be one of AMOUNT, PERCENT, FIXED')
  }
}

/** Returns a voucher as redeemed before it was imported; the same one when the line says nothing of it. Throws 400. */
export function redeemedIn(row: CsvRow, voucher: StoredVoucher): StoredVoucher {
  const quantity = numberOf(row, 'Redeemed Quantity')
  const used = centsOf(row, 'Redeemed Amount')
  if (quantity === undefined && used === undefined) return voucher
  const { gift, redemption } = voucher
  if (!isCount(quantity) || !isCount(used)) throw invalidPayload('What was redeemed must be a whole number from 0')
  if (used !== undefined && (!gift || used > gift.amount))
    throw invalidPayload('Column Redeemed Amount must be of a gift card, and no more than its amount')
  return {
    ...voucher,
    ...(gift && used !== undefined && { gift: { ...gift, balance: gift.amount - used } }),
    redemption: {
      ...redemption,
      ...(quantity !== undefined && { redeemed_quantity: quantity }),
      ...(used !== undefined && { redeemed_amount: used }),
    },
  }
}

function isCount(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 0)
}
