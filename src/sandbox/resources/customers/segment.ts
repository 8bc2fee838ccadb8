// Segments and their membership. Source: docs/service/validation-rules.md#segments; docs/service/customers.md#segments.
import type { z } from 'zod'
import type { newSegment } from '../../../contract/segments.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { type StoredSegment, segments } from './segment-store.ts'
import { findCustomer } from './upsert.ts'

/** Builds a new segment; stores nothing. Throws 400 for one that is not static, 404 for an unknown customer. */
export function buildSegment(
  body: z.output<typeof newSegment>,
  context: Pick<Context, 'id' | 'in' | 'now'>,
): StoredSegment {
  const { name, type = 'static', filter, customers: named = [] } = body
  // ASSUMED A174: only static segments are kept: one that the sandbox does not compute would silently match no customer.
  if (type !== 'static')
    throw invalidPayload(`Property .type must be static: the sandbox does not compute ${type} segments`)
  if (filter !== undefined) throw invalidPayload('Property .filter is not allowed in a segment of type static')
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

/** Returns whether a customer is in a segment; false for a customer without an id or an unknown segment. */
export function isInSegment(
  segmentId: string,
  customer: { id?: string | undefined },
  context: Pick<Context, 'in'>,
): boolean {
  if (customer.id === undefined) return false
  return context.in(segments).get(segmentId)?.customers.includes(customer.id) ?? false
}
