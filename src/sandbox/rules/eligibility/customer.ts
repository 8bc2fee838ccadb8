// Finds the customer of a request. Source: docs/service/customers.md#tracking-id; docs/service/validations.md#tracking-id.

import type { Metadata } from '../../../contract/fields.ts'
import { notFound, type RefusalBody } from '../failures.ts'

/** A customer for one evaluation. `id` is absent for an anonymous customer, known only from the request. */
export interface Customer {
  id?: string
  source_id?: string | null
  name?: string | null
  email?: string | null
  metadata?: Metadata
  created_at?: string
  [field: string]: unknown
}

/** A customer as a request names it; some calls accept a bare id or source id. */
export type CustomerRequest = Customer | string

export interface ResolvedCustomer {
  /** Stored fields overlaid with the request's; without `id` when no such customer is stored. */
  customer?: Customer
  /** The opaque `track_…`, when a source id or a tracking id was sent or the stored customer has a source id. */
  tracking_id?: string
}

/** The part of the stored state that holds customers. */
export interface Customers {
  customer: (by: { id: string } | { source_id: string }) => Customer | undefined
  /** Returns the opaque `track_…` of a source id. */
  trackingId: (sourceId: string) => string
}

/**
 * Returns the customer of a request: by `id`, else by `source_id`, else by the tracking id, which is a source id.
 *
 * Stores nothing. An unknown source id is an anonymous customer; an unknown id is refused.
 */
export function resolveCustomer(
  customers: Customers,
  asked: CustomerRequest | undefined,
  trackingId?: string,
): ResolvedCustomer | { refusal: RefusalBody } {
  const said: Customer = typeof asked === 'string' ? {} : (asked ?? {})
  if (typeof asked === 'string') {
    const byId = customers.customer({ id: asked })
    if (byId) return { customer: byId, ...trackingOf(customers, byId.source_id ?? trackingId) }
    said.source_id = asked
  }
  if (said.id !== undefined) {
    const stored = customers.customer({ id: said.id })
    if (!stored) return { refusal: notFound('customer', said.id) }
    return { customer: overlaid(stored, said), ...trackingOf(customers, stored.source_id ?? trackingId) }
  }
  const sourceId = said.source_id ?? trackingId
  if (sourceId) {
    const stored = customers.customer({ source_id: sourceId })
    const customer = stored ? overlaid(stored, said) : { ...said, source_id: sourceId }
    return { customer, ...trackingOf(customers, sourceId) }
  }
  return Object.keys(said).length > 0 ? { customer: said } : {}
}

/** ASSUMED A12: metadata of the request overrides the stored metadata key by key. */
function overlaid(stored: Customer, said: Customer): Customer {
  const { id: _id, source_id: _source, ...fields } = said
  return { ...stored, ...fields, metadata: { ...stored.metadata, ...said.metadata } }
}

function trackingOf(customers: Customers, sourceId: string | null | undefined): { tracking_id?: string } {
  return sourceId ? { tracking_id: customers.trackingId(sourceId) } : {}
}
