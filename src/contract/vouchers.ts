// Reading, enabling and disabling vouchers: discount codes, gift cards and loyalty cards. The fields to create one are in
// new-voucher.ts and the lists in voucher-lists.ts, because those schemas take longer to build than most commands run.
// Source: docs/service/vouchers.md#fields; docs/service/vouchers.md#create; docs/service/vouchers.md#disable; docs/service/vouchers.md#calls.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer, forcible } from './fields.ts'

/** A voucher as the service returns it: the fields that promo reads are named, all others pass unchanged. */
export const voucher = z.looseObject({
  id: z.string(),
  code: z.string(),
  object: z.literal('voucher'),
  type: z.string().nullish(),
  active: z.boolean().nullish(),
})

/** The voucher types a request may name. */
export const voucherTypes = ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD'] as const

const disabledVoucher = voucher.extend({ active: z.literal(false) })
const enabledVoucher = voucher.extend({ active: z.literal(true) })

/** Disables a voucher, by code or id. */
export const disableVoucher = endpoint('vouchers.disable', 'Disable a voucher', {
  call: 'POST /v1/vouchers/{code}/disable',
  response: disabledVoucher,
  repeat: 'idempotent',
  source: 'docs/service/vouchers.md#disable',
})

/** Enables a voucher, by code or id. */
export const enableVoucher = endpoint('vouchers.enable', 'Enable a voucher', {
  call: 'POST /v1/vouchers/{code}/enable',
  response: enabledVoucher,
  repeat: 'idempotent',
  source: 'docs/service/vouchers.md#enable',
})

/** Reads one voucher, by code or id. */
export const getVoucher = endpoint('vouchers.get', 'Get a voucher', {
  call: 'GET /v1/vouchers/{code}',
  response: voucher,
  source: 'docs/service/vouchers.md#get',
})

/** Moves a voucher to the bin, where it keeps its code, or with `force` removes it permanently. */
export const deleteVoucher = endpoint('vouchers.delete', 'Delete a voucher', {
  ...forcible,
  call: 'DELETE /v1/vouchers/{code}',
  response: emptyAnswer,
  source: 'docs/service/vouchers.md#delete',
})
