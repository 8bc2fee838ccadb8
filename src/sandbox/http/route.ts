// What a resource adds to the sandbox: collections it keeps, and one answer for each of its endpoints.
import type { z } from 'zod'
import type { Endpoint, PathParameters } from '../../contract/endpoint.ts'
import type { IdSource } from '../id.ts'
import type { Project } from '../resources/projects/store.ts'
import type { Collection, Stored } from '../storage/collection.ts'
import type { Store } from '../storage/store.ts'
import type { Table } from '../storage/table.ts'
import type { Caller, Headers } from './auth.ts'

/**
 * An answer before it is written to a socket: an object is sent as JSON, text and bytes as they are, undefined as no body.
 * A generator of texts is sent piece by piece, each asked for when the client has taken the one before; an asynchronous
 * one, of texts or bytes, too. It runs after the request's transaction.
 */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** What a handler may use besides its input. One per request. */
export interface Context {
  /** The instant of the request: ISO 8601 UTC with milliseconds. */
  now: string
  id: IdSource
  requestId: string
  headers: Headers
  caller: Caller
  project: Project
  store: Store
  /** A collection of the caller's project. */
  in: <Doc extends Stored>(declared: Collection<Doc>) => Table<Doc>
  /** Records an event of the caller's project in the transaction of the request. `data` is kept as it is now. */
  emit: (type: string, entityId: string, data: Record<string, unknown>) => void
  /**
   * Asks for a job of some kind, in the transaction of the request; it is run after the commit, `delayMs` later (divided
   * by the time scale). The payload must survive JSON. Throws for a kind that no resource declares.
   */
  later: (kind: string, payload: unknown, delayMs?: number) => void
}

export interface Route {
  endpoint: Endpoint
  /** Asks for no credentials and acts on the main project: for addresses that carry a secret of their own. */
  isOpen?: true
  /**
   * Answers a request whose path, query and body passed the contract. Runs in a transaction of its own when the method
   * is not GET: what it throws undoes what it wrote, so a failure that must be remembered is returned instead.
   */
  answer(input: Input, context: Context): Answer
}

/** A request's parts before a route gives them their types. */
export interface Input {
  path: Readonly<Record<string, string>>
  query: unknown
  body: unknown
}

/** The parts of a request of an endpoint, checked. What the endpoint does not declare is absent. */
export interface InputOf<Path extends string, Query extends z.ZodType, Body extends z.ZodType> {
  path: PathParameters<Path>
  query: z.output<Query>
  body: z.output<Body>
}

/** Gives an endpoint its answer. */
export function route<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType>(
  endpoint: Endpoint<Path, Query, Body, Reply>,
  answer: (input: InputOf<Path, Query, Body>, context: Context) => Answer,
): Route {
  // The app checks path, query and body against this very endpoint before it calls the answer.
  return { endpoint, answer: (input, context) => answer(input as InputOf<Path, Query, Body>, context) }
}

/** 200 with a JSON body: the success of every call that has one. Source: docs/service/addresses.md#quick-map. */
export function ok(body: unknown): Answer {
  return { status: 200, headers: {}, body }
}

/** 204 without a body. */
export function noContent(): Answer {
  return { status: 204, headers: {}, body: undefined }
}

/** 202 with a JSON body: the work goes on in the background. Source: docs/service/async-actions.md#triggers. */
export function accepted(body: unknown): Answer {
  return { status: 202, headers: {}, body }
}
