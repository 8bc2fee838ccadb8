// Reading, enabling and disabling vouchers: discount codes, gift cards and loyalty cards. The fields to create one are in
// new-voucher.ts, because that schema takes longer to build than most commands run.
// Source: docs/service/vouchers.md#fields; docs/service/vouchers.md#create; docs/service/vouchers.md#disable; docs/service/vouchers.md#calls.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer, listAnswer, pageSize } from './fields.ts'
import { activityListing, byPage, period } from './listing.ts'

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

/** The orders of a voucher listing. */
export const voucherOrders = ['created_at', '-created_at', 'updated_at', '-updated_at', 'code', '-code'] as const

/** Disables a voucher, by code or id. */
export const disableVoucher = endpoint({
  id: 'vouchers.disable',
  method: 'POST',
  path: '/v1/vouchers/{code}/disable',
  response: disabledVoucher,
  repeat: 'idempotent',
  source: 'docs/service/vouchers.md#disable',
  summary: 'Disable a voucher',
})

/** Enables a voucher, by code or id. */
export const enableVoucher = endpoint({
  id: 'vouchers.enable',
  method: 'POST',
  path: '/v1/vouchers/{code}/enable',
  response: enabledVoucher,
  repeat: 'idempotent',
  source: 'docs/service/vouchers.md#enable',
  summary: 'Enable a voucher',
})

/** Reads one voucher, by code or id. */
export const getVoucher = endpoint({
  id: 'vouchers.get',
  method: 'GET',
  path: '/v1/vouchers/{code}',
  response: voucher,
  repeat: 'read',
  source: 'docs/service/vouchers.md#get',
  summary: 'Get a voucher',
})

/** Lists the redemptions, rollbacks and failed attempts of one voucher; the `url` in its `redemption` leads here. */
export const listVoucherRedemptions = endpoint({
  id: 'vouchers.redemptions.list',
  method: 'GET',
  path: '/v1/vouchers/{code}/redemptions',
  query: z.strictObject(byPage),
  response: listAnswer,
  paging: { style: 'page', lastPage: 100 },
  repeat: 'read',
  source: 'docs/service/vouchers.md#redemption-counters',
  summary: 'List the redemptions of a voucher',
})

/** Lists the publications of one voucher; the `url` in its `publish` leads here. */
export const listVoucherPublications = endpoint({
  id: 'vouchers.publications.list',
  method: 'GET',
  path: '/v1/vouchers/{code}/publications',
  query: z.strictObject(byPage),
  response: listAnswer,
  paging: { style: 'page', lastPage: 100 },
  repeat: 'read',
  source: 'docs/service/vouchers.md#redemption-counters',
  summary: 'List the publications of a voucher',
})

/** The query parameters of every listing of vouchers, of pages and apps too. */
export const voucherListing = {
  limit: pageSize.optional(),
  page: z.int().min(1).max(99).optional(),
  order: z.enum(voucherOrders).optional(),
  campaign: z.string().optional(),
  category: z.string().optional(),
  customer: z.string().optional(),
  created_at: period.optional(),
  updated_at: period.optional(),
}

/** Lists vouchers, newest first by default. */
export const listVouchers = endpoint({
  id: 'vouchers.list',
  method: 'GET',
  path: '/v1/vouchers',
  query: z.strictObject({
    ...voucherListing,
    campaign_id: z.string().optional(),
    code: z.string().optional(),
    ids: z.array(z.string()).optional(),
    filters: z.record(z.string(), z.unknown()).optional(),
  }),
  response: listAnswer,
  paging: {
    style: 'page',
    lastPage: 99,
    dates: { created_at: 'period', updated_at: 'period' },
    exportedAs: 'vouchers',
  },
  repeat: 'read',
  source: 'docs/service/vouchers.md#list',
  summary: 'List vouchers',
})

/** Lists what happened to a voucher, newest first: the events that name it. */
export const listVoucherActivity = endpoint({
  ...activityListing,
  id: 'vouchers.activity.list',
  path: '/v1/vouchers/{code}/activity',
  summary: 'List the activity of a voucher',
})

/** Moves a voucher to the bin, where it keeps its code, or with `force` removes it permanently. */
export const deleteVoucher = endpoint({
  id: 'vouchers.delete',
  method: 'DELETE',
  path: '/v1/vouchers/{code}',
  query: z.strictObject({ force: z.boolean().optional() }),
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/vouchers.md#delete',
  summary: 'Delete a voucher',
})
