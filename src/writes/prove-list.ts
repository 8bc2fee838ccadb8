// Proof that an object was created although the answer was lost: it is in the list, and was not before.
// Source: docs/reliability.md#create-from-a-list.
import type { Client, RequestOf } from '../api/client.ts'
import { sleep } from '../api/connection.ts'
import type { LooseRequest } from '../api/request/request.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { differences } from '../model/differences.ts'
import { type AppliedProof, readingOf } from './prove.ts'

/** How a look waits, and what ends the wait. */
export interface Waits {
  stop: AbortSignal
  sleep?: (ms: number, stop: AbortSignal) => Promise<unknown>
}

/** How long each look at a list waits after a lost answer, in milliseconds. */
const looksMs = [0, 3_000, 7_000]

/** Looks for something until it is there, three times within ten seconds. A look that fails found nothing. */
export async function lookedFor<Sought>(
  look: () => Promise<Sought | undefined>,
  { stop, sleep: wait = sleep }: Waits,
): Promise<Sought | undefined> {
  for (const ms of looksMs) {
    const found = await wait(ms, stop)
      .then(look)
      .catch(() => undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** What only the command knows of what it creates. */
export interface Listed {
  /** The members that the list shows; absent: those of the body, or of its only element. */
  asked?: object
  /** The command that lists them. */
  listedBy: () => string
}

/** As many of the newest as are read of a list that can begin with them. */
const newest = 100

/**
 * Returns how an object is recognized that a call created: it is the only one that was not listed before and has every member
 * that was asked for. Members that the list does not show prove nothing.
 */
export function proofByList(
  endpoint: Endpoint,
  request: LooseRequest,
  { asked = onlyElement(request.body), listedBy }: Listed,
  host: Waits,
): AppliedProof | undefined {
  const { proof } = endpoint
  if (proof?.by !== 'list') return undefined
  const { call: list, request: listing } = readingOf(proof.read, request)
  const order = '-created_at'
  const isNewestFirst = list.paging.style === 'page' && list.query?.safeParse({ order }).success === true
  const query = isNewestFirst ? { query: { order } } : {}
  const rows = (client: Client) =>
    client.items(list, { ...listing, ...query } as RequestOf<Endpoint>, isNewestFirst ? { limit: newest } : {})
  const answerOf = (object: object) => {
    if (proof.as !== undefined) return { object: `${proof.as}_setup`, [proof.as]: object }
    return Array.isArray(request.body) ? [object] : object
  }
  const idOf = (row: object) => (row as { id?: unknown }).id
  return {
    listedBy,
    async before(client) {
      const known = new Set<unknown>()
      // There is only one of a unique name: what was there before need not be known.
      if (endpoint.repeat !== 'key') for await (const row of rows(client)) known.add(idOf(row))
      return known
    },
    find: async (client, before) =>
      await lookedFor(async () => {
        const found: object[] = []
        for await (const row of rows(client)) {
          const isKnown = (before as ReadonlySet<unknown>).has(idOf(row))
          // Whatever follows is older, and may have been listed before behind the newest hundred.
          if (isKnown && isNewestFirst) break
          if (!isKnown && isAsAsked(row, asked)) found.push(row)
        }
        const [value] = found
        return value !== undefined && found.length === 1 ? { value: answerOf(value) } : undefined
      }, host),
  }
}

/** Whether an object has the members that were asked for: each that it shows, and one text at least. */
function isAsAsked(there: object, wanted: object): boolean {
  const texts = Object.entries(wanted).filter(([, value]) => typeof value === 'string')
  return (
    texts.some(([name, value]) => (there as Record<string, unknown>)[name] === value) &&
    differences(wanted, there, { isListed: true }).length === 0
  )
}

function onlyElement(body: unknown): object {
  return (Array.isArray(body) ? body[0] : body) as object
}
