// The custom events a project knows, and their metadata.
// Source: docs/service/projects.md#custom-event-schemas.
import { z } from 'zod'
import { callsAbout, listing } from './calls-about.ts'

const properties = z.record(z.string(), z.looseObject({ type: z.string() }))

/** An event to define; its name is what `events.send` sends. */
export const newEventSchema = z.strictObject({
  name: z.string().min(1),
  schema: z.strictObject({ properties: properties.optional() }).optional(),
})

/** A defined event as the service returns it. */
export const eventSchema = z.looseObject({ id: z.string(), name: z.string().optional() })

const calls = callsAbout(
  'event-schemas',
  '/management/v1/projects/{projectId}/custom-event-schemas/{customEventSchemaId}',
  {
    credential: 'management',
    response: eventSchema,
    source: 'docs/service/projects.md#custom-event-schemas',
  },
)

/** Lists the custom events of a project; there are no pages. */
export const listEventSchemas = calls.list(listing, 'List custom event schemas')

export const getEventSchema = calls.get('Get a custom event schema')

/** Defines an event. Refused when the name is taken. */
export const createEventSchema = calls.create(
  newEventSchema,
  { repeat: 'key', proof: { by: 'list', read: { call: () => listEventSchemas } } },
  'Create a custom event schema',
)

/** Changes the definitions that are named; one with `deleted: true` is no longer followed. An event keeps its name. */
export const updateEventSchema = calls.update(newEventSchema.omit({ name: true }), 'Update a custom event schema')

export const deleteEventSchema = calls.delete('Delete a custom event schema')
