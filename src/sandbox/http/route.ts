// What a resource declares: routes, each with its answer function, and jobs; with the context that they may use.
import type { z } from 'zod'
import { memoizeFor } from '../../base/memoized.ts'
import type { Endpoint, PathParameters } from '../../contract/endpoint.ts'
import { emptyAnswer } from '../../contract/fields.ts'
import type { IdSource } from '../id.ts'
import type { DeliveryPolicy } from '../resources/webhooks/target.ts'
import type { Collection, Declaration, Stored } from '../storage/collection.ts'
import type { Condition } from '../storage/conditions.ts'
import { type Restrictions, restrictionsOf } from '../storage/filters.ts'
import type { Store } from '../storage/store.ts'
import type { Table } from '../storage/table.ts'
import type { Project } from '../stores/projects.ts'
import type { BearerCheck, Caller, Headers } from './auth.ts'
import type { Nulls } from './check-input.ts'

/**
 * An answer before it is written to a socket: objects are sent as JSON, text and bytes as they are, undefined as no body.
 * A generator of texts is streamed: each piece is requested when the client has taken the previous one; so is an
 * asynchronous one, of texts or bytes. It runs after the request's transaction.
 */
export class Answer {
  status: number
  headers: Record<string, string>
  body: unknown

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** Returns the object that a JSON answer shows to who calls in the same process: some handlers return the text of it. */
export function shownIn({ body }: Answer): unknown {
  return typeof body === 'string' ? JSON.parse(body) : body
}

/** What a handler may use besides its input; one per request. */
export interface Context {
  /** The instant of the request: ISO 8601 UTC with milliseconds. */
  now: string
  id: IdSource
  requestId: string
  headers: Headers
  caller: Caller
  project: Project
  store: Store
  /** Returns a collection of the caller's project. */
  in: <Doc extends Stored>(declared: Collection<Doc>) => Table<Doc>
  /** Records an event of the caller's project in the transaction of the request, with a snapshot of `data`, which `text` is as JSON. */
  emit: (type: string, entityId: string, data: Record<string, unknown>, text?: string) => void
  /**
   * Queues a job in the transaction of the request; it runs after the commit, `delayMs` later (divided by the time
   * scale). The payload must be serializable as JSON. Throws for a kind that no resource declares.
   */
  later: (kind: string, payload: unknown, delayMs?: number) => void
  /**
   * Queues a job that is due at an instant of the service's clock: the end of a day, the expiry of something. It runs as soon as
   * the clock has reached the instant, and where the clock is advanced, exactly then.
   */
  at: (kind: string, payload: unknown, instant: string) => void
}

/** The part of a context that reads and writes collections. */
export type Tables = Pick<Context, 'in'>

/** The part of a context available while a fixture is read. */
export type FixtureContext = Pick<Context, 'now' | 'id' | 'in' | 'at' | 'project'>

export interface Route {
  endpoint: Endpoint
  /** Needs no credentials and acts on the main project: for addresses that carry a secret of their own. */
  isOpen?: true
  /** Writes although it is a GET, as a validation that opens a session does. */
  isWritingGet?: true
  /** What is checked instead of the endpoint's body, where the handler refuses the rest with keys of its own. */
  accepts?: z.ZodType
  /** What null stands for in the body, where the method does not say it: `cleared` for PUT, `absent` for the others. */
  nulls?: Nulls
  /**
   * Answers a request whose path, query and body match the contract. Runs in a transaction of its own unless it only
   * reads: an exception undoes its writes, so a failure that must be stored is returned instead.
   */
  answer(input: Input, context: Context): Answer
}

/** A request's parts before a route types them. */
export interface Input {
  path: Readonly<Record<string, string>>
  query: unknown
  body: unknown
}

/** The checked parts of a request of an endpoint. Parts that the endpoint does not declare are absent. */
export interface InputOf<Path extends string, Query extends z.ZodType, Body extends z.ZodType> {
  path: PathParameters<Path>
  query: z.output<Query>
  body: z.output<Body>
}

/** The checked body of a call. */
export type BodyOf<Call extends { body?: z.ZodType | undefined }> = z.output<NonNullable<Call['body']>>

/** The checked query of a call. */
export type QueryOf<Call extends { query?: z.ZodType | undefined }> = z.output<NonNullable<Call['query']>>

/**
 * What an answer function returns: the body of a 200, or an answer whose status or headers are others. A call with an empty answer
 * gets a 204, whatever it returns. Source: docs/service/addresses.md#quick-map.
 */
export type Answered<Reply> = Reply extends typeof emptyAnswer ? unknown : object | string

/** Returns the route of an endpoint and its answer function. */
export function route<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType>(
  endpoint: Endpoint<Path, Query, Body, Reply>,
  answer: (input: InputOf<Path, Query, Body>, context: Context) => Answered<Reply>,
): Route {
  return {
    endpoint,
    answer: (input, context) => {
      // The app checks path, query and body against this endpoint before it calls the answer function.
      const answered = answer(input as InputOf<Path, Query, Body>, context)
      if (answered instanceof Answer) return answered
      return (endpoint.response as z.ZodType) === emptyAnswer ? noContent() : ok(answered)
    },
  }
}

/** Returns a 200 with a JSON body. */
export function ok(body: unknown): Answer {
  return new Answer(200, body)
}

/** Returns a 204 without a body. */
export function noContent(): Answer {
  return new Answer(204, undefined)
}

/** Which page of a list is requested: of ten, the first, newest first unless it says otherwise. */
interface PageQuery extends Restrictions {
  order?: string | undefined
  limit?: number | undefined
  page?: number | undefined
}

/** The same of a list that continues after an id. */
export interface CursorQuery extends Restrictions {
  order?: 'id' | '-id' | undefined
  limit?: number | undefined
  starting_after_id?: string | undefined
}

/** What is listed beside what the query says: `show` converts all objects of the page at once, and `ref` names them. */
interface Listed<Doc, Shown> {
  where?: readonly Condition[]
  ref?: string
  show?: (docs: Doc[], context: Shown) => readonly unknown[]
}

/** Answers a page of a collection. Throws BadFilter. Source: docs/service/lists.md#page-numbers. */
export function pageAnswer<Doc extends Stored, Shown extends Pick<Context, 'in' | 'now'>>(
  declared: Collection<Doc>,
  query: PageQuery,
  context: Shown,
  { where = [], ref = 'data', show = (docs) => docs }: Listed<Doc, Shown> = {},
) {
  const { order = '-created_at', limit = 10, page = 1 } = query
  const wanted = [...where, ...restrictionsOf(declared, query, context.now)]
  const { items, total } = context.in(declared).page(wanted, order, limit, page)
  return { object: 'list', data_ref: ref, [ref]: show(items, context), total }
}

/** Answers what follows an id in a collection. Throws BadFilter. Source: docs/service/lists.md#cursors-by-id. */
export function cursorAnswer<Doc extends Stored, Shown extends Pick<Context, 'in' | 'now'>>(
  declared: Collection<Doc>,
  query: CursorQuery,
  context: Shown,
  {
    where = [],
    ref = 'data',
    show = (docs) => docs,
    isCounted = true,
  }: Listed<Doc, Shown> & { isCounted?: boolean } = {},
) {
  const { order = '-id', limit = 10, starting_after_id } = query
  const wanted = [...where, ...restrictionsOf(declared, query, context.now)]
  const table = context.in(declared)
  const { items, ...more } = table.cursor(wanted, order, limit, starting_after_id)
  const total = isCounted ? { total: table.count(wanted) } : {}
  return { object: 'list', data_ref: ref, [ref]: show(items, context), ...total, ...more }
}

/** A list that is always shown in full. */
export function wholeList(data: readonly unknown[], ref = 'data') {
  return { object: 'list', data_ref: ref, [ref]: data, total: data.length }
}

/** Returns the JSON of a list whose `data` is JSON already: an array that nothing has to read, check or write again. */
export function listAnswer(list: Readonly<Record<string, unknown>>, data: string): string {
  return JSON.stringify({ ...list, data: [] }).replace('"data":[]', () => `"data":${data}`)
}

/** Returns the JSON of an object, given as JSON, that has more members. */
export function withMembers(object: string, more: Readonly<Record<string, unknown>>): string {
  const members = JSON.stringify(more)
  return members === '{}' ? object : `${object.slice(0, -1)},${members.slice(1)}`
}

/**
 * What a handler returns: undefined when the job is done. Otherwise it requests another run after `again` milliseconds (0 for
 * the next turn), which the time scale divides, or at an instant of the service's clock; with a new payload if given.
 */
export type JobOutcome = (({ again: number } | { at: string }) & { payload?: unknown }) | undefined

/** What a job may use: the context of the request that queued it, at the instant of the run and without its headers. */
export interface JobContext extends Context {
  /** 1 for the first run, more after failures; starts again at 1 after `again` and `at`. */
  attempt: number
  /** Divides the delays of jobs. */
  timeScale: number
  /** Which targets network calls may reach. */
  reach: DeliveryPolicy
}

/** Work on the store only. One call is one transaction, so long work is split into slices (about 500 rows each). */
export interface LocalJob {
  where: 'here'
  run: (payload: unknown, context: JobContext) => JobOutcome
  failed: (payload: unknown, context: JobContext) => void
}

/** Work that waits for the network: `act` runs outside any transaction, `settle` stores its result in one. */
export interface RemoteJob {
  where: 'outside'
  act: (payload: unknown, context: ReadingContext, signal: AbortSignal) => Promise<unknown>
  settle: (result: unknown, payload: unknown, context: JobContext) => JobOutcome
  failed: (payload: unknown, context: JobContext) => void
}

export type Job = LocalJob | RemoteJob

/** The part of a context that may be used outside a transaction: reading. */
export type ReadingContext = Pick<JobContext, 'now' | 'project' | 'in' | 'store' | 'attempt' | 'timeScale' | 'reach'>

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

/** Returns every collection that resources declare, in their order. */
export const collectionsOf = memoizeFor((resources: readonly Resource[]) =>
  resources.flatMap(({ collections = [] }) => collections),
)

/** Returns every route that resources declare, in their order. */
export const routesOf = memoizeFor((resources: readonly Resource[]) => resources.flatMap(({ routes = [] }) => routes))

/** Returns every job that resources declare, by kind. */
export function declaredJobs(resources: readonly Resource[]): Readonly<Record<string, Job>> {
  return Object.assign({}, ...resources.map((resource) => resource.jobs ?? {}))
}
