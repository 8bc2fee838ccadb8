// Points for customers who come into a segment. Source: docs/service/loyalty.md#when-points-are-earned.
import { job } from '../../jobs/job.ts'
import { type EnteredSegment, segmentEntered } from '../customers/segment-entry.ts'
import { customers, segments } from '../customers/store.ts'
import { earnPoints } from './earn.ts'

/** Adds the points, unless the customer or the segment is gone meanwhile. */
export const enteredSegmentJob = job(({ event_id, segment_id, customer_id }: EnteredSegment, context) => {
  const customer = context.in(customers).get(customer_id)
  const segment = context.in(segments).get(segment_id)
  if (!customer || !segment) return undefined
  const told = { id: event_id, type: segmentEntered }
  const details = { event: told, segment: { id: segment.id, name: segment.name } }
  earnPoints({ event: segmentEntered, segmentId: segment.id, customer, details, cause: { event: told } }, context)
  return undefined
})
