// The publication calls. Source: docs/service/publications.md#list; docs/service/publications.md#calls; docs/sandbox.md#fixtures.
import * as contract from '../../contract/publications.ts'
import { type listPublications, newPublication } from '../../contract/publications.ts'
import { findOr404 } from '../answers/existing.ts'
import { publicationAnswer, publicationAnswers } from '../answers/publications.ts'
import { voucherAnswer } from '../answers/vouchers.ts'
import { identityOf } from '../http/fixture-object.ts'
import { invalidPayload, notFound, refusedAs } from '../http/refusal.ts'
import { type Context, type FixtureContext, pageAnswer, type QueryOf, type Resource, route } from '../http/route.ts'
import { findCustomer } from '../resources/customers/upsert.ts'
import { publish } from '../resources/publications/publish.ts'
import { areAll, type Condition } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { includesVoucher, publications, type StoredPublication } from '../stores/publications.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

/** Publications; those of referral codes create the referrer. */
export const publicationResource: Resource = {
  collections: [publications],
  load: { publications: loadPublication },
  routes: [
    route(contract.publish, ({ query, body }, context) =>
      publicationAnswer(publish(body, context, query).publication, context),
    ),
    route(contract.publishVoucher, ({ query, body: { campaign = query.campaign, ...body } }, context) => {
      // One code is asked for, and the answer has no place for more.
      const asked = typeof campaign === 'object' ? campaign.name : campaign
      const [voucher] = publish({ ...body, campaign: asked }, context).vouchers
      return voucherAnswer(voucher as StoredVoucher, context)
    }),
    route(contract.listPublications, ({ query }, context) => {
      if ((query.page ?? 1) > contract.lastPublicationsPage) throw pageOverLimit()
      return pageAnswer(publications, query, context, {
        where: publicationConditions(query, context),
        ref: 'publications',
        show: publicationAnswers,
      })
    }),
  ],
}

function pageOverLimit() {
  const message = `Listing resource above ${contract.lastPublicationsPage} page is not supported`
  return refusedAs('page_over_limit', message)
}

type Query = QueryOf<typeof listPublications>

/** Converts the own parameters of a listing into conditions, all of which must hold. */
function publicationConditions(query: Query, context: Context): Condition[] {
  const { campaign, customer, voucher, result, source_id, voucher_type, is_referral_code } = query
  const conditions = areAll(publications, {
    // What does not exist was never published: an empty list, as in the listing of vouchers (A119).
    campaign_id: campaign && (context.in(campaigns).find(campaign)?.id ?? campaign),
    customer_id: customer && (findCustomer(customer, context)?.id ?? customer),
    result,
    source_id,
    voucher_type,
    is_referral_code: is_referral_code === undefined ? undefined : Number(is_referral_code),
  })
  if (voucher !== undefined) conditions.push(includesVoucher(context.in(vouchers).find(voucher)?.id ?? voucher))
  return conditions
}

const members = newPublication.shape

/**
 * Reads a publication as the service shows it. Customer and vouchers must precede it in the file; the counters and
 * holders of the vouchers are taken from the vouchers. Throws a refusal that names the problem.
 */
function loadPublication(wire: Record<string, unknown>, loading: FixtureContext): StoredPublication {
  const customerId = wire.customer_id ?? (wire.customer as { id?: unknown } | undefined)?.id
  if (typeof customerId !== 'string') throw invalidPayload("Payload must have required property 'customer_id'")
  const customer = findCustomer(customerId, loading)
  if (!customer) throw notFound('customer', customerId)
  const given = vouchersOf(wire, loading)
  const metadata = members.metadata.safeParse(wire.metadata ?? {})
  if (!metadata.success) throw invalidPayload('Property .metadata must be object')
  return {
    source_id: textOf(wire, 'source_id'),
    customer_id: customer.id,
    tracking_id: textOf(wire, 'tracking_id'),
    campaign_id: given[0]?.campaign_id ?? null,
    channel: textOf(wire, 'channel') ?? 'API',
    metadata: metadata.data ?? {},
    vouchers_id: given.map(({ id }) => id),
    voucher_code: given[0]?.code ?? '',
    result: 'SUCCESS',
    object: 'publication',
    ...identityOf(publications, wire, loading),
  }
}

function vouchersOf(wire: Record<string, unknown>, loading: FixtureContext): StoredVoucher[] {
  const single = wire.voucher as { id?: unknown; code?: unknown } | string | null | undefined
  const named = typeof single === 'string' ? single : (single?.id ?? single?.code)
  const list: unknown[] = Array.isArray(wire.vouchers_id) ? wire.vouchers_id : named === undefined ? [] : [named]
  if (list.length === 0) throw invalidPayload("Payload must have required property 'vouchers_id'")
  return list.map((asked) => {
    const voucher = findOr404(vouchers, String(asked), loading)
    return voucher
  })
}

function textOf(wire: Record<string, unknown>, name: string): string | null {
  const value = wire[name]
  if (value == null) return null
  if (typeof value !== 'string') throw invalidPayload(`Property .${name} must be string`)
  return value
}
