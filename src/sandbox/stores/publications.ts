// Which codes were assigned to whom. Source: docs/service/addresses.md#versions; docs/service/publications.md#fields.

import type { Tables } from '../http/route.ts'
import { collection, type Stored } from '../storage/collection.ts'
import { type Condition, is } from '../storage/conditions.ts'
import type { StoredVoucher } from './vouchers.ts'

export interface StoredPublication extends Stored {
  source_id: string | null
  customer_id: string
  /** The customer's source id at that time; null without one. */
  tracking_id: string | null
  campaign_id: string | null
  channel: string
  metadata: Record<string, unknown>
  /** In the order of assignment. */
  vouchers_id: string[]
  /** The first of the codes. */
  voucher_code: string
  result: 'SUCCESS'
  object: 'publication'
}

/** Reads a value of the object whose id is at a path of a publication. */
function ofRelated(value: string, collectionName: string, path: string): string {
  return `(SELECT ${value} FROM ${collectionName} AS related
    WHERE related.project_id = publications.project_id AND related.id = publications.doc ->> '${path}')`
}

/** Publications, by id or source id. */
export const publications = collection<StoredPublication>('publications', 'publication', 'pub_', {
  key: 'source_id',
  indexed: {
    customer_id: 'text',
    campaign_id: 'text',
    voucher_code: 'text',
    tracking_id: 'text',
    channel: 'text',
  },
  many: ['campaign_id', 'channel'],
  tallied: 'campaign_id',
  filterable: { result: 'text' },
  computed: {
    // ASSUMED A1003: filters name a campaign by its name and a customer by the source id; ids have filters of their own.
    campaign: { sql: ofRelated('name', 'campaigns', '$.campaign_id'), kind: 'text' },
    customer: { sql: ofRelated('source_id', 'customers', '$.customer_id'), kind: 'text' },
    voucher_type: { sql: ofRelated("doc ->> '$.type'", 'vouchers', '$.vouchers_id[0]'), kind: 'text' },
    is_referral_code: {
      sql: ofRelated("doc ->> '$.is_referral_code'", 'vouchers', '$.vouchers_id[0]'),
      kind: 'boolean',
    },
  },
})

/** Restricts a listing to publications of a voucher, by its id. */
export function includesVoucher(id: string): Condition {
  return { sql: "? IN (SELECT value FROM json_each(doc, '$.vouchers_id'))", values: [id] }
}

/** Returns whether a voucher was published to a customer, or belongs to them otherwise. */
export function isHeldBy(voucher: StoredVoucher, customerId: string, context: Tables): boolean {
  if (voucher.holder_id === customerId || voucher.referrer_id === customerId) return true
  if (voucher.publish.count < 2) return false
  return context.in(publications).count([is(publications, 'customer_id', customerId), includesVoucher(voucher.id)]) > 0
}
