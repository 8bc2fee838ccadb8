// The effects of a custom event, after its answer. Source: docs/service/events.md#effects.
import { job } from '../../jobs/job.ts'
import { customers } from '../../stores/customers.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { earnPoints } from '../loyalty/earn.ts'
import { convertReferral } from '../referrals/convert.ts'

/** The job for a received event. */
export const eventKind = 'event.happened'

/** An event as it was received; what it names was resolved then, and is kept by id. */
export interface ReceivedEvent {
  event_id: string
  event: string
  schema_id: string
  customer_id: string
  metadata: Record<string, unknown>
  /** The loyalty card that the event is attributed to. */
  card_id?: string
  /** The referral code that it names. */
  code_id?: string
}

/** Adds points by earning rules, and converts a referral. */
export const eventJob = job((received: ReceivedEvent, context) => {
  const { event, event_id, schema_id, metadata, card_id, code_id } = received
  const customer = context.in(customers).get(received.customer_id)
  if (!customer) return undefined
  const told = { id: event_id, type: event }
  const details = { event: told, custom_event: told, event_schema: { id: schema_id, name: event } }
  const cause = { event: { ...told, metadata } }
  earnPoints({ event, customer, metadata, details, cause, ...(card_id !== undefined && { cardId: card_id }) }, context)
  const code = code_id === undefined ? undefined : context.in(vouchers).get(code_id)
  if (code) convertReferral(code, customer, { type: 'custom_event', event }, cause, context)
  return undefined
})
