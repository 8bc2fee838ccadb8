// The sandbox in memory, with a witness: the effect of each request is read from the service's own records.
import { type AppRequest, createApp } from '../../src/sandbox/http/app.ts'
import { Answer, shownIn } from '../../src/sandbox/http/route.ts'
import { timeOrderedIds } from '../../src/sandbox/id.ts'
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import { eventKind } from '../../src/sandbox/resources/events/receive.ts'
import { credentialsOf } from '../../src/sandbox/resources/projects/credentials.ts'
import { resources } from '../../src/sandbox/resources.ts'
import { loadFixture } from '../../src/sandbox/seed/fixture.ts'
import { openStore } from '../../src/sandbox/storage/store.ts'
import { mainProject, type Project } from '../../src/sandbox/stores/projects.ts'

/** What a request changed. `off already` is a success that found nothing to change. */
export type Effect = 'created' | 'disabled' | 'off already' | 'enabled' | 'recorded' | 'points added'

/** A request, and the operation it is an attempt of. */
export interface Operation {
  key: string
  request: AppRequest
}

export interface Witnessed {
  answer: Answer
  /** Absent if it changed nothing. */
  effect?: Effect
}

export interface WitnessedService {
  credentials: Keys
  /** Applies requests that arrived together, with one commit. */
  perform: (operations: readonly Operation[]) => Witnessed[]
  /** The content of the service, counted in its tables: vouchers, disabled vouchers, events received. */
  holdings: () => { vouchers: number; off: number; events: number }
}

/** The event that the service knows; its metadata `row` names the operation. */
export const knownEvent = 'cupping_attended'

/** How the service keeps `updated_at`. */
export interface Habits {
  /** How far the clock that stamps vouchers is ahead of the one in `Date`. */
  skewMs?: number
  /** Whether its times name no zone. */
  hasNoZone?: boolean
}

export interface Stock {
  habits?: Habits
  /** The number of vouchers at the start, `OLD-1`, `OLD-2` and on; each tenth is disabled. */
  vouchers?: number
  /** The number of loyalty cards at the start, `OLD-CARD-1` and on. */
  cards?: number
  /** Codes of further vouchers, which are gift cards. */
  taken?: readonly string[]
}

/** Starts a service with one event schema and some vouchers. */
export function witnessedService({ vouchers = 0, cards = 0, taken = [], habits = {} }: Stock): WitnessedService {
  const now = () => new Date(Date.now() + (habits.skewMs ?? 0)).toISOString()
  const id = timeOrderedIds(Date.now, Math.random)
  const declared = resources.flatMap((resource) => resource.collections ?? [])
  const store = openStore(':memory:', declared)
  const credentials = store.transaction(() => credentialsOf(store, id, now()))
  const project = mainProject(store) as Project
  const fixture = {
    event_schemas: [{ name: knownEvent }],
    campaigns: [club],
    customers: [member],
    vouchers: [...oldVouchers(vouchers, now()), ...emptyCards(cards), ...takenBy(taken)],
  }
  loadFixture(store, fixture, { resources, project, now: now(), id })
  const failures: unknown[] = []
  const app = createApp({ store, resources, now, id, report: (error) => failures.push(error) })
  const seen = { event: 0, job: 0 }

  // The service records an event, or a job to do, in the transaction of the change, under the id of its request.
  function traces(): Map<string, Effect> {
    const events = store.db.all<{ at: number; request: string; type: string }>(
      'SELECT seq AS at, group_id AS request, type FROM outbox WHERE seq > ? ORDER BY seq',
      seen.event,
    )
    const jobs = store.db.all<{ at: number; request: string }>(
      'SELECT n AS at, request_id AS request FROM jobs WHERE n > ? AND kind = ? ORDER BY n',
      seen.job,
      eventKind,
    )
    seen.event = events.at(-1)?.at ?? seen.event
    seen.job = jobs.at(-1)?.at ?? seen.job
    return new Map<string, Effect>([
      ...events.flatMap(({ request, type }) => {
        const effect = effectOf[type]
        return effect === undefined ? [] : [[request, effect] as const]
      }),
      ...jobs.map(({ request }) => [request, 'recorded'] as const),
    ])
  }

  function asStamped(answer: Answer): Answer {
    const body = shownIn(answer)
    const { updated_at, ...rest } = (body ?? {}) as { updated_at?: unknown }
    if (!habits.hasNoZone || typeof updated_at !== 'string') return new Answer(answer.status, body, answer.headers)
    return new Answer(answer.status, { ...rest, updated_at: updated_at.replace('Z', '') }, answer.headers)
  }

  const count = (sql: string) => store.db.get<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`)?.count ?? 0
  return {
    credentials,
    perform(operations) {
      const answers = app.handleAll(operations.map(({ request }) => request))
      if (failures.length > 0) throw new Error('the service itself failed', { cause: failures[0] })
      const left = traces()
      return answers.map(asStamped).map((answer, index) => {
        const effect = left.get(answer.headers['x-request-id'] ?? '')
        if (effect !== undefined) return { answer, effect }
        const isDisable = operations[index]?.request.path.endsWith('/disable')
        return isDisable && answer.status === 200 ? { answer, effect: 'off already' } : { answer }
      })
    },
    holdings: () => ({
      vouchers: count(`vouchers WHERE doc ->> '$.code' NOT LIKE 'OLD-%'`) - taken.length,
      off: count(`vouchers WHERE doc ->> '$.active' = 0`),
      events: count(`jobs WHERE kind = '${eventKind}'`),
    }),
  }
}

const effectOf: Record<string, Effect> = {
  'voucher.created': 'created',
  'voucher.disabled': 'disabled',
  'voucher.enabled': 'enabled',
  'voucher.loyalty_card.points_added': 'points added',
}

/**
 * The operation a request is an attempt of: its voucher's code, the row of its event, or the reason of its change of points.
 * Undefined for any other request.
 */
export function keyOf({ method, path, body }: AppRequest): string | undefined {
  if (method !== 'POST') return undefined
  if (path === '/v1/events') {
    const { metadata } = JSON.parse(body) as { metadata?: { row?: unknown } }
    return String(metadata?.row)
  }
  if (/^\/v1\/loyalties\/members\/[^/]+\/balance$/.test(path)) return (JSON.parse(body) as { reason?: string }).reason
  const code = /^\/v1\/vouchers\/([^/]+)(?:\/(?:dis|en)able)?$/.exec(path)?.[1]
  return code === undefined ? undefined : decodeURIComponent(code)
}

/** Those that are off were switched off a moment before the job. */
function oldVouchers(total: number, updated_at: string): object[] {
  const discount = { type: 'PERCENT', percent_off: 10 }
  return Array.from({ length: total }, (_, index) => {
    const code = `OLD-${index + 1}`
    const isOff = (index + 1) % 10 === 0
    return { code, type: 'DISCOUNT_VOUCHER', discount, ...(isOff && { active: false, updated_at }) }
  })
}

const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STANDALONE', active: true }

/** Points of a card that nobody holds cannot be changed. */
const member = { id: 'cust_member', source_id: 'member' }

function emptyCards(total: number): object[] {
  return Array.from({ length: total }, (_, index) => {
    const code = `OLD-CARD-${index + 1}`
    return { code, campaign_id: club.id, type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, holder_id: member.id }
  })
}

function takenBy(codes: readonly string[]): object[] {
  return codes.map((code) => ({ code, type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 } }))
}
