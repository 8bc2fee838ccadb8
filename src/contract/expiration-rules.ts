// Until when points can be used that a program, or one of its earning rules, gives.
// Source: docs/service/loyalty.md#program-rules-of-expiry.
import { z } from 'zod'

const month = z.int().min(1).max(12)

/** Some months after the points were given, rounded up to the end of a calendar unit; or each year on one day. */
export const expirationRules = z.discriminatedUnion('period_type', [
  z
    .strictObject({
      period_type: z.literal('MONTH'),
      period_value: z.int().min(0).max(1200).nullish(),
      rounding_type: z
        .enum(['END_OF_MONTH', 'END_OF_QUARTER', 'END_OF_HALF_YEAR', 'END_OF_YEAR', 'PARTICULAR_MONTH'])
        .nullish(),
      rounding_value: month.nullish(),
    })
    .refine(({ rounding_type, rounding_value }) => rounding_type !== 'PARTICULAR_MONTH' || rounding_value != null, {
      error: 'must have a rounding_value with PARTICULAR_MONTH',
    }),
  z.strictObject({
    period_type: z.literal('FIXED_DAY_OF_YEAR'),
    fixed_month: month,
    fixed_day: z.int().min(1).max(31),
  }),
])

export type ExpirationRules = z.output<typeof expirationRules>
