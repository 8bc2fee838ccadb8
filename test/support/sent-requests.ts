// Records which calls a run sends to the service, observed in undici so that no code under test is involved.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'

/** A request of a run; the path is without its query string, which begins with `?`. */
export interface SentRequest {
  method: string
  path: string
  query?: string
  body?: string
}

/** The listeners: the run that sends, and its caller. */
const listeners = new AsyncLocalStorage<SentRequest[][]>()

subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { method: string; path: string; body?: unknown } }
  const [path = '', ...query] = request.path.split(/(?=\?)/)
  // Neither webhook deliveries of the embedded service nor files of exports, whose addresses the service chooses.
  if (!/^\/(v1|management|client)\//.test(path)) return
  const body = typeof request.body === 'string' || Buffer.isBuffer(request.body) ? String(request.body) : ''
  for (const sent of listeners.getStore() ?? [])
    sent.push({ method: request.method, path, query: query.join(''), body })
})

/** Runs a function, and returns its result with the calls sent to the service meanwhile. */
export async function hearing<Result>(
  act: () => Promise<Result>,
): Promise<{ result: Result; sent: readonly SentRequest[] }> {
  const sent: SentRequest[] = []
  return { result: await listeners.run([...(listeners.getStore() ?? []), sent], act), sent }
}

type Call = Pick<SentRequest, 'method' | 'path'>

/** Tells whether a request belongs to a declared call, such as `GET /v1/vouchers/{code}`. */
export function isRequestOf(call: Call, { method, path }: Call): boolean {
  const segments = path.split('/')
  const declared = call.path.split('/')
  return (
    call.method === method &&
    declared.length === segments.length &&
    declared.every((segment, at) => segment.startsWith('{') || segment === segments[at])
  )
}
