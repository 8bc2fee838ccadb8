// Proof that a call was applied although its answer was lost: by what its endpoint declares (contract/endpoint.ts).
import type { Client, RequestOf } from '../api/client.ts'
import { CallError, ofMissing } from '../api/outcome/call-error.ts'
import type { LooseRequest } from '../api/request/request.ts'
import type { Endpoint, Proof } from '../contract/endpoint.ts'
import type { Doubtful, Seen } from './judge.ts'
import { look } from './look.ts'
import { readingOf, valueIn } from './reading.ts'

/** How a call whose answer leaves a doubt is recognized. */
export interface Evidence {
  /** Reads what is there before the call; what cannot be read is undefined, and proves nothing. */
  before?: (client: Client) => Promise<unknown>
  /** Looks for what the call made; `before` is what was read. Throws nothing but a stop. */
  look: (client: Client, doubtful: Doubtful | { how: 'earlier' }, before: unknown) => Promise<Seen>
}

/**
 * Returns the caller's own id by which a call is recognized; undefined without one. Of two calls with the same, neither is
 * proved: what one made could be what the other made.
 */
export function evidenceOf({ proof }: Endpoint, request: LooseRequest): string | undefined {
  const id = proof?.by === 'source' ? valueIn(request, proof.id) : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

/**
 * Returns how a call is recognized by what its endpoint declares; undefined: it is not. Of an id that several rows have it may be
 * another one that it would be found by. A list needs to be told more (prove-list.ts).
 */
export function evidenceFor(
  endpoint: Endpoint,
  request: LooseRequest,
  isShared: (evidence: string) => boolean = () => false,
): Evidence | undefined {
  const { proof } = endpoint
  if (proof?.by === 'object') {
    return afterRefusal(async (client) => {
      const { seenObject } = await import('./prove-object.ts')
      return await seenObject(client, proof, request)
    })
  }
  const id = evidenceOf(endpoint, request)
  return proof?.by !== 'source' || id === undefined || isShared(id) ? undefined : bySource(proof, id, request)
}

/** Returns evidence that is read after a refusal alone: a lost call may still arrive. */
export function afterRefusal(seen: (client: Client) => Promise<Seen>): Evidence {
  return {
    async look(client, { how }) {
      if (how === 'lost' || how === 'earlier') return unasked
      // What is missing was not made, unless its key is taken all the same.
      const found = await look(async () => await seen(client).catch(how === 'refused' ? ofMissing : rethrow))
      if (found.is !== 'found') return found.is === 'unread' ? found : { is: 'absent', why: 'it is not there' }
      return found.value
    },
  }
}

/** Nothing was listed before; unlike undefined, which is a list that could not be read. */
const nothing = ''

/** Of two calls with the same id, neither is proved: what one made could be what the other made. */
function bySource(
  { read, since, size, made }: Extract<Proof, { by: 'source' }>,
  evidence: string,
  request: LooseRequest,
): Evidence {
  const { call, request: asked } = readingOf(read, request)
  const rows = (client: Client, query: object, limit?: number) => {
    const whole = { ...asked, query: { ...(asked.query as object | undefined), ...query } } as RequestOf<Endpoint>
    return client.items(call, whole, limit === undefined ? {} : { limit, pageSize: limit })
  }
  const newestFirst = { order: '-id' }
  const isOfSize = (row: unknown) => {
    const listed = size?.listed.map((path) => valueIn(row, path)).find((value) => value != null)
    return size === undefined || listed === Number(valueIn(request, size.asked)) * (size.times ?? 1)
  }
  async function findApplied(client: Client, before: unknown): Promise<Seen> {
    if (since === 'none') {
      for await (const value of rows(client, {}, 1)) return { is: 'as-asked', value }
      return unasked
    }
    const ids: unknown[] = []
    for await (const row of rows(client, newestFirst)) {
      const id = valueIn(row, 'id')
      if (id === before) break
      if (valueIn(row, 'source_id') === evidence && isOfSize(row)) ids.push(id)
    }
    const [id] = ids
    if (ids.length !== 1) return unasked
    return { is: 'as-asked', ...(typeof id === 'string' && made !== undefined && { results: { [made]: id } }) }
  }
  return {
    async before(client) {
      // One that was there before proves nothing.
      if (since === 'none') return (await findApplied(client, nothing)).is === 'unasked' ? nothing : undefined
      for await (const row of rows(client, newestFirst, 1)) return valueIn(row, 'id')
      return nothing
    },
    async look(client, { how }, before) {
      if (how === 'taken' || before === undefined) return unasked
      return await findApplied(client, before).catch(() => unasked)
    },
  }
}

/** Returns what could be read before a call, for its proof. What cannot be read proves nothing; a stop ends the wait. */
export function unlessStopped(error: unknown): undefined {
  if (isStop(error)) throw error
}

/** Says whether a call ended because promo was told to stop. */
export function isStop(error: unknown): error is CallError {
  return error instanceof CallError && error.kind === 'stopped'
}

function rethrow(error: unknown): never {
  throw error
}

const unasked = { is: 'unasked' } as const
