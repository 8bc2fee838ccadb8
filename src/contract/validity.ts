// When vouchers, campaigns and rules are valid, as requests say it. Source: docs/service/vouchers.md#validity.
// Apart from the other fields, because these take longer to build than many a command runs.
import { z } from 'zod'
import { dateTime } from './fields.ts'

/** Day of the week, 0 is Sunday. Source: docs/service/vouchers.md#validity. */
const dayOfWeek = z.int().min(0).max(6)

const validityDayOfWeek = z.array(dayOfWeek).refine((days) => new Set(days).size === days.length, {
  error: 'must name each day once',
  // It is not known what the service does with a repeated day, so the sandbox accepts it.
  params: { refused_as: 'unknown' },
})

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time like 09:30' })

// In the project's time zone; an empty `expiration_time` is the end of the day.
const validityHours = z.strictObject({
  daily: z.array(
    z
      .strictObject({
        start_time: clockTime,
        expiration_time: z.union([clockTime, z.literal('')]),
        days_of_week: z.array(dayOfWeek),
      })
      .refine(({ start_time, expiration_time: end }) => end === '' || end > start_time, {
        error: 'must end after it begins: a window ends on its day, and what follows midnight is one of the next day',
        // It is not known what the service does with such a window, so the sandbox accepts it.
        params: { refused_as: 'unknown' },
      }),
  ),
})

// A recurring window of length `duration`, every `interval`, counted from `start_date`. Both are ISO 8601 durations.
const validityTimeframe = z.strictObject({ duration: isoDuration(), interval: isoDuration() })

/** The members that limit use to some time: dates, a recurring window, days of the week, each once, and hours. */
export const validity = {
  start_date: dateTime.nullish(),
  expiration_date: dateTime.nullish(),
  validity_timeframe: validityTimeframe.nullish(),
  validity_day_of_week: validityDayOfWeek.nullish(),
  validity_hours: validityHours.nullish(),
}

function isoDuration() {
  // Only the last number of a duration may have a fraction.
  const duration =
    /^P(?!.*[.,]\d+[A-Z]T?\d)(?=\d|T\d)(\d+([.,]\d+)?Y)?(\d+([.,]\d+)?M)?(\d+([.,]\d+)?W)?(\d+([.,]\d+)?D)?(T(?=\d)(\d+([.,]\d+)?H)?(\d+([.,]\d+)?M)?(\d+([.,]\d+)?S)?)?$/
  return z.string().regex(duration, { error: 'must be an ISO 8601 duration like P1D or PT12H' })
}
