// Custom events. Source: docs/service/events.md#send; docs/service/projects.md#custom-event-schemas.
import type { z } from 'zod'
import * as contract from '../../contract/event-schemas.ts'
import { sendEvent } from '../../contract/events.ts'
import { findOr404, routesFor } from '../answers/existing.ts'
import { identityOf, requestOf } from '../http/fixture-object.ts'
import { duplicate } from '../http/refusal.ts'
import { type Resource, route, wholeList } from '../http/route.ts'
import { eventJob, eventKind, receiveEvent } from '../resources/events/receive.ts'
import { checkDefinitions } from '../resources/metadata/check.ts'
import { storeUpdate } from '../resources/update.ts'
import { eventSchemas, type StoredEventSchema } from '../stores/schemas.ts'

const routeFor = routesFor('customEventSchemaId', (id, context) => findOr404(eventSchemas, id, context))

/** Custom events with their effects, and their schemas, by id or name. */
export const eventResource: Resource = {
  collections: [eventSchemas],
  jobs: { [eventKind]: eventJob },
  load: {
    event_schemas: (wire, loading) => ({
      ...schemaOf(requestOf(contract.newEventSchema, wire)),
      ...identityOf(eventSchemas, wire, loading),
    }),
  },
  routes: [
    route(sendEvent, ({ body }, context) => receiveEvent(body, context)),
    route(contract.listEventSchemas, (_, context) => wholeList(context.in(eventSchemas).all())),
    routeFor(contract.getEventSchema, (schema) => schema),
    route(contract.createEventSchema, ({ body }, context) => {
      if (context.in(eventSchemas).holdsKey(body.name)) throw duplicate('custom_event_schema', body.name, 'name')
      const identity = { id: context.id(eventSchemas.prefix), created_at: context.now, updated_at: null }
      return context.in(eventSchemas).insert({ ...identity, ...schemaOf(body) })
    }),
    routeFor(contract.updateEventSchema, (before, context, { body }) => {
      // A type may change here, unlike that of a metadata schema.
      const properties = { ...before.schema.properties, ...body.schema?.properties }
      const after = { ...before, ...schemaOf({ name: before.name, schema: { properties } }) }
      return storeUpdate(eventSchemas, before, after, context).doc
    }),
    routeFor(contract.deleteEventSchema, (schema, context) => context.in(eventSchemas).remove(schema.id)),
  ],
}

function schemaOf(
  body: z.output<typeof contract.newEventSchema>,
): Omit<StoredEventSchema, 'id' | 'created_at' | 'updated_at'> {
  const properties = body.schema?.properties ?? {}
  checkDefinitions(properties, '.schema.properties')
  return { name: body.name, schema: { properties }, object: 'custom-event-schema' }
}
