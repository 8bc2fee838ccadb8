// Hears which calls of the service a run makes, from undici itself, so that no code under test takes part in it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'

/** A request of a run; the path is without its query string. */
export interface SentRequest {
  method: string
  path: string
}

/** Those who listen: the run that sends, and whoever started it. */
const listeners = new AsyncLocalStorage<SentRequest[][]>()

subscribe('undici:request:create', (message) => {
  const { request } = message as { request: SentRequest }
  const [path = ''] = request.path.split('?')
  // Not a webhook that the embedded service delivers, nor the file of an export, whose address the service chooses.
  if (!/^\/(v1|management|client)\//.test(path)) return
  for (const sent of listeners.getStore() ?? []) sent.push({ method: request.method, path })
})

/** Does something, and returns its result with the calls of the service that were made meanwhile. */
export async function hearing<Result>(
  act: () => Promise<Result>,
): Promise<{ result: Result; sent: readonly SentRequest[] }> {
  const sent: SentRequest[] = []
  return { result: await listeners.run([...(listeners.getStore() ?? []), sent], act), sent }
}

/** Says whether a request is one of a declared call, such as `GET /v1/vouchers/{code}`. */
export function isRequestOf(call: SentRequest, { method, path }: SentRequest): boolean {
  const segments = path.split('/')
  const declared = call.path.split('/')
  return (
    call.method === method &&
    declared.length === segments.length &&
    declared.every((segment, at) => segment.startsWith('{') || segment === segments[at])
  )
}
