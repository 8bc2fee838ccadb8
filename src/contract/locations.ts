// Locations: the shops on the ground that rules may name. They are made in the management console only.
// Source: docs/service/projects.md#locations.
import { z } from 'zod'
import { callsAbout, pagesBy } from './calls-about.ts'

const calls = callsAbout('locations', '/v1/locations/{locationId}', {
  response: z.looseObject({ id: z.string() }),
  source: 'docs/service/projects.md#locations',
})

export const listLocations = calls.list(pagesBy('created_at', 'updated_at', 'name'), 'List locations')
export const getLocation = calls.get('Get a location')
