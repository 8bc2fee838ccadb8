// Sends a write once, and says how it ended. No end is an exception, but for that of the record which every write needs.
import type { CallOptions, Client, RequestOf } from '../api/client.ts'
import { CallError } from '../api/outcome/call-error.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { EXIT } from '../errors.ts'
import type { Sent } from './judge.ts'

/** Sends a call. Throws what `onTurn` throws, and `usage` for a request that the contract refuses. */
export async function send<E extends Endpoint>(
  client: Client,
  endpoint: E,
  request: RequestOf<E>,
  options: CallOptions,
): Promise<Sent> {
  try {
    const exchange = await client.exchange(endpoint, request, options)
    return exchange.outcome === 'inferred' ? { how: 'taken', ...exchange } : { how: 'confirmed', ...exchange }
  } catch (error) {
    if (error instanceof CallError) return { how: endOf(error), error }
    throw error
  }
}

/** What the end of a call without its answer means; `refused` after a lost attempt leaves a doubt (judge.ts). */
function endOf({ kind, phase, status, exitCode, endsRun }: CallError) {
  if (kind === 'stopped') return 'stopped'
  const isRefusal = status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429
  if (phase === 'ambiguous') return isRefusal && !endsRun ? 'refused' : 'lost'
  // An error that ends the run says nothing about the write: it is accepted once the profile is corrected.
  return phase === 'not_sent' || exitCode === EXIT.unavailable || endsRun ? 'held' : 'refused'
}
