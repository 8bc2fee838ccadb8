// Whether a customer is in a segment. Source: docs/service/validation-rules.md#segments.
import type { Context } from '../../http/route.ts'
import { meets } from '../../storage/filters.ts'
import { customers, membersOf, segments } from '../../stores/customers.ts'

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
