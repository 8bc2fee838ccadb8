// The columns that a report adds to the rows of a job, and that are omitted again when it is read as an input.
import type { Fields } from './row.ts'

/** What a report adds to a row. Source: docs/command-line.md#reports. */
export const reportColumns = [
  'promo_line',
  'promo_state',
  'promo_error',
  'promo_message',
  'promo_request_id',
  'promo_attempts',
] as const

/** Returns whether a report added this column. By its full name: a `promo_code` is a user's own. */
export function isReportColumn(name: string): boolean {
  return (reportColumns as readonly string[]).includes(name)
}

/** Removes what a report added from the members of a row, but not its key. */
export function withoutReport(fields: Fields, key?: string): Fields {
  for (const name of reportColumns) if (name in fields && name !== key) delete fields[name]
  return fields
}
