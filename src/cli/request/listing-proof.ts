// Proof that an object was created although the answer was lost: it is in the list, and was not before.
// Source: docs/reliability.md#create-from-a-list.
import type { Client, RequestOf } from '../../api/client.ts'
import { sleep } from '../../api/connection.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { differences } from '../../model/differences.ts'
import type { Host } from '../run/host.ts'
import type { AppliedProof } from './proof.ts'

/** How long each look at a list waits after a lost answer, in milliseconds. */
const looksMs = [0, 3_000, 7_000]

/** Looks for something until it is there, three times within ten seconds. A look that fails found nothing. */
export async function lookedFor<Sought>(
  look: () => Promise<Sought | undefined>,
  { stop, sleep: wait = sleep }: Pick<Host, 'stop' | 'sleep'>,
): Promise<Sought | undefined> {
  for (const ms of looksMs) {
    const found = await wait(ms, stop)
      .then(look)
      .catch(() => undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** What is created, and the list that it will be in. */
export interface Sought {
  list: Endpoint
  /** The request of the list. */
  request: () => LooseRequest
  /** The members that were asked for. */
  wanted: () => object
  /** What a row of the list has of the object; absent: the row is the object. */
  inRow?: ((row: object) => object) | undefined
  /** The answer of the call about an object; absent: the object. */
  answerOf?: ((object: object) => unknown) | undefined
  listedBy: () => string
  /** There is only one of what was asked for: it need not be known what was there before. */
  isUnique: boolean
  host: Pick<Host, 'stop' | 'sleep'>
}

/** As many of the newest as are read of a list that can begin with them. */
const newest = 100

/**
 * Returns how an object is recognized that a call created: it is the only one that was not listed before and has every member
 * that was asked for. Members that the list does not show prove nothing.
 */
export function listingProof({ list, request, wanted, listedBy, isUnique, host, ...forms }: Sought): AppliedProof {
  const { inRow = (row) => row, answerOf = (object) => object } = forms
  const order = '-created_at'
  const isPaged = list.paging.style === 'page'
  const isNewestFirst = isPaged && list.query?.safeParse({ order }).success === true
  const rows = (client: Client) => {
    const asked = request()
    const query = isNewestFirst ? { query: { ...(asked.query as object | undefined), order } } : {}
    const options = isNewestFirst ? { limit: newest } : {}
    return client.items(list, { ...asked, ...query } as RequestOf<Endpoint>, options)
  }
  const idOf = (row: object) => (inRow(row) as { id?: unknown }).id
  return {
    evidence: '',
    listedBy,
    async before(client) {
      const known = new Set<unknown>()
      if (!isUnique) for await (const row of rows(client)) known.add(idOf(row))
      return known
    },
    find: async (client, before) =>
      await lookedFor(async () => {
        const found: object[] = []
        for await (const row of rows(client)) {
          const isKnown = (before as ReadonlySet<unknown>).has(idOf(row))
          // Whatever follows is older, and may have been listed before behind the newest hundred.
          if (isKnown && isNewestFirst) break
          if (!isKnown && isAsAsked(inRow(row), wanted())) found.push(inRow(row))
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
