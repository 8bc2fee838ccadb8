// Lists of vouchers, and of what belongs to one of them.
// Source: docs/service/vouchers.md#list; docs/service/vouchers.md#redemption-counters.
import { z } from 'zod'
import { activityListing, bothWays, listing, pageListing, pages, period } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { pageSize } from './fields.ts'

/** Lists the redemptions, rollbacks and failed attempts of one voucher; the `url` in its `redemption` leads here. */
export const listVoucherRedemptions = endpoint('vouchers.redemptions.list', 'List the redemptions of a voucher', {
  ...pageListing,
  call: 'GET /v1/vouchers/{code}/redemptions',
  source: 'docs/service/vouchers.md#redemption-counters',
})

/** Lists the publications of one voucher; the `url` in its `publish` leads here. */
export const listVoucherPublications = endpoint('vouchers.publications.list', 'List the publications of a voucher', {
  ...pageListing,
  call: 'GET /v1/vouchers/{code}/publications',
  source: 'docs/service/vouchers.md#redemption-counters',
})

/** The query parameters of every listing of vouchers, of pages and apps too. */
export const voucherListing = {
  limit: pageSize.optional(),
  page: z.int().min(1).max(99).optional(),
  order: bothWays('created_at', 'updated_at', 'code').optional(),
  campaign: z.string().optional(),
  category: z.string().optional(),
  customer: z.string().optional(),
  created_at: period.optional(),
  updated_at: period.optional(),
}

/** Lists vouchers, newest first by default. */
export const listVouchers = endpoint('vouchers.list', 'List vouchers', {
  ...listing,
  call: 'GET /v1/vouchers',
  query: z.strictObject({
    ...voucherListing,
    campaign_id: z.string().optional(),
    code: z.string().optional(),
    ids: z.array(z.string()).optional(),
    filters: z.record(z.string(), z.unknown()).optional(),
  }),
  paging: pages(99, { dates: { created_at: 'period', updated_at: 'period' }, exportedAs: 'vouchers' }),
  source: 'docs/service/vouchers.md#list',
})

/** Lists what happened to a voucher, newest first: the events that name it. */
export const listVoucherActivity = endpoint('vouchers.activity.list', 'List the activity of a voucher', {
  ...activityListing,
  call: 'GET /v1/vouchers/{code}/activity',
})
