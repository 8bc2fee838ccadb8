// Proof that an object was created although the answer was lost: it is in the list, and was not before.
// Source: docs/reliability.md#create-from-a-list.
import type { Client, RequestOf } from '../api/client.ts'
import { sleep } from '../api/connection.ts'
import type { LooseRequest } from '../api/request/request.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { EXIT, PromoError } from '../errors.ts'
import { differences, type Forms } from '../model/differences.ts'
import type { Doubtful } from './judge.ts'
import type { Evidence } from './prove.ts'
import { readingOf } from './reading.ts'

/** How a look waits, and what ends the wait. */
export interface Waits {
  stop: AbortSignal
  sleep?: (ms: number, stop: AbortSignal) => Promise<unknown>
}

/** How long each look at a list waits after a lost answer, in milliseconds. */
const looksMs = [0, 3_000, 7_000]

/** Looks for something until it is there, three times within ten seconds. A look that fails found nothing. */
export async function poll<Sought>(
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
  /** How they are compared. */
  forms?: Forms
  /** The command that lists them. */
  listedBy: () => string
}

/** As many of the newest as are read of a list that can begin with them. */
const newest = 100

/**
 * Returns how an object is recognized that a call created: it is the only one that was not listed before and has every member
 * that was asked for. Members that the list does not show prove nothing.
 */
export function evidenceInList(
  endpoint: Endpoint,
  request: LooseRequest,
  { asked = onlyElement(request.body), forms = {}, listedBy }: Listed,
  host: Waits,
): Evidence | undefined {
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
  async function onlyNew(client: Client, known: ReadonlySet<unknown>): Promise<object | undefined> {
    const found: object[] = []
    for await (const row of rows(client)) {
      const isKnown = known.has(idOf(row))
      // Whatever follows is older, and may have been listed before behind the newest hundred.
      if (isKnown && isNewestFirst) break
      if (!isKnown && isAsAsked(row, asked, forms)) found.push(row)
    }
    return found.length === 1 ? found[0] : undefined
  }
  return {
    async before(client) {
      const known = new Set<unknown>()
      // There is only one of a unique name: what was there before need not be known.
      if (endpoint.repeat !== 'key') for await (const row of rows(client)) known.add(idOf(row))
      return known
    },
    async look(client, doubtful, before) {
      if (before === undefined || doubtful.how === 'earlier') return { is: 'unasked' }
      const made = await poll(() => onlyNew(client, before as ReadonlySet<unknown>), host)
      if (made !== undefined) return { is: 'as-asked', value: answerOf(made) }
      const why = 'three listings did not find it'
      return { is: 'several', why, error: errorAfter(doubtful, endpoint, { why, hint: listedBy() }) }
    },
  }
}

/** Only a call whose outcome is unknown has the listing as its next step; a stop, or a redirect, keeps its own message. */
function errorAfter(
  doubtful: Doubtful,
  { summary }: Endpoint,
  { why, hint }: { why: string; hint: string },
): PromoError {
  if (doubtful.how === 'taken') {
    const action = summary.charAt(0).toLowerCase() + summary.slice(1)
    const message = `it is unknown whether "${action}" was applied: an answer was lost, then its name was taken, and three listings did not find what was asked for`
    return new PromoError('unknown_outcome', message, { hint })
  }
  const { kind, message, facts, exitCode } = doubtful.error
  if (exitCode !== EXIT.unknown) return doubtful.error
  return new PromoError(kind, `${message}; ${why}`, { ...facts, hint }, exitCode)
}

/** Whether an object has the members that were asked for: each that it shows, and one text at least. */
function isAsAsked(there: object, wanted: object, forms: Forms): boolean {
  const has = (members: object) => differences(members, there, { ...forms, isListed: true }).length === 0
  const texts = Object.entries(wanted).filter(
    ([name, value]) => typeof value === 'string' && Object.hasOwn(there, name),
  )
  return has(wanted) && texts.some(([name, value]) => has({ [name]: value }))
}

function onlyElement(body: unknown): object {
  return (Array.isArray(body) ? body[0] : body) as object
}
