// Who a request speaks of. Source: docs/service/customers.md#tracking-id; docs/service/validations.md#tracking-id.
import { notFound } from '../failures.ts'
import type { Customer, CustomerRequest, Refusal, Snapshot } from '../model.ts'

export interface ResolvedCustomer {
  /** Stored fields overlaid with the request's; without `id` when nobody like that is stored. */
  customer?: Customer
  /** The opaque `track_…`, only when a source id or a tracking id was sent. */
  tracking_id?: string
}

type People = Pick<Snapshot, 'customer' | 'trackingId'>

/**
 * Finds the customer of a request: by `id`, else by `source_id`, else by the tracking id, which is a source id.
 *
 * Nothing is stored by it. An unknown source id is an anonymous customer; an unknown id is refused.
 */
export function resolveCustomer(
  people: People,
  asked: CustomerRequest | undefined,
  trackingId?: string,
): ResolvedCustomer | { refusal: Refusal } {
  const said: Customer = typeof asked === 'string' ? {} : (asked ?? {})
  if (typeof asked === 'string') {
    const byId = people.customer({ id: asked })
    if (byId) return { customer: byId }
    said.source_id = asked
  }
  if (said.id !== undefined) {
    const stored = people.customer({ id: said.id })
    if (!stored) return { refusal: notFound('customer', said.id) }
    return { customer: overlaid(stored, said), ...tracked(people, said.source_id ?? trackingId) }
  }
  const sourceId = said.source_id ?? trackingId
  if (sourceId) {
    const stored = people.customer({ source_id: sourceId })
    const customer = stored ? overlaid(stored, said) : { ...said, source_id: sourceId }
    return { customer, ...tracked(people, sourceId) }
  }
  return Object.keys(said).length > 0 ? { customer: said } : {}
}

/** ASSUMED A12: metadata of the request is laid over the stored metadata key by key. */
function overlaid(stored: Customer, said: Customer): Customer {
  const { id: _id, source_id: _source, ...fields } = said
  return { ...stored, ...fields, metadata: { ...stored.metadata, ...said.metadata } }
}

function tracked(people: People, sourceId: string | null | undefined): { tracking_id?: string } {
  return sourceId ? { tracking_id: people.trackingId(sourceId) } : {}
}
