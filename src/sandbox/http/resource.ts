// What a resource adds to the sandbox: collections, routes, jobs, and how fixtures are read.

import type { Job } from '../jobs/job.ts'
import type { Declaration, Stored } from '../storage/collection.ts'
import type { BearerCheck } from './auth.ts'
import type { Context, Route } from './route.ts'

/** What reading a fixture may use. */
export type FixtureContext = Pick<Context, 'now' | 'id' | 'in'>

/** One line of resources.ts. */
export interface Resource {
  /**
   * How objects of a fixture become documents, by collection name; a collection without one takes objects as they are.
   * Throws a Refusal that says what is wrong with an object.
   */
  load?: Readonly<Record<string, (wire: Record<string, unknown>, loading: FixtureContext) => Stored>>
  collections?: readonly Declaration[]
  routes?: readonly Route[]
  /** How bearer tokens are checked; one resource at most says so. */
  bearer?: BearerCheck
  /** What is done after an answer, by kind such as `campaign.generate` (jobs/job.ts). */
  jobs?: Readonly<Record<string, Job>>
}

/** Every job that resources declare, by kind. */
export function declaredJobs(resources: readonly Resource[]): Readonly<Record<string, Job>> {
  return Object.assign({}, ...resources.map((resource) => resource.jobs ?? {}))
}
