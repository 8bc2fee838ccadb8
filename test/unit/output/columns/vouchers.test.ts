import { expect, test } from 'vitest'
import { kindOf, tableColumns } from '../../../../src/output/column.ts'
import { voucherColumns } from '../../../../src/output/columns/vouchers.ts'

test('a table of vouchers shows code, type, value, use and end', () => {
  expect(tableColumns(voucherColumns).map(({ name }) => name)).toEqual([
    'code',
    'type',
    'discount.percent_off',
    'discount.amount_off',
    'gift.balance',
    'loyalty_card.balance',
    'state',
    'campaign',
    'redemption.redeemed_quantity',
    'redemption.quantity',
    'expiration_date',
  ])
})

test('no column of a voucher is listed twice', () => {
  const names = voucherColumns.columns.map(({ name }) => name)

  expect(new Set(names).size).toBe(names.length)
})

test('every code and id of a voucher is an identifier', () => {
  const wrong = voucherColumns.columns.filter(
    (column) => /(?:^|[._])(?:id|code)$/.test(column.name) && kindOf(column) !== 'identifier',
  )

  expect(wrong.map(({ name }) => name)).toEqual(['is_referral_code'])
})
