// The service as a function: a plain request in, a plain answer out. Sockets are handled in serve.ts.
import type { z } from 'zod'
import { memoizeFor } from '../../base/memoized.ts'
import { hasMoreItems, readJson } from '../../base/nesting.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { IdSource } from '../id.ts'
import { HalfWritten } from '../storage/database.ts'
import { BadFilter } from '../storage/filters.ts'
import type { Store } from '../storage/store.ts'
import { mainProject, type Project } from '../stores/projects.ts'
import { type BearerCheck, type Caller, callerOf, type Headers } from './auth.ts'
import { formParts, mediaTypes } from './bodies.ts'
import { checkBody, checkQuery, mustBeCounted, type Nulls, tooDeep } from './check-input.ts'
import { type ContextParts, contextOf } from './context.ts'
import { openApiRoute } from './openapi-route.ts'
import { parseQuery } from './query.ts'
import { frameworkRefusal, invalidPayload, invalidQuery, Refusal } from './refusal.ts'
import { type Answer, declaredJobs, type Input, type Resource, routesOf } from './route.ts'
import { type Match, type Router, routerOf } from './router.ts'

export interface AppRequest {
  method: string
  /** Still percent-encoded, without the query. */
  path: string
  /** Still encoded, without `?`. */
  query: string
  /** Keyed by lower-case name. */
  headers: Headers
  /** As received; empty when there is none. */
  body: string
  /** The body was discarded, because the request was not admitted. */
  isUnread?: boolean
  /** The client's address; absent for a call within the process. */
  address?: string
}

export interface AppParts {
  store: Store
  resources: readonly Resource[]
  /** ISO 8601 UTC with milliseconds. */
  now: () => string
  id: IdSource
  /** Called with what no answer may show: failures of the sandbox itself, and the id of the request. */
  report: (error: unknown, requestId: string) => void
  /** Divides the delays of jobs; 1 by default. */
  timeScale?: number
  /** Called when a request queues a job; its commit ends before the event loop turns. */
  wake?: () => void
}

export interface App {
  /** Answers one request. Never throws. */
  handle: (request: AppRequest) => Answer
  /**
   * Answers requests that arrived together, with one commit for all of them; a failed request is undone alone.
   * Returns the answers in the order of the requests, after the commit. Never throws.
   */
  handleAll: (requests: readonly AppRequest[]) => Answer[]
  /** Returns whether a request would come as far as its body: its path is known, and its credentials are those of a caller. */
  isAdmitted: (request: Omit<AppRequest, 'body'>) => boolean
  /** Names an answer that is given without the app. */
  requestId: () => string
}

/** The largest accepted body, in bytes. Source: docs/service/limits.md#volume-limits. */
export const bodyLimitBytes = 10_485_760
/** Members and items of a body: each is checked. */
const mostItems = 500_000

const routerFor = memoizeFor((resources: readonly Resource[]) => {
  const routes = routesOf(resources)
  return routerOf([...routes, openApiRoute(routes)])
})

/** Builds the service on a store. Holds no state of its own. */
export function createApp(parts: AppParts): App {
  const { store, id, report } = parts
  const router = routerFor(parts.resources)
  const bearer = parts.resources.find((resource) => resource.bearer)?.bearer
  const kinds = new Set(Object.keys(declaredJobs(parts.resources)))
  const performing = { ...parts, bearer, kinds, timeScale: parts.timeScale ?? 1 }

  const handle = (routed: Routed, writing: (act: () => Answer) => Answer): Answer => {
    const requestId = id('v-')
    let answer: Answer
    try {
      const within = onlyReads(routed) ? store.reading : writing
      answer = within(() => perform(routed, performing, requestId))
    } catch (error) {
      if (error instanceof HalfWritten) throw error
      answer = refusalAnswer(error, requestId, report)
    }
    // ASSUMED A121: every answer names its request in the header `X-Request-Id`; only the body's request_id is published.
    answer.headers['x-request-id'] = requestId
    return answer
  }

  /** The commit failed (disk full, another process held the file too long): nothing of the requests can be relied on. */
  const failAll = (requests: readonly AppRequest[], error: unknown): Answer[] =>
    requests.map(() => {
      const requestId = id('v-')
      const answer = refusalAnswer(error, requestId, report)
      answer.headers['x-request-id'] = requestId
      return answer
    })

  const handleAll = (requests: readonly AppRequest[]): Answer[] => {
    const routed = requests.map((request) => ({ request, match: matchRoute(router, request) }))
    const [first, second] = routed
    if (first !== undefined && second === undefined) return [handle(first, store.transaction)]
    try {
      if (routed.every(onlyReads)) return store.reading(() => routed.map((one) => handle(one, store.transaction)))
      return store.piecewise((undoable) => routed.map((one) => handle(one, undoable)))
    } catch (error) {
      return failAll(requests, error)
    }
  }

  const isAdmitted: App['isAdmitted'] = (request) => {
    try {
      store.reading(() => authenticate(request, matchRoute(router, request), performing))
      return true
    } catch {
      return false
    }
  }

  return { handleAll, isAdmitted, requestId: () => id('v-'), handle: (request) => handleAll([request])[0] as Answer }
}

type Performing = ContextParts & { now: () => string; bearer: BearerCheck | undefined }

/** A request with its route, which is looked for once; or with why there is none. */
interface Routed {
  request: AppRequest
  match: Match | Refusal
}

function matchRoute(router: Router, { method, path }: Pick<AppRequest, 'method' | 'path'>): Match | Refusal {
  try {
    return router(method, path)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function onlyReads({ request, match }: Routed): boolean {
  return request.method === 'GET' && (match instanceof Refusal || match.route.isWritingGet !== true)
}

/** Finds the caller of a request, without its body. Throws what its path or its credentials are refused with. */
function authenticate(request: Omit<AppRequest, 'body'>, match: Match | Refusal, parts: Performing) {
  // ASSUMED A124: the path is checked before the credentials, so 404 and 405 need none.
  if (match instanceof Refusal) throw match
  const { endpoint } = match.route
  const now = parts.now()
  const caller: Caller = match.route.isOpen
    ? { project: mainProject(parts.store) as Project, channel: 'API' }
    : callerOf(endpoint, match.path, request.headers, parts.store, parts.bearer, now)
  return { match, caller, now }
}

function perform({ request, match: found }: Routed, parts: Performing, requestId: string): Answer {
  const { match, caller, now } = authenticate(request, found, parts)
  const input = inputOf(request, match)
  const context = contextOf(parts, { now, requestId, headers: request.headers, caller })
  const answer = match.route.answer(input, context)
  if (match.route.endpoint.method !== 'GET') mustBeCounted(answer.body)
  return answer
}

function inputOf(request: AppRequest, match: Match): Input {
  const { endpoint, accepts = endpoint.body, nulls = endpoint.method === 'PUT' ? 'cleared' : 'absent' } = match.route
  const isList = endpoint.method === 'GET' && endpoint.hasFixedQuery !== true
  const query = endpoint.query ? checkQuery(endpoint.query, parseQuery(request.query), { isList }) : {}
  const body = accepts ? bodyOf(request, endpoint.encoding, accepts, nulls) : undefined
  return { path: match.path, query, body }
}

function bodyOf(request: AppRequest, encoding: Endpoint['encoding'], schema: z.ZodType, nulls: Nulls): unknown {
  const given = parsedBody(request, encoding)
  // Published clients send a bare number where a body may be missing (docs/service/addresses.md#null-in-requests).
  const isNone = given == null || (typeof given !== 'object' && schema.safeParse(undefined).success)
  return checkBody(schema, isNone ? noneOf(schema) : given, nulls)
}

// ASSUMED A105: a call without a body is checked like one with an empty object, so the first required name is reported;
// only where a list is expected and may be missing, there is none.
function noneOf(schema: z.ZodType): unknown {
  return schema.safeParse({}).success || !schema.safeParse(undefined).success ? {} : undefined
}

/** Returns undefined for a call without a body. */
function parsedBody(request: AppRequest, encoding: Endpoint['encoding']): unknown {
  if (Buffer.byteLength(request.body) > bodyLimitBytes) throw tooLarge()
  // Its credentials became valid only after they were looked at.
  if (request.isUnread) throw overloaded()
  // ASSUMED A1264: a body without a type is JSON, and so is one whose type ends in `+json`.
  const contentType = request.headers['content-type'] || mediaTypes.json
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const given = /^application\/.+\+json$/.test(type) ? mediaTypes.json : type
  const wanted = mediaTypes[encoding]
  if (request.body === '') return undefined
  // ASSUMED A106: 415 has the framework's body; only its status is published.
  if (given !== wanted) throw frameworkRefusal(415, 'Unsupported Media Type', `Content-Type must be ${wanted}`)
  // ASSUMED A1504: another charset than UTF-8 is refused; its bytes would be read as other letters.
  if (/;\s*charset\s*=(?!\s*"?(utf-?8|us-ascii)\b)/i.test(contentType))
    throw frameworkRefusal(415, 'Unsupported Media Type', 'The charset of Content-Type must be utf-8')
  if (encoding === 'form') return Object.fromEntries(new URLSearchParams(request.body))
  if (encoding === 'multipart') {
    const parts = formParts(request.body, contentType)
    if (!parts)
      throw invalidPayload('Payload must be multipart/form-data with complete parts, each with a name of its own')
    return parts
  }
  // ASSUMED A102: what a body costs is bounded; no limit is published.
  if (hasMoreItems(request.body, mostItems))
    throw invalidPayload(`Payload must NOT have more than ${mostItems} members and items`)
  try {
    return readJson(request.body)
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep()
    throw frameworkRefusal(400, 'Bad Request', 'Invalid request payload JSON format')
  }
}

/** 413, in the framework's shape. */
export function tooLarge(): Refusal {
  return frameworkRefusal(
    413,
    'Request Entity Too Large',
    `Payload content length greater than maximum allowed: ${bodyLimitBytes}`,
  )
}

/** 503, in the framework's shape: nothing was done. */
export function overloaded(): Refusal {
  return frameworkRefusal(503, 'Service Unavailable', 'Too many large requests at once; send this one again')
}

function refusalAnswer(error: unknown, requestId: string, report: AppParts['report']): Answer {
  const refusal = error instanceof BadFilter ? invalidQuery(error.message) : error
  if (refusal instanceof Refusal) {
    const { status, body, headers } = refusal
    // The published 401 is the one main body without a request id; the header has it.
    const isPlain = !('code' in body) || status === 401
    return { status, headers: { ...headers }, body: isPlain ? body : { ...body, request_id: requestId } }
  }
  report(error, requestId)
  // ASSUMED A122: the key of a 500; only its status is published.
  const body = { code: 500, key: 'internal_error', message: 'Internal server error', request_id: requestId }
  return { status: 500, headers: {}, body }
}
