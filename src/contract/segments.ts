// Segments: groups of customers, listed by hand or found by a filter. Source: docs/service/customers.md#segments.
import { z } from 'zod'
import { callsAbout, filters, listing } from './calls-about.ts'
import { endpoint } from './endpoint.ts'

/** A segment to create: `static` has `customers`, the others a `filter`. */
export const newSegment = z.strictObject({
  name: z.string().min(1),
  type: z.enum(['static', 'auto-update', 'passive']).optional(),
  filter: filters.optional(),
  customers: z.array(z.string().min(1)).optional(),
})

/** A segment as the service returns it. */
export const segment = z.looseObject({ id: z.string(), name: z.string().optional() })

const calls = callsAbout('segments', '/v1/segments/{segmentId}', {
  response: segment,
  source: 'docs/service/customers.md#segments',
})

export const listSegments = calls.list(listing, 'List segments')
export const listCustomerSegments = endpoint('customers.segments.list', 'List the segments of a customer', {
  ...listing,
  call: 'GET /v1/customers/{customerId}/segments',
  source: 'docs/service/customers.md#segments',
})

export const getSegment = calls.get('Get a segment')
export const createSegment = calls.create(
  newSegment,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listSegments } } },
  'Create a segment',
)

/** Removes a segment; its customers stay. */
export const deleteSegment = calls.delete('Delete a segment')
