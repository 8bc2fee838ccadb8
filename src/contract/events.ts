// Custom events: what a customer did, which may convert a referral or earn points. Source: docs/service/events.md#send.
import { z } from 'zod'
import { customer } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { metadata } from './fields.ts'

/** The longest name of an event, in code points. Source: docs/service/events.md#send. */
export const eventNameLimit = 300

// Counted in code points, as JSON Schema counts: zod's own `max` would count an emoji twice.
const eventName = z
  .string()
  .min(1)
  .refine((name) => Array.from(name).length <= eventNameLimit, {
    error: `must NOT have more than ${eventNameLimit} characters`,
  })
  .meta({ maxLength: eventNameLimit })

/** An event to send; the project's event schema decides whether its name and metadata are allowed. */
export const newEvent = z.strictObject({
  event: eventName,
  customer,
  referral: z.strictObject({ code: z.string().min(1), referrer_id: z.string().min(1).nullish() }).nullish(),
  loyalty: z.strictObject({ code: z.string().min(1) }).nullish(),
  metadata: metadata.nullish(),
})

/** A received event; its name is returned as `type`. */
const receivedEvent = z.looseObject({
  object: z.literal('event'),
  type: z.string(),
  customer: z.looseObject({ id: z.string() }).optional(),
})

/**
 * Sends an event for a customer, who is created when unknown. Its effects happen later.
 *
 * A second identical call is a second event: points may be awarded twice.
 */
export const sendEvent = endpoint('events.send', 'Send a custom event', {
  call: 'POST /v1/events',
  body: newEvent,
  response: receivedEvent,
  repeat: 'once',
  unproved: 'events have no id of their caller',
  source: 'docs/service/events.md#send',
})
