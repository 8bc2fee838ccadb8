// The segment calls. Source: docs/service/customers.md#segments.
import * as contract from '../../../contract/segments.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route, wholeList } from '../../http/route.ts'
import { existingById, routesAbout } from '../existing.ts'
import { segmentAnswer } from './answer.ts'
import { loadSegment } from './load.ts'
import { buildSegment, isInSegment } from './segment.ts'
import { segments } from './store.ts'
import { knownCustomer } from './upsert.ts'

const about = routesAbout('segmentId', (id, context) => existingById(segments, id, context))

/** Segments, by id. */
export const segmentResource: Resource = {
  collections: [segments],
  load: { segments: loadSegment },
  routes: [
    route(contract.listSegments, (_, context) => ok(wholeList(context.in(segments).all().map(segmentAnswer)))),
    // ASSUMED A1111: in the form of the list of all segments; only the path is published.
    route(contract.listCustomerSegments, ({ path }, context) => {
      const customer = knownCustomer(path.customerId, context)
      return ok(
        wholeList(
          context
            .in(segments)
            .all()
            .filter(({ id }) => isInSegment(id, customer, context))
            .map(segmentAnswer),
        ),
      )
    }),
    route(contract.createSegment, ({ body }, context) => {
      const segment = buildSegment(body, context)
      context.in(segments).insert(segment)
      return ok(segmentAnswer(segment))
    }),
    about(contract.getSegment, (segment) => ok(segmentAnswer(segment))),
    about(contract.deleteSegment, (segment, context) => context.in(segments).remove(segment.id)),
  ],
}
