// What a resource adds to the sandbox: collections, routes, jobs, and how its fixtures are read.

import type { Job } from '../jobs/job.ts'
import type { Declaration, Stored } from '../storage/collection.ts'
import type { BearerCheck } from './auth.ts'
import type { FixtureContext, Route } from './route.ts'

/** One line of resources.ts. */
export interface Resource {
  /**
   * Converts objects of a fixture to documents, by collection name; without an entry, objects are stored as they are.
   * Throws a Refusal that states what is wrong with an object.
   */
  load?: Readonly<Record<string, (wire: Record<string, unknown>, loading: FixtureContext) => Stored>>
  collections?: readonly Declaration[]
  routes?: readonly Route[]
  /** How bearer tokens are checked; at most one resource defines it. */
  bearer?: BearerCheck
  /** Work done after an answer, by kind such as `campaign.generate` (jobs/job.ts). */
  jobs?: Readonly<Record<string, Job>>
}

/** Returns every job that resources declare, by kind. */
export function declaredJobs(resources: readonly Resource[]): Readonly<Record<string, Job>> {
  return Object.assign({}, ...resources.map((resource) => resource.jobs ?? {}))
}
