// Which codes were assigned to whom. Source: docs/service/addresses.md#versions; docs/service/publications.md#fields.

import type { Context } from '../../http/route.ts'
import { collection, type Stored } from '../../storage/collection.ts'
import { type Condition, is } from '../../storage/conditions.ts'
import type { StoredVoucher } from '../vouchers/store.ts'

export interface StoredPublication extends Stored {
  source_id: string | null
  customer_id: string
  /** The opaque id of the customer's source id; null without one. */
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

/** Publications, by id or source id. */
export const publications = collection<StoredPublication>({
  name: 'publications',
  prefix: 'pub_',
  type: 'publication',
  key: 'source_id',
  indexed: {
    customer_id: 'text',
    campaign_id: 'text',
    voucher_code: 'text',
    tracking_id: 'text',
    channel: 'text',
  },
  filterable: { result: 'text' },
})

/** Restricts a listing to publications of a voucher, by its id. */
export function includesVoucher(id: string): Condition {
  return { sql: "? IN (SELECT value FROM json_each(doc, '$.vouchers_id'))", values: [id] }
}

/** Returns whether a voucher was published to a customer, or belongs to them otherwise. */
export function isHeldBy(voucher: StoredVoucher, customerId: string, context: Pick<Context, 'in'>): boolean {
  if (voucher.holder_id === customerId || voucher.referrer_id === customerId) return true
  if (voucher.publish.count < 2) return false
  return context.in(publications).count([is(publications, 'customer_id', customerId), includesVoucher(voucher.id)]) > 0
}
