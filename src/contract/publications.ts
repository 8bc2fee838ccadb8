// Publications: codes given to customers.
// Source: docs/service/publications.md#list; docs/service/publications.md#create.
import { z } from 'zod'
import { bothWays, filters, listing, pages } from './calls-about.ts'
import { customerReference } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { metadata, pageSize } from './fields.ts'
import { voucher, voucherTypes } from './vouchers.ts'

const campaignReference = z.union([
  z.string().min(1),
  z.strictObject({ name: z.string().min(1), count: z.int().min(1).optional() }),
])

/** What a publication may say beside its campaign. */
export const publicationMembers = z.strictObject({
  customer: customerReference,
  voucher: z.string().min(1).optional(),
  channel: z.string().optional(),
  source_id: z.string().optional(),
  metadata: metadata.optional(),
})

const unchecked = publicationMembers.extend({ campaign: campaignReference.optional() })

/** A publication to create: of a named voucher, or of any free one in a campaign. */
export const newPublication = unchecked.refine(
  ({ campaign, voucher }) => campaign !== undefined || voucher !== undefined,
  {
    error: "must contain 'campaign' or 'voucher'",
    params: { refused_as: 'missing_vouchers' },
  },
)

/** A publication as the service returns it. */
export const publication = z.looseObject({ id: z.string(), object: z.literal('publication') })

/** The last page of publications that the service lists. */
export const lastPublicationsPage = 1000

const publicationsPage = z
  .int()
  .min(1)
  .refine((page) => page <= lastPublicationsPage, {
    error: `must be <= ${lastPublicationsPage}`,
    params: { refused_as: 'page_over_limit' },
  })

/** Lists publications. Pages beyond 1,000 are refused. */
export const listPublications = endpoint('publications.list', 'List publications', {
  ...listing,
  call: 'GET /v1/publications',
  query: z.strictObject({
    limit: pageSize.optional(),
    page: publicationsPage.optional(),
    order: bothWays('id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at', 'channel').optional(),
    campaign: z.string().optional(),
    customer: z.string().optional(),
    voucher: z.string().optional(),
    result: z.string().optional(),
    source_id: z.string().optional(),
    voucher_type: z.enum(voucherTypes).optional(),
    is_referral_code: z.boolean().optional(),
    filters: filters.optional(),
  }),
  paging: pages(lastPublicationsPage, { dates: { created_at: 'filters' }, exportedAs: 'publications' }),
  source: 'docs/service/publications.md#list',
})

/** Publishes a code to a customer; `join_once` overrides the campaign for this call. */
export const publish = endpoint('publications.create', 'Publish a voucher to a customer', {
  call: 'POST /v1/publications',
  query: z.strictObject({ join_once: z.boolean().optional() }),
  body: newPublication,
  response: publication,
  repeat: 'once',
  proof: {
    by: 'source',
    read: { call: () => listPublications, query: { source_id: 'body.source_id', result: { is: 'SUCCESS' } } },
    id: 'body.source_id',
    since: 'none',
  },
  source: 'docs/service/publications.md#create',
})

/** Publishes one code, as older clients do; the answer is the voucher. */
export const publishVoucher = endpoint('vouchers.publish', 'Publish one voucher (older call)', {
  call: 'POST /v1/vouchers/publish',
  query: z.strictObject({ campaign: z.string().min(1).optional() }),
  body: unchecked,
  response: voucher,
  repeat: 'once',
  unproved: 'an older call, which takes no id of its caller',
  source: 'docs/service/publications.md#older-call',
})
