// Field schemas that several resources share. Requests are strict, answers are loose (docs/architecture.md).
import { z } from 'zod'

/**
 * An instant as the service accepts it: a date, or a date-time with a zone, that exists in the calendar.
 * Source: docs/service/addresses.md#timestamps.
 */
export const dateTime = z
  .string()
  .refine(isInstant, { error: 'must be like 2026-12-31 or 2026-12-31T23:59:00Z (ISO 8601, with a zone)' })
  .meta({ format: 'date-time' })

/**
 * A day of the calendar, such as a birthday, which is the same in every time zone; an instant is taken too.
 * Source: docs/service/customers.md.
 */
export const calendarDay = dateTime.meta({ format: 'date' })

/** Custom key/value pairs; the project's metadata schema, not the contract, decides which are allowed. */
export const metadata = z.record(z.string(), z.unknown())

export type Metadata = z.output<typeof metadata>

/** A parsed object with every field there and not null. */
export type AllRequired<Parsed> = { [Field in keyof Parsed]-?: NonNullable<Parsed[Field]> }

/** Items per page. Source: docs/service/limits.md#volume-limits. */
export const pageSize = z.int().min(1).max(100)

/** A list answer. The array's name is in `data_ref` (docs/service/lists.md#envelope), so `itemsOf` reads it. */
export const listAnswer = z.looseObject({
  object: z.literal('list').optional(),
  data_ref: z.string().optional(),
  total: z.int().optional(),
  has_more: z.boolean().optional(),
  more_starting_after: z.string().nullish(),
})

/** The answer of a call that has nothing to say: status 204, which has no body. No other status confirms such a call. */
export const emptyAnswer = z.undefined()

/** What a deletion takes that moves to the bin, or with `force` removes permanently. */
export const forcible = { query: z.strictObject({ force: z.boolean().optional() }) }

const instantGrammar =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d))?$/

/** What a service answers; every month has these days. */
const usualInstant = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/

/**
 * Says whether a text is an ISO 8601 date, or date-time with a zone, of a day that exists.
 *
 * Stricter than `Date`, which rolls 30 February over and parses `12` as a year.
 */
export function isInstant(text: string): boolean {
  if (usualInstant.test(text)) return true
  const parts = instantGrammar.exec(text)
  if (!parts) return false
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const calendar = new Date(Date.UTC(year, month - 1, day))
  const exists = calendar.getUTCMonth() === month - 1 && calendar.getUTCDate() === day
  return exists && hour < 24 && minute < 60 && second < 60
}
