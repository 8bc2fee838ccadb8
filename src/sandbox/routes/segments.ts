// Segments and their membership. Source: docs/service/validation-rules.md#segments; docs/service/customers.md#segments.
import type { z } from 'zod'
import * as contract from '../../contract/segments.ts'
import { segmentAnswer } from '../answers/customers.ts'
import { existingById, routesFor } from '../answers/existing.ts'
import { identityOf, requestOf } from '../http/fixture-object.ts'
import { invalidPayload } from '../http/refusal.ts'
import { type Context, type FixtureContext, type Resource, route, type Tables, wholeList } from '../http/route.ts'
import { isInSegment } from '../resources/customers/segments.ts'
import { knownCustomer } from '../resources/customers/upsert.ts'
import { BadFilter } from '../storage/filters.ts'
import { membersOf, type StoredSegment, segments } from '../stores/customers.ts'

type NewSegment = z.output<typeof contract.newSegment>

/**
 * Builds a new segment; stores nothing.
 *
 * Throws 400 for a filter that is not computed or not allowed, 404 for an unknown customer.
 */
function buildSegment(body: NewSegment, context: Pick<Context, 'id' | 'in' | 'now'>): StoredSegment {
  // ASSUMED A1268: a segment without a type is what its members say: computed with a filter, a list without.
  const { name, type = body.filter === undefined ? 'static' : 'auto-update' } = body
  return {
    id: context.id(segments.prefix),
    name,
    type,
    ...(type === 'static' ? listedIn(body, context) : computedBy(body, type, context)),
    created_at: context.now,
    updated_at: null,
    object: 'segment',
  }
}

function listedIn({ filter, customers: named = [] }: NewSegment, context: Tables) {
  if (filter !== undefined) throw invalidPayload('Property .filter is not allowed in a segment of type static')
  const members = named.map((idOrSourceId) => knownCustomer(idOrSourceId, context).id)
  return { customers: [...new Set(members)], filter: null }
}

// ASSUMED A1053: membership is computed when it is asked for, of passive segments too, so it is never late.
function computedBy({ filter, customers }: NewSegment, type: string, { now }: Pick<Context, 'now'>) {
  if (customers !== undefined) throw invalidPayload(`Property .customers is not allowed in a segment of type ${type}`)
  if (filter === undefined) throw invalidPayload("Payload must have required property 'filter'")
  const { junction: _, ...fields } = filter
  // Without a condition, everybody would be in it.
  if (Object.keys(fields).length === 0) throw invalidPayload('Property .filter must have a condition')
  try {
    membersOf({ filter } as StoredSegment, now)
  } catch (error) {
    throw error instanceof BadFilter ? invalidPayload(error.message.replace('.filters', '.filter')) : error
  }
  return { filter }
}

const routeFor = routesFor('segmentId', (id, context) => existingById(segments, id, context))

/** Segments, by id. */
export const segmentResource: Resource = {
  collections: [segments],
  load: { segments: loadSegment },
  routes: [
    route(contract.listSegments, (_, context) => wholeList(context.in(segments).all().map(segmentAnswer))),
    // ASSUMED A1111: in the form of the list of all segments; only the path is published.
    route(contract.listCustomerSegments, ({ path }, context) => {
      const customer = knownCustomer(path.customerId, context)
      return wholeList(
        context
          .in(segments)
          .all()
          .filter(({ id }) => isInSegment(id, customer, context))
          .map(segmentAnswer),
      )
    }),
    route(contract.createSegment, ({ body }, context) => {
      const segment = buildSegment(body, context)
      context.in(segments).insert(segment)
      return segmentAnswer(segment)
    }),
    routeFor(contract.getSegment, (segment) => segmentAnswer(segment)),
    routeFor(contract.deleteSegment, (segment, context) => context.in(segments).remove(segment.id)),
  ],
}

/** Reads a segment as the service shows it. Its customers must exist. */
function loadSegment(wire: Record<string, unknown>, loading: FixtureContext): StoredSegment {
  return { ...buildSegment(requestOf(contract.newSegment, wire), loading), ...identityOf(segments, wire, loading) }
}
