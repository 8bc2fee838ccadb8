// Receives a custom event. Source: docs/service/events.md#send.
import type { z } from 'zod'
import type { newEvent } from '../../../contract/events.ts'
import { briefCustomer } from '../../answers/customers.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { customers } from '../../stores/customers.ts'
import { eventSchemas, type StoredEventSchema } from '../../stores/schemas.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { findCustomer, upsertCustomer } from '../customers/upsert.ts'
import { earnPoints } from '../loyalty/earn.ts'
import { checkProperties } from '../metadata/check.ts'
import { convertReferral } from '../referrals/convert.ts'

type NewEvent = z.output<typeof newEvent>

/**
 * Receives an event, stores its customer and enqueues the rest. Returns the answer, in which referral and loyalty
 * are null even when they were sent.
 *
 * Throws 404 for an event that the project does not define, an unknown customer id, code or card, and 400
 * `metadata_validation_failed`.
 */
export function receiveEvent(body: NewEvent, context: Context) {
  const schema = schemaOf(body.event, context)
  const sent = body.metadata ?? {}
  checkProperties(context, schema.schema, sent)
  const code = body.referral && referralCode(body.referral, context)
  const card = body.loyalty && cardCalled(body.loyalty.code, context)
  const customer = upsertCustomer(body.customer, context)
  const received: ReceivedEvent = {
    event_id: context.id('ev_'),
    event: body.event,
    schema_id: schema.id,
    customer_id: customer.id,
    metadata: sent,
    ...(card && { card_id: card.id }),
    ...(code && { code_id: code.id }),
  }
  context.later(eventKind, received)
  return {
    object: 'event',
    type: body.event,
    customer: { ...briefCustomer(customer), metadata: customer.metadata },
    referral: null,
    loyalty: null,
    metadata: body.metadata ?? {},
  }
}

function schemaOf(event: string, context: Context): StoredEventSchema {
  const schema = context.in(eventSchemas).find(event)
  // An id is not a name: requests send the name.
  if (schema?.name !== event) throw notFound('custom_event_schema', event)
  return schema
}

// ASSUMED A258: an unknown code or card is a 404, and a referrer who does not hold the code a 400: otherwise the event
// would be accepted and convert nothing.
function referralCode({ code, referrer_id }: NonNullable<NewEvent['referral']>, context: Context): StoredVoucher {
  const voucher = context.in(vouchers).find(code)
  if (!voucher?.is_referral_code) throw notFound('voucher', code)
  if (referrer_id == null) return voucher
  const referrer = findCustomer(referrer_id, context)
  if (!referrer) throw notFound('customer', referrer_id)
  if (referrer.id !== (voucher.referrer_id ?? voucher.holder_id))
    throw invalidPayload('Property .referral.referrer_id must be the customer whom the code was published to')
  return voucher
}

function cardCalled(code: string, context: Context): StoredVoucher {
  const card = context.in(vouchers).find(code)
  if (card?.type !== 'LOYALTY_CARD') throw notFound('voucher', code)
  return card
}

// The effects of a custom event, after its answer. Source: docs/service/events.md#effects.

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
