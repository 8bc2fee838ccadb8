// What the control server answers, as data: a name, a method and a path, and the form of the body. The server, the commands and
// promo/sandbox all read it. Source: docs/sandbox-for-tests.md#the-control-server.
import { z } from 'zod'
import { durationFrom, durationsFrom } from '../../base/duration.ts'
import { rateForm, rateFrom } from '../../base/rate.ts'
import { dateTime, isInstant } from '../../contract/fields.ts'
import type { LoggedRequest, Time } from '../in-code-types.ts'
import type { Snapshot } from '../storage/snapshot.ts'

/** Every path of the control server begins with it. */
export const controlPrefix = '/__promo/'

const duration = z
  .string()
  .refine((text) => durationFrom(text) !== undefined, { error: 'must be a duration like 90s, 36h or 30d' })

// A share of nothing would never strike.
const percent = z
  .string()
  .regex(/^(?!0+(?:\.0+)?%)(100|[0-9]{1,2}(\.[0-9]{1,3})?)%$/, { error: 'must be a share like 20% or 0.5%' })
const latency = z.string().refine((text) => (durationsFrom(text)?.[1] ?? Infinity) <= 600_000, {
  error: 'must be like 200ms or 200ms..2s, at most 10m',
})
const rateLimit = z.string().refine((text) => rateFrom(text) !== undefined, { error: `must be ${rateForm}` })

const faultRule = z.strictObject({
  /** `POST /v1/redemptions`; `*` and `{name}` stand for one step of a path, `**` for all that follow. */
  call: z.string(),
  status: z.int().min(400).max(599).optional(),
  reset: z.boolean().optional(),
  hang: z.boolean().optional(),
  latency: latency.optional(),
  rate_limit: rateLimit.optional(),
  probability: percent.optional(),
  times: z.int().min(1).max(1_000_000_000).optional(),
  after_commit: z.boolean().optional(),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .optional(),
})

/** A fault as it is asked for: exactly one of `status`, `reset`, `hang`, `latency` and `rate_limit`. */
export type FaultRule = z.infer<typeof faultRule>

/** A fault as it is listed. */
export interface Fault extends FaultRule {
  id: string
  /** What happens to a call, in words. */
  does: string
  /** How often, in words. */
  when: string
  /** How many requests were for its call. */
  matched: number
  /** How many of them it struck. */
  struck: number
  seed: number
  after_commit: boolean
}

/** The query of a listing arrives as text. */
const wholeNumber = z.coerce.number().pipe(z.int().min(0))
const requestFilter = z.strictObject({
  after: wholeNumber.optional(),
  call: z.string().optional(),
  status: z
    .string()
    .regex(/^([1-5]\d\d|[1-5]xx|lost)$/, { error: 'must be a status like 503, 5xx or lost' })
    .optional(),
  since: z
    .string()
    .refine((text) => isInstant(text) || durationFrom(text) !== undefined, {
      error: 'must be like 2026-12-31, 2026-12-31T23:59:00Z or 30m',
    })
    .optional(),
  limit: wholeNumber.optional(),
})

const snapshotName = z.strictObject({ name: z.string() })

/** The calls of the control server. Unknown members of a body are refused. */
export const controlCalls = {
  'clock.show': { method: 'GET', path: 'clock' },
  'clock.set': {
    method: 'PUT',
    path: 'clock',
    body: z.strictObject({ time: dateTime, allow_back: z.boolean().optional() }),
  },
  'clock.advance': { method: 'POST', path: 'clock/advance', body: z.strictObject({ by: duration }) },
  'clock.resume': {
    method: 'POST',
    path: 'clock/resume',
    body: z.strictObject({ real_time: z.boolean().optional(), allow_back: z.boolean().optional() }),
  },
  'faults.list': { method: 'GET', path: 'faults', list: 'faults' },
  'faults.add': { method: 'POST', path: 'faults', body: faultRule },
  'faults.clear': { method: 'DELETE', path: 'faults', body: z.strictObject({ id: z.string().optional() }) },
  'requests.list': { method: 'GET', path: 'requests', query: requestFilter, list: 'requests' },
  'requests.clear': { method: 'DELETE', path: 'requests' },
  'snapshot.list': { method: 'GET', path: 'snapshots', list: 'snapshots' },
  'snapshot.save': { method: 'POST', path: 'snapshots', body: snapshotName },
  'snapshot.load': { method: 'POST', path: 'snapshots/load', body: snapshotName },
  reset: { method: 'POST', path: 'reset' },
} satisfies Record<string, ControlCall>

export interface ControlCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After `controlPrefix`. */
  path: string
  body?: z.ZodType
  /** Takes its members as parameters of the query. */
  query?: z.ZodType
  /** The member of the answer that is a list of objects. */
  list?: string
}

export type ControlName = keyof typeof controlCalls

/** What each call takes. */
export type ControlBodies = {
  [Name in ControlName]: (typeof controlCalls)[Name] extends { body: infer Body extends z.ZodType }
    ? z.infer<Body>
    : (typeof controlCalls)[Name] extends { query: infer Query extends z.ZodType }
      ? z.infer<Query>
      : undefined
}

/** What each call answers. */
export interface ControlAnswers {
  'clock.show': Time
  'clock.set': Time
  'clock.advance': Time
  'clock.resume': Time
  'faults.list': { faults: Fault[] }
  'faults.add': Fault
  'faults.clear': { removed: number }
  /** `last` is the number of the latest request. */
  'requests.list': { requests: LoggedRequest[]; last: number }
  'requests.clear': Record<string, never>
  'snapshot.list': { snapshots: Snapshot[] }
  'snapshot.save': Snapshot
  'snapshot.load': Snapshot
  reset: Record<string, never>
}

/** Makes the calls: in this process, or over the control server. Throws SandboxError. */
export interface Control {
  call: <Name extends ControlName>(name: Name, body: ControlBodies[Name]) => Promise<ControlAnswers[Name]>
}
