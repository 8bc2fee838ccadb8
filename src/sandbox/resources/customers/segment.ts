// Segments: who is in one. Source: docs/service/validation-rules.md#segments; docs/service/customers.md#segments.
import type { z } from 'zod'
import type { newSegment } from '../../../contract/segments.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { type StoredSegment, segments } from './segment-store.ts'
import { findCustomer } from './upsert.ts'

/** Builds a new segment; nothing is stored. Throws 400 for one that is not a list, 404 for a customer that does not exist. */
export function buildSegment(
  body: z.output<typeof newSegment>,
  context: Pick<Context, 'id' | 'in' | 'now'>,
): StoredSegment {
  const { name, type = 'static', filter, customers: named = [] } = body
  // ASSUMED A174: only lists are kept: a segment that the sandbox does not compute would say no in silence.
  if (type !== 'static')
    throw invalidPayload(`Property .type must be static: the sandbox does not compute ${type} segments`)
  if (filter !== undefined) throw invalidPayload('Property .filter does not go with a segment of type static')
  const members = named.map((idOrSourceId) => {
    const customer = findCustomer(idOrSourceId, context)
    if (!customer) throw notFound('customer', idOrSourceId)
    return customer.id
  })
  return {
    id: context.id(segments.prefix),
    name,
    type,
    // ASSUMED A175: a segment shows the ids of its customers, so that it can be loaded as it is shown.
    customers: [...new Set(members)],
    filter: null,
    created_at: context.now,
    updated_at: null,
    object: 'segment',
  }
}

/** Says whether a customer is in a segment; one without an id, or a segment that does not exist, is not. */
export function isInSegment(
  segmentId: string,
  customer: { id?: string | undefined },
  context: Pick<Context, 'in'>,
): boolean {
  if (customer.id === undefined) return false
  return context.in(segments).get(segmentId)?.customers.includes(customer.id) ?? false
}
