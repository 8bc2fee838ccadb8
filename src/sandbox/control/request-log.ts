// What was called, for tests that look and for people who wonder: the last 10,000 requests, without secrets.
import { readJson } from '../../base/nesting.ts'
import { hidden, shownBody, shownTarget } from '../../contract/secret-names.ts'
import type { AppRequest } from '../http/app.ts'
import type { Headers } from '../http/auth.ts'
import { LostAnswer } from '../http/lost-answer.ts'
import type { RequestHandler } from '../http/rate-limits.ts'
import type { LoggedRequest } from '../in-code-types.ts'
import type { CallTest } from './call-pattern.ts'

/** How many requests are kept. */
const kept = 10_000
/** A longer body is cut: 10,000 requests with theirs must fit into memory. */
const bodyCharacters = 4_096

export interface RequestLogParts {
  now: () => string
  /** Milliseconds that never jump. */
  elapsedMs: () => number
  /** Keeps bodies as well. */
  bodies: boolean
  faultOf: (request: AppRequest) => string | undefined
  /** Is told of every request when its answer is known. */
  onRequest?: ((request: LoggedRequest) => void) | undefined
}

/** Which requests to return: those after a number, and of them the latest `limit`. */
export interface RequestFilter {
  after?: number | undefined
  matches?: CallTest | undefined
  /** `503` or `5xx`. */
  status?: string | undefined
  since?: string | undefined
  limit?: number | undefined
}

/** Returns a log, empty at first, and what fills it around a request handler. */
export function requestLogOf({ now, elapsedMs, bodies, faultOf, onRequest }: RequestLogParts) {
  let entries: LoggedRequest[] = []
  let last = 0
  const add = (entry: LoggedRequest) => {
    entries.push(entry)
    // Once in 10,000 requests, instead of a shift at each.
    if (entries.length >= 2 * kept) entries = entries.slice(-kept)
    onRequest?.(entry)
  }
  const around =
    (answer: RequestHandler): RequestHandler =>
    async (request) => {
      const began = elapsedMs()
      const at = now()
      const note = (status: number | null, requestId: string | undefined, body: unknown) => {
        last += 1
        const fault = faultOf(request)
        add({
          n: last,
          at,
          method: request.method,
          path: shownTarget(request.query === '' ? request.path : `${request.path}?${request.query}`),
          status,
          ms: Math.round((elapsedMs() - began) * 10) / 10,
          key: keyOf(request.headers),
          request_id: requestId ?? null,
          fault: fault ?? null,
          ...(bodies && { body: shownText(request.body), answer: shownAnswer(body) }),
        })
      }
      try {
        const reply = await answer(request)
        note(reply.status, reply.headers['x-request-id'], reply.body)
        return reply
      } catch (error) {
        note(null, error instanceof LostAnswer ? error.requestId : undefined, undefined)
        throw error
      }
    }
  const list = ({ after = 0, matches, status, since, limit = 100 }: RequestFilter) => {
    const found = entries
      .slice(-kept)
      .filter(
        (entry) =>
          entry.n > after &&
          (status === undefined || hasStatus(entry, status)) &&
          (since === undefined || entry.at >= since) &&
          (matches === undefined || matches(entry.method, entry.path.split('?', 1)[0] ?? '')),
      )
    return { requests: limit === 0 ? [] : found.slice(-limit), last }
  }
  const clear = () => {
    entries = []
    return {}
  }
  return { around, list, clear }
}

function hasStatus({ status }: LoggedRequest, wanted: string): boolean {
  const text = String(status ?? 'lost')
  return wanted.endsWith('xx') ? text[0] === wanted[0] && status !== null : text === wanted
}

const keyHeaders = [
  ['application', 'x-app-id'],
  ['management', 'x-management-id'],
  ['client', 'x-client-application-id'],
] as const

/** Which key a request carries, and of its id the first four characters, as `--verbose` shows them. */
function keyOf(headers: Headers): string | null {
  const [kind, name = ''] = keyHeaders.find(([, header]) => headers[header] !== undefined) ?? []
  if (kind === undefined) return headers.authorization === undefined ? null : 'bearer'
  return `${kind} ${(headers[name] ?? '').slice(0, 4)}…`
}

function shownAnswer(body: unknown): unknown {
  if (body === undefined) return null
  if (typeof body === 'string') return shownText(body)
  if (typeof body === 'object' && body !== null && ('next' in body || body instanceof Uint8Array)) return '(a stream)'
  return shownText(JSON.stringify(body))
}

/** A body with its secrets hidden: parsed where it is JSON, cut where it is long, hidden where it is anything else. */
function shownText(text: string): unknown {
  if (text === '') return null
  if (text.length > bodyCharacters) return `(${text.length} characters)`
  try {
    return shownBody(readJson(text))
  } catch {
    return text.includes('=') && !/\s/.test(text) ? shownTarget(`?${text}`).slice(1) : hidden
  }
}
