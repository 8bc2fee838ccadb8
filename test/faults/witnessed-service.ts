// The sandbox in memory, with a witness: the effect of each request is read from the service's own records.
import { type AppRequest, createApp } from '../../src/sandbox/http/app.ts'
import type { Answer } from '../../src/sandbox/http/route.ts'
import { timeOrderedIds } from '../../src/sandbox/id.ts'
import { eventKind } from '../../src/sandbox/resources/events/effects.ts'
import { credentialsOf, type SandboxCredentials } from '../../src/sandbox/resources/projects/credentials.ts'
import { mainProject, type Project } from '../../src/sandbox/resources/projects/store.ts'
import { resources } from '../../src/sandbox/resources.ts'
import { loadFixture } from '../../src/sandbox/seed/fixture.ts'
import { openStore } from '../../src/sandbox/storage/store.ts'

/** What a request changed. `off already` is a success that found nothing to change. */
export type Effect = 'created' | 'disabled' | 'off already' | 'recorded'

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
  credentials: SandboxCredentials
  /** Applies requests that arrived together, with one commit. */
  perform: (operations: readonly Operation[]) => Witnessed[]
  /** The content of the service, counted in its tables: vouchers, disabled vouchers, events received. */
  holdings: () => { vouchers: number; off: number; events: number }
}

/** The event that the service knows; its metadata `row` names the operation. */
export const knownEvent = 'cupping_attended'

export interface Stock {
  /** The number of vouchers at the start, `OLD-1`, `OLD-2` and on; each tenth is disabled. */
  vouchers?: number
  /** Codes of further vouchers, which are gift cards. */
  taken?: readonly string[]
}

/** Starts a service with one event schema and some vouchers. */
export function witnessedService({ vouchers = 0, taken = [] }: Stock): WitnessedService {
  const now = () => new Date().toISOString()
  const id = timeOrderedIds(Date.now, Math.random)
  const declared = resources.flatMap((resource) => resource.collections ?? [])
  const store = openStore(':memory:', declared)
  const credentials = store.transaction(() => credentialsOf(store, id, now()))
  const project = mainProject(store) as Project
  const fixture = { event_schemas: [{ name: knownEvent }], vouchers: [...oldVouchers(vouchers), ...takenBy(taken)] }
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
    const changes = events.filter(({ type }) => type === 'voucher.created' || type === 'voucher.disabled')
    return new Map<string, Effect>([
      ...changes.map(({ request, type }) => [request, type === 'voucher.created' ? 'created' : 'disabled'] as const),
      ...jobs.map(({ request }) => [request, 'recorded'] as const),
    ])
  }

  const count = (sql: string) => store.db.get<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`)?.count ?? 0
  return {
    credentials,
    perform(operations) {
      const answers = app.handleAll(operations.map(({ request }) => request))
      if (failures.length > 0) throw new Error('the service itself failed', { cause: failures[0] })
      const left = traces()
      return answers.map((answer, index) => {
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

/** The operation a request is an attempt of: its voucher's code, or its event's row. Undefined for any other request. */
export function keyOf({ method, path, body }: AppRequest): string | undefined {
  if (method !== 'POST') return undefined
  if (path === '/v1/events') {
    const { metadata } = JSON.parse(body) as { metadata?: { row?: unknown } }
    return String(metadata?.row)
  }
  const code = /^\/v1\/vouchers\/([^/]+)(?:\/disable)?$/.exec(path)?.[1]
  return code === undefined ? undefined : decodeURIComponent(code)
}

function oldVouchers(total: number): object[] {
  const discount = { type: 'PERCENT', percent_off: 10 }
  return Array.from({ length: total }, (_, index) => {
    return { code: `OLD-${index + 1}`, type: 'DISCOUNT_VOUCHER', discount, active: (index + 1) % 10 !== 0 }
  })
}

function takenBy(codes: readonly string[]): object[] {
  return codes.map((code) => ({ code, type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 } }))
}
