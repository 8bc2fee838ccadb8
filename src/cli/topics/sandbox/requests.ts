// Following the log of requests of a running sandbox.
import { setTimeout as pause } from 'node:timers/promises'
import type { Parts } from '../../../output/form/line.ts'
import type { SandboxControl } from '../../session/sandbox.ts'

/** Between two looks. */
const lookMs = 250
const mostAtOnce = 10_000

/** A request of the log. */
export type Logged = Awaited<ReturnType<typeof listRequests>>['requests'][number]

/** Yields the requests that arrive from now on, until `end`. Throws what the calls throw. */
export async function* requestsAfter(
  control: SandboxControl,
  filter: { call?: string | undefined; status?: string | undefined },
  end: AbortSignal,
): AsyncGenerator<Logged> {
  let { last: after } = await listRequests(control, { ...filter, limit: 0 })
  while (!end.aborted) {
    const { requests, last } = await listRequests(control, { ...filter, after, limit: mostAtOnce })
    yield* requests
    after = last
    await pause(lookMs, undefined, { signal: end }).catch(() => {})
  }
}

function listRequests(control: SandboxControl, filter: Parameters<typeof control.call<'requests.list'>>[1]) {
  return control.call('requests.list', filter)
}

/** Says a request on one line. */
export function requestLine({ at, method, path, status, ms, key, request_id, fault }: Logged): Parts {
  return [at, method, path, status ?? 'lost', `${ms} ms`, key, request_id, fault]
}
