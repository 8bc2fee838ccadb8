// Builds the context of a handler, in the same way for a request and for a job that a request queued.
import { channel } from 'node:diagnostics_channel'
import { shownSpelling } from '../../contract/webhook-events.ts'
import type { IdSource } from '../id.ts'
import type { Store } from '../storage/store.ts'
import { ignoresCodeCase } from '../stores/projects.ts'
import type { Caller, Headers } from './auth.ts'
import { deliveryKind, fanOut } from './envelope.ts'
import type { Context } from './route.ts'

export interface ContextParts {
  store: Store
  id: IdSource
  /** Divides every delay of a job: 60 turns minutes into seconds. */
  timeScale: number
  /** Kinds of jobs that have a handler. */
  kinds: ReadonlySet<string>
  /** Called when a job is queued, in the transaction of the request. */
  wake?: () => void
}

/** The facts of one request or one job. */
export interface ContextSource {
  /** ISO 8601 UTC with milliseconds. */
  now: string
  requestId: string
  headers: Headers
  caller: Caller
}

/** Tells whoever listens in this process what is recorded, as node:http does with requests. */
const recording = channel('promo.sandbox.event')

/** Builds the context of a handler. Reads and writes nothing. */
export function contextOf(parts: ContextParts, source: ContextSource): Context {
  const { store, id } = parts
  const { now, requestId, caller } = source
  const { project, channel } = caller
  // Once a request: settings are put together from defaults, and a row asks for many collections.
  const ignoresCase = ignoresCodeCase(project)
  const queue = (kind: string, payload: unknown, dueMs: number) => {
    if (!parts.kinds.has(kind)) throw new Error(`no resource declares the job ${kind}`)
    store.jobs.add({ project_id: project.id, kind, payload, request_id: requestId, channel }, dueMs)
    parts.wake?.()
  }
  const context: Context = {
    ...source,
    id,
    project,
    store,
    in: (declared) => store.in(declared, project.id, ignoresCase),
    emit: (name, entityId, data, text) => {
      const type = shownSpelling(name)
      const event = {
        project_id: project.id,
        id: id(eventPrefix(type)),
        type,
        created_at: now,
        entity_id: entityId,
        group_id: requestId,
        source: { channel, api_key: { name: 'Sandbox', app_id: project.app_id } },
        data,
      }
      store.outbox.record(event, text)
      if (recording.hasSubscribers) recording.publish(event)
      if (parts.kinds.has(deliveryKind)) fanOut(event, context)
    },
    later: (kind, payload, delayMs = 0) =>
      queue(kind, payload, Date.parse(now) + Math.round(delayMs / parts.timeScale)),
    at: (kind, payload, instant) => queue(kind, payload, Math.max(Date.parse(now), Date.parse(instant))),
  }
  return context
}

/** Returns `evvou_` for `voucher.created`, like the service's own event ids. */
function eventPrefix(type: string): string {
  return `ev${type.replaceAll(/[^a-z]/g, '').slice(0, 3)}_`
}
