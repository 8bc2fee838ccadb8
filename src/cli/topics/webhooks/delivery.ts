// One delivery as it arrived: whether it is genuine, and what it contains.
import { readJson } from '../../../base/nesting.ts'
import { isSigned, isSignedAsJson, signatureHeader } from './signature.ts'

/** What arrived. */
export interface ReceivedRequest {
  body: Uint8Array
  /** Every signature header, in order. */
  signatures: readonly string[]
  /** The content type, if it is known. */
  contentType?: string | undefined
}

/** The content of a genuine delivery; a member is absent when the body does not have it. */
export interface DeliveryContent {
  /** Of this delivery; stays the same on retries. */
  id?: string
  /** Of the event, the same for every webhook it is delivered to. */
  event_id?: string
  type?: string
  created_at?: string
}

/** A delivery, or the reason why it is not one: `malformed` (400), `forged` (401), `stale` (400). */
export type CheckedDelivery =
  | { is: 'genuine'; delivery: DeliveryContent }
  | { is: 'malformed' | 'forged' | 'stale'; reason: string }

/** How a delivery is checked. */
export interface DeliveryCheck {
  secret: string
  /**
   * How far the time of a delivery may be from now, in both directions, in milliseconds; default: any distance.
   *
   * ASSUMED A-w-2: there is no limit by default. The signature contains no time, and a delivery that is retried, for up
   * to a day, carries the time of its first attempt.
   */
  maxAgeMs?: number | undefined
  nowMs: number
}

/** The longest signature header that is checked; a rotation of secrets needs two signatures. */
const longestHeader = 1024

/** Checks a delivery. Never throws: every problem is a return value. */
export function checked(
  { body, signatures, contentType }: ReceivedRequest,
  { secret, maxAgeMs, nowMs }: DeliveryCheck,
): CheckedDelivery {
  const [header, ...others] = signatures
  if (header === undefined || header === '') return { is: 'malformed', reason: `no ${signatureHeader} header` }
  if (others.length > 0) return { is: 'malformed', reason: `more than one ${signatureHeader} header` }
  if (header.length > longestHeader) return { is: 'malformed', reason: `the ${signatureHeader} header is too long` }
  if (!isSigned(body, header, secret))
    return { is: 'forged', reason: 'the signature is not that of this body with this webhook secret' }
  const content = parsed(body)
  // White space between tokens is not signed, so a blank inside a number or a word changes a delivery and not its
  // signature. What does not parse is no delivery of the service, and without its id a replay would go unnoticed.
  const isJson = isSignedAsJson(body) || /\bjson\b/i.test(contentType ?? '')
  if (isJson && content === undefined)
    return { is: 'malformed', reason: 'the body is not valid JSON, or nests deeper than 64 levels' }
  const delivery = deliveryFrom(content)
  if (maxAgeMs !== undefined) {
    const distanceMs = Math.abs(nowMs - Date.parse(delivery.created_at ?? ''))
    // Negated, so that a delivery without a readable time counts as stale.
    if (!(distanceMs <= maxAgeMs)) return { is: 'stale', reason: 'its time is too far from now, or missing' }
  }
  return { is: 'genuine', delivery }
}

/** Reads what a body says about itself, whoever signed it. */
export function contentOf(body: Uint8Array): DeliveryContent {
  return deliveryFrom(parsed(body))
}

function deliveryFrom(content: unknown): DeliveryContent {
  const { id, type, created_at, event } = fieldsOf(content)
  const { id: event_id } = fieldsOf(event)
  const texts = Object.entries({ id, event_id, type, created_at }).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts) as DeliveryContent
}

/** Returns the value of a body in JSON of at most 64 levels, undefined for any other body. */
export function parsed(body: Uint8Array): unknown {
  try {
    return readJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // A plain text can be signed too; it has no event.
    return undefined
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
