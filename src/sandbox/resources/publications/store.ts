// Who was given which codes. Source: docs/service/addresses.md#versions; docs/service/publications.md#fields.
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredPublication extends Stored {
  source_id: string | null
  customer_id: string
  /** The opaque id of the customer's source id; null without one. */
  tracking_id: string | null
  campaign_id: string | null
  channel: string
  metadata: Record<string, unknown>
  /** In the order they were given. */
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
