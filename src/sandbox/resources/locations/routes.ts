// The calls of locations. No published call makes one, so there never is any. Source: docs/service/projects.md#locations.
import * as contract from '../../../contract/locations.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route, wholeList } from '../../http/route.ts'

/** Locations: an empty list. */
export const locationResource: Resource = {
  collections: [],
  routes: [
    route(contract.listLocations, () => ok(wholeList([], 'locations'))),
    route(contract.getLocation, ({ path }) => {
      throw notFound('location', path.locationId)
    }),
  ],
}
