// What the control door answers, as data: a name, a method and a path, and the form of the body. The door, the commands and
// promo/sandbox all read it. Source: docs/sandbox-for-tests.md#the-control-door.
import { z } from 'zod'
import { durationFrom } from '../../base/duration.ts'
import { dateTime } from '../../contract/fields.ts'

/** Every path of the control door begins with it. */
export const controlPrefix = '/__promo/'

const duration = z
  .string()
  .refine((text) => durationFrom(text) !== undefined, { error: 'must be a duration like 90s, 36h or 30d' })

/** The calls of the control door. Unknown members of a body are refused. */
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
} satisfies Record<string, ControlCall>

export interface ControlCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After `controlPrefix`. */
  path: string
  body?: z.ZodType
}

export type ControlName = keyof typeof controlCalls

/** What each call takes. */
export type ControlBodies = {
  [Name in ControlName]: (typeof controlCalls)[Name] extends { body: infer Body extends z.ZodType }
    ? z.infer<Body>
    : undefined
}

/** The service's clock. */
export interface ClockAnswer {
  /** The service's time. */
  now: string
  /** Whether it goes on by itself. */
  runs: boolean
  /** The computer's time. */
  computer_time: string
  /** The instant of the next work that waits for its time, such as points that expire; null when there is none. */
  next_due_at: string | null
}

/** What each call answers. */
export interface ControlAnswers {
  'clock.show': ClockAnswer
  'clock.set': ClockAnswer
  'clock.advance': ClockAnswer
  'clock.resume': ClockAnswer
}

/** Makes the calls: in this process, or over the control door. Throws SandboxError. */
export interface Control {
  call: <Name extends ControlName>(name: Name, body: ControlBodies[Name]) => Promise<ControlAnswers[Name]>
}
