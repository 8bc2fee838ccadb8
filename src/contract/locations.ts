// Locations: the shops on the ground that rules may name. They are made in the management console only.
// Source: docs/service/projects.md#locations.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { bothWays, byPage, pageListing } from './listing.ts'

/** Lists locations. */
export const listLocations = endpoint('locations.list', {
  ...pageListing,
  call: 'GET /v1/locations',
  query: z.strictObject({ ...byPage, order: bothWays('created_at', 'updated_at', 'name').optional() }),
  source: 'docs/service/projects.md#locations',
  summary: 'List locations',
})

/** Reads one location. */
export const getLocation = endpoint('locations.get', {
  call: 'GET /v1/locations/{locationId}',
  response: z.looseObject({ id: z.string() }),
  source: 'docs/service/projects.md#locations',
  summary: 'Get a location',
})
