// Whether a customer is in a segment. Source: docs/service/validation-rules.md#segments.

import { customerAnswer, segmentAnswer } from '../../answers/customers.ts'
import type { Context } from '../../http/route.ts'
import { is, isIn } from '../../storage/conditions.ts'
import { meets } from '../../storage/filters.ts'
import { customers, membersOf, type StoredCustomer, type StoredSegment, segments } from '../../stores/customers.ts'
import { earningRules } from '../../stores/loyalty.ts'

/**
 * Returns whether a customer is in a segment, with the attributes as given: those of the request over the stored ones.
 *
 * False for an unknown segment. A static segment lists stored customers only.
 */
export function isInSegment(
  segmentId: string,
  customer: Readonly<Record<string, unknown>> & { id?: string | undefined },
  context: Pick<Context, 'in' | 'now' | 'store'>,
): boolean {
  const segment = context.in(segments).get(segmentId)
  if (!segment) return false
  if (segment.filter) return meets(context.store, customers, customer, membersOf(segment, context.now))
  return customer.id !== undefined && (segment.customers?.includes(customer.id) ?? false)
}

// Customers who enter or leave a computed segment when they are created or changed.
// Source: docs/service/customers.md#entering-a-segment.

/** The event of a customer who came into a segment. */
export const segmentEntered = 'customer.segment.entered'

/** The job that adds points for it has the name of the event. */
export interface EnteredSegment {
  event_id: string
  segment_id: string
  customer_id: string
}

/**
 * Announces the segments that a change of a customer led into or out of; `before` is undefined for a new customer.
 *
 * Earning rules that name an entered segment add their points after the answer.
 */
// ASSUMED A1820: only a change of the customer leads into a segment: neither a new segment nor the passing of time does.
export function announceSegments(before: StoredCustomer | undefined, after: StoredCustomer, context: Context): void {
  for (const segment of watchedSegments(context)) {
    const members = membersOf(segment, context.now)
    const holds = (customer: StoredCustomer) => meets(context.store, customers, customer, members)
    const isMember = holds(after)
    if (isMember === (before !== undefined && holds(before))) continue
    context.emit(isMember ? segmentEntered : 'customer.segment.left', after.id, {
      customer: customerAnswer(after, context),
      segment: segmentAnswer(segment),
    })
    if (!isMember || context.in(earningRules).count([is(earningRules, 'event', segmentEntered)]) === 0) continue
    const entered: EnteredSegment = { event_id: context.id('ev_'), segment_id: segment.id, customer_id: after.id }
    context.later(segmentEntered, entered)
  }
}

/** The active segments, and passive ones that an earning rule makes active by naming them. */
function watchedSegments(context: Context): StoredSegment[] {
  const computed = context.in(segments).all([isIn(segments, 'type', ['auto-update', 'passive'])])
  if (!computed.some(({ type }) => type === 'passive')) return computed
  const named = new Set(
    context
      .in(earningRules)
      .all([is(earningRules, 'event', segmentEntered)])
      .map(({ segment }) => segment?.id),
  )
  return computed.filter(({ id, type }) => type === 'auto-update' || named.has(id))
}
