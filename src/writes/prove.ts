// Proof that a call was applied although its answer was lost: by what its endpoint declares (contract/endpoint.ts).
import type { Client, RequestOf } from '../api/client.ts'
import { CallError } from '../api/outcome/call-error.ts'
import type { LooseRequest } from '../api/request/request.ts'
import type { RowResults } from '../bulk/input/report-columns.ts'
import type { Endpoint, Reading, ValuePath } from '../contract/endpoint.ts'
import { EXIT, PromoError } from '../errors.ts'

/** How a call is recognized in what the service lists. */
export interface AppliedProof {
  /** Reads what is there before the call; what it returns is handed to `find`. */
  before: (client: Client) => Promise<unknown>
  /** Finds what can only have come from the call, unless another call has the same evidence; undefined: there is none. */
  find: (client: Client, before: unknown) => Promise<Found | undefined>
  /** The command that lists what it searches, three times: the next step where it finds nothing. */
  listedBy?: () => string
}

/** What proves a call. */
export interface Found {
  /** In the form of the call's answer. */
  value?: unknown
  /** Ids of what the call made, where they are not in the form of its answer. */
  results?: RowResults
}

/**
 * Returns the caller's own id by which a call is recognized; undefined without one. Of two calls with the same, neither is
 * proved: what one made could be what the other made.
 */
export function evidenceOf({ proof }: Endpoint, request: LooseRequest): string | undefined {
  const id = proof?.by === 'source' ? valueIn(request, proof.id) : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Nothing was listed before; unlike undefined, which is a list that could not be read. */
const nothing = ''

/** Returns how a call is recognized by its own id; undefined without one: then nothing is read. */
export function proofBySource(endpoint: Endpoint, request: LooseRequest): AppliedProof | undefined {
  const evidence = evidenceOf(endpoint, request)
  const { proof } = endpoint
  if (evidence === undefined || proof?.by !== 'source') return undefined
  const { read, since, size, made } = proof
  const { call, request: asked } = readingOf(read, request)
  const rows = (client: Client, query: object, limit?: number) => {
    const whole = { ...asked, query: { ...(asked.query as object | undefined), ...query } } as RequestOf<Endpoint>
    return client.items(call, whole, limit === undefined ? {} : { limit, pageSize: limit })
  }
  if (since === 'none') {
    const find = async (client: Client): Promise<Found | undefined> => {
      for await (const value of rows(client, {}, 1)) return { value }
      return undefined
    }
    // One that was there before proves nothing.
    return { before: async (client) => ((await find(client)) ? undefined : 'none'), find }
  }
  const newestFirst = { order: '-id' }
  const isOfSize = (row: unknown) => {
    const listed = size?.listed.map((path) => valueIn(row, path)).find((value) => value != null)
    return size === undefined || listed === Number(valueIn(request, size.asked)) * (size.times ?? 1)
  }
  return {
    async before(client) {
      for await (const row of rows(client, newestFirst, 1)) return valueIn(row, 'id')
      return nothing
    },
    async find(client, before) {
      const found: unknown[] = []
      for await (const row of rows(client, newestFirst)) {
        const id = valueIn(row, 'id')
        if (id === before) break
        if (valueIn(row, 'source_id') === evidence && isOfSize(row)) found.push(id)
      }
      const [id] = found
      if (found.length !== 1) return undefined
      return typeof id === 'string' && made !== undefined ? { results: { [made]: id } } : {}
    },
  }
}

/** Returns the call and the request of a reading about a request. */
export function readingOf({ call, path = {}, query }: Reading, about: LooseRequest) {
  const endpoint = call()
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return [name, String(valueIn(about, path[name] ?? `path.${name}`))] as const
  })
  const asked = Object.entries(query ?? {}).map(([name, value]) => {
    return [name, typeof value === 'string' ? valueIn(about, value) : value.is] as const
  })
  const request: LooseRequest = {
    ...(ids.length > 0 && { path: Object.fromEntries(ids) }),
    ...(query && { query: Object.fromEntries(asked) }),
  }
  return { call: endpoint, request }
}

/** Returns the value at a path; undefined where there is none. */
export function valueIn(value: unknown, path: ValuePath): unknown {
  let place = value
  for (const name of path.split('.')) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined
    place = (place as Record<string, unknown>)[name]
  }
  return place
}

/**
 * Finds what proves that a failed call was applied. Undefined proves nothing: the outcome stays unknown.
 *
 * Only a lost answer is looked into; a search that fails, or could not begin, proves nothing.
 */
export async function proofAfter(
  error: unknown,
  proof: AppliedProof | undefined,
  client: Client,
  before: unknown,
): Promise<Found | undefined> {
  if (proof === undefined || before === undefined) return undefined
  if (!(error instanceof CallError) || error.phase !== 'ambiguous' || isStop(error)) return undefined
  try {
    return await proof.find(client, before)
  } catch {
    return undefined
  }
}

/**
 * The error of a lost call whose effect no listing shows. That proves nothing: it may still be applied later.
 *
 * Anything but an unknown outcome (a stop, a redirect) keeps its own message.
 */
export function notListed(error: unknown, listedBy: string): unknown {
  if (!(error instanceof CallError) || error.exitCode !== EXIT.unknown) return error
  const message = `${error.message}; three listings did not find it`
  return new PromoError(error.kind, message, { ...error.facts, hint: listedBy }, error.exitCode)
}

/** Returns what could be read before a call, for its proof. What cannot be read proves nothing; a stop ends the wait. */
export function unlessStopped(error: unknown): undefined {
  if (isStop(error)) throw error
}

/** Says whether a call ended because promo was told to stop. */
export function isStop(error: unknown): boolean {
  return error instanceof CallError && error.kind === 'stopped'
}
