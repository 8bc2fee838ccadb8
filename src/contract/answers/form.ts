// What the complete forms of answers have in common.
//
// The `response` of an endpoint names what promo reads and lets the rest pass. The forms in this folder name everything that
// the embedded service answers: for its OpenAPI document, and for the tests, which refuse any member that is not named. They are
// never loaded by a command that sends calls: building them takes longer than most commands run.
import { z } from 'zod'

/** The forms with a name of their own in the OpenAPI document. */
export const namedForms = z.registry<{ id: string }>()

/** Returns the form of an object, listed under a name in the OpenAPI document. */
export function namedForm<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).register(namedForms, { id })
}

/** An instant, in ISO 8601 UTC with milliseconds. */
export const instant = z.string().meta({ format: 'date-time' })

/** An instant or nothing. */
export const maybeInstant = instant.nullish()

/** A day without a time. */
export const maybeDay = z.string().meta({ format: 'date' }).nullish()
/** The address of a mailbox, and the number of a phone: never shortened. */
export const maybeEmail = z.string().meta({ format: 'email' }).nullish()
export const maybePhone = z.string().meta({ format: 'phone' }).nullish()

/** A text. */
export const text = z.string()
/** A text or nothing. */
export const maybeText = z.string().nullish()
/** A whole number: a count, points, or an amount in the smallest currency unit. */
export const count = z.int()

/** Key/value pairs of the shop's own; null or absent where none were given. */
export const metadata = z.record(z.string(), z.unknown()).nullish()

/** When an object was made, and last changed. */
export const dates = { created_at: instant, updated_at: maybeInstant }

/** Returns the form of a stored object, listed under a name: it has an id, its dates, and says what it is. */
export function storedForm<Shape extends z.ZodRawShape, const Type extends string>(
  name: string,
  type: Type,
  shape: Shape,
) {
  return namedForm(name, { id: text, ...shape, ...dates, object: z.literal(type) })
}

/** Members of a redeemable, campaign or tier that limit its use to some time. */
export const validity = {
  start_date: maybeText,
  expiration_date: maybeText,
  validity_timeframe: z.object({ duration: text, interval: text }).nullish(),
  validity_day_of_week: z.array(count).nullish(),
  validity_hours: z
    .object({
      daily: z.array(z.object({ start_time: text, expiration_time: text, days_of_week: z.array(count).optional() })),
    })
    .nullish(),
}

/**
 * Returns the form of a list: the items are under the name in `data_ref`.
 * Source: docs/service/lists.md#envelope.
 */
export function listOf<const Name extends string>(name: Name, item: z.ZodType) {
  return z.object({
    object: z.literal('list'),
    data_ref: z.literal(name),
    [name]: z.array(item),
    total: count.optional(),
    has_more: z.boolean().optional(),
    more_starting_after: maybeText,
  })
}

/** A reference to an object: its id and what it is. */
export function referenceTo(object: string) {
  return z.object({ id: text, object: z.literal(object) })
}
