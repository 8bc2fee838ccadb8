// Vouchers: discount codes, gift cards and loyalty cards. Source: specification, Voucher and Endpoints 7, 8; wire-facts.md §7.7, §7.8, §11, §12.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  dateTime,
  emptyAnswer,
  listAnswer,
  metadata,
  pageSize,
  validityDayOfWeek,
  validityHours,
  validityTimeframe,
} from './fields.ts'

/** The kinds of voucher a request may name. */
export const voucherTypes = ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD'] as const

const wholeAmount = z.int().min(0)

const unitForm = {
  unit_off: z.int().min(0).optional(),
  unit_off_formula: z.string().optional(),
  unit_type: z.string().optional(),
  product: z.looseObject({}).optional(),
  sku: z.looseObject({}).optional(),
}

/** What a code takes off an order. Amounts are in the smallest currency unit; `percent_off` is a plain percentage. */
export const discount = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('AMOUNT'),
    amount_off: wholeAmount,
    amount_off_formula: z.string().optional(),
    aggregated_amount_limit: wholeAmount.optional(),
    is_dynamic: z.boolean().optional(),
    effect: z
      .enum([
        'APPLY_TO_ORDER',
        'APPLY_TO_ITEMS',
        'APPLY_TO_ITEMS_PROPORTIONALLY',
        'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
        'APPLY_TO_ITEMS_BY_QUANTITY',
      ])
      .optional(),
  }),
  z.strictObject({
    type: z.literal('PERCENT'),
    percent_off: z.number().min(0).max(100),
    percent_off_formula: z.string().optional(),
    amount_limit: wholeAmount.optional(),
    aggregated_amount_limit: wholeAmount.optional(),
    is_dynamic: z.boolean().optional(),
    effect: z.enum(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
  }),
  z.strictObject({
    type: z.literal('FIXED'),
    fixed_amount: wholeAmount,
    fixed_amount_formula: z.string().optional(),
    is_dynamic: z.boolean().optional(),
    effect: z.enum(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
  }),
  z.strictObject({
    type: z.literal('UNIT'),
    ...unitForm,
    effect: z.enum(['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS', 'ADD_MANY_ITEMS']).optional(),
    units: z.array(z.strictObject({ ...unitForm, effect: z.enum(['ADD_NEW_ITEMS', 'ADD_MISSING_ITEMS']) })).optional(),
    is_dynamic: z.boolean().optional(),
  }),
])

/** Money on a gift card. `balance` is the service's to compute; the specification's request sends `amount`. */
const gift = z.strictObject({
  amount: wholeAmount,
  balance: wholeAmount.optional(),
  effect: z.enum(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
})

const loyaltyCard = z.strictObject({ points: z.int().min(0), balance: z.int().optional() })

/** The fields a voucher may be created with. The sandbox, like the service, decides which belong together. */
export const newVoucher = z.strictObject({
  // Left out by some clients (wire-facts.md §7.7, leniency); the service then reads it off `discount` or `gift`.
  type: z.enum(voucherTypes).optional(),
  discount: discount.optional(),
  gift: gift.optional(),
  loyalty_card: loyaltyCard.optional(),
  campaign: z.string().min(1).nullish(),
  campaign_id: z.string().min(1).nullish(),
  category: z.string().nullish(),
  category_id: z.string().nullish(),
  start_date: dateTime.nullish(),
  expiration_date: dateTime.nullish(),
  validity_timeframe: validityTimeframe.nullish(),
  validity_day_of_week: validityDayOfWeek.nullish(),
  validity_hours: validityHours.nullish(),
  active: z.boolean().nullish(),
  additional_info: z.string().nullish(),
  metadata: metadata.nullish(),
  validation_rules: z.array(z.string()).optional(),
  redemption: z.strictObject({ quantity: z.int().min(0).nullish() }).optional(),
})

/** A voucher as the service returns it: what promo reads is named, the rest passes untouched. */
export const voucher = z.looseObject({
  id: z.string(),
  code: z.string(),
  object: z.literal('voucher'),
  type: z.string().nullish(),
  active: z.boolean().nullish(),
})

export type Voucher = z.output<typeof voucher>

/** The fields an update may change; the service ignores all others. A discount keeps its kind. */
export const updatedVoucher = newVoucher.pick({
  discount: true,
  category: true,
  category_id: true,
  start_date: true,
  expiration_date: true,
  validity_timeframe: true,
  validity_day_of_week: true,
  validity_hours: true,
  active: true,
  additional_info: true,
  metadata: true,
})

const disabledVoucher = voucher.extend({ active: z.literal(false) })
const enabledVoucher = voucher.extend({ active: z.literal(true) })

const period = z.strictObject({ before: dateTime.optional(), after: dateTime.optional() })

/** Orders a voucher listing can be asked in. */
export const voucherOrders = ['created_at', '-created_at', 'updated_at', '-updated_at', 'code', '-code'] as const

/** Creates one voucher under the code the caller chose. */
export const createVoucher = endpoint({
  id: 'vouchers.create',
  method: 'POST',
  path: '/v1/vouchers/{code}',
  body: newVoucher,
  response: voucher,
  repeat: 'key',
  source: 'Endpoints 7',
  summary: 'Create a voucher with a given code',
})

/** Switches a voucher off, by code or id. */
export const disableVoucher = endpoint({
  id: 'vouchers.disable',
  method: 'POST',
  path: '/v1/vouchers/{code}/disable',
  response: disabledVoucher,
  repeat: 'idempotent',
  source: 'Endpoints 8',
  summary: 'Disable a voucher',
})

/** Switches a voucher on again, by code or id. */
export const enableVoucher = endpoint({
  id: 'vouchers.enable',
  method: 'POST',
  path: '/v1/vouchers/{code}/enable',
  response: enabledVoucher,
  repeat: 'idempotent',
  source: 'wire-facts 7.8',
  summary: 'Enable a voucher',
})

/** Reads one voucher, by code or id. */
export const getVoucher = endpoint({
  id: 'vouchers.get',
  method: 'GET',
  path: '/v1/vouchers/{code}',
  response: voucher,
  repeat: 'read',
  source: 'wire-facts 11',
  summary: 'Get a voucher',
})

/** Lists vouchers, newest first unless `order` says otherwise. */
export const listVouchers = endpoint({
  id: 'vouchers.list',
  method: 'GET',
  path: '/v1/vouchers',
  query: z.strictObject({
    limit: pageSize.optional(),
    page: z.int().min(1).max(99).optional(),
    order: z.enum(voucherOrders).optional(),
    campaign: z.string().optional(),
    campaign_id: z.string().optional(),
    category: z.string().optional(),
    customer: z.string().optional(),
    code: z.string().optional(),
    ids: z.array(z.string()).optional(),
    created_at: period.optional(),
    updated_at: period.optional(),
    filters: z.record(z.string(), z.unknown()).optional(),
  }),
  response: listAnswer,
  paging: { style: 'page', lastPage: 99 },
  repeat: 'read',
  source: 'wire-facts 11',
  summary: 'List vouchers',
})

/** Changes a voucher, by code or id; fields left out keep their value. */
export const updateVoucher = endpoint({
  id: 'vouchers.update',
  method: 'PUT',
  path: '/v1/vouchers/{code}',
  body: updatedVoucher,
  response: voucher,
  repeat: 'idempotent',
  source: 'wire-facts 11',
  summary: 'Update a voucher',
})

/** Moves a voucher to the bin, where it keeps its code, or with `force` removes it for good. */
export const deleteVoucher = endpoint({
  id: 'vouchers.delete',
  method: 'DELETE',
  path: '/v1/vouchers/{code}',
  query: z.strictObject({ force: z.boolean().optional() }),
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'wire-facts 11',
  summary: 'Delete a voucher',
})
