// The custom events a project knows, and their metadata.
// Source: docs/service/projects.md#custom-event-schemas.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'
import { listing } from './listing.ts'

const properties = z.record(z.string(), z.looseObject({ type: z.string() }))

/** An event to define; its name is what `events.send` sends. */
export const newEventSchema = z.strictObject({
  name: z.string().min(1),
  schema: z.strictObject({ properties: properties.optional() }).optional(),
})

/** A defined event as the service returns it. */
export const eventSchema = z.looseObject({ id: z.string(), name: z.string().optional() })

/** Lists the custom events of a project; there are no pages. */
export const listEventSchemas = endpoint({
  id: 'event-schemas.list',
  ...listing,
  path: '/management/v1/projects/{projectId}/custom-event-schemas',
  credential: 'management',
  source: 'docs/service/projects.md#custom-event-schemas',
  summary: 'List custom event schemas',
})

/** Reads the definition of one event. */
export const getEventSchema = endpoint({
  id: 'event-schemas.get',
  method: 'GET',
  path: '/management/v1/projects/{projectId}/custom-event-schemas/{customEventSchemaId}',
  credential: 'management',
  response: eventSchema,
  repeat: 'read',
  source: 'docs/service/projects.md#custom-event-schemas',
  summary: 'Get a custom event schema',
})

/** Defines an event. Refused when the name is taken. */
export const createEventSchema = endpoint({
  id: 'event-schemas.create',
  method: 'POST',
  path: '/management/v1/projects/{projectId}/custom-event-schemas',
  credential: 'management',
  body: newEventSchema,
  response: eventSchema,
  repeat: 'key',
  source: 'docs/service/projects.md#custom-event-schemas',
  summary: 'Create a custom event schema',
})

/** Changes the metadata of an event. */
export const updateEventSchema = endpoint({
  id: 'event-schemas.update',
  method: 'PUT',
  path: '/management/v1/projects/{projectId}/custom-event-schemas/{customEventSchemaId}',
  credential: 'management',
  body: newEventSchema.partial(),
  response: eventSchema,
  repeat: 'idempotent',
  source: 'docs/service/projects.md#custom-event-schemas',
  summary: 'Update a custom event schema',
})

/** Removes the definition of an event. */
export const deleteEventSchema = endpoint({
  id: 'event-schemas.delete',
  method: 'DELETE',
  path: '/management/v1/projects/{projectId}/custom-event-schemas/{customEventSchemaId}',
  credential: 'management',
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/projects.md#custom-event-schemas',
  summary: 'Delete a custom event schema',
})
