// The columns that a report adds to the rows of a job, and that reading it as an input leaves out again.
import type { Fields } from './row.ts'

/** What a report says of a row, beside the row itself. Source: docs/command-line.md#reports. */
export const reportColumns = [
  'promo_line',
  'promo_state',
  'promo_error',
  'promo_message',
  'promo_request_id',
  'promo_attempts',
] as const

/** Says whether a report added this column. By its whole name: a `promo_code` is somebody's own. */
export function isReportColumn(name: string): boolean {
  return (reportColumns as readonly string[]).includes(name)
}

/** Takes what a report added out of the members of a row, but not its key. */
export function withoutReport(fields: Fields, key?: string): Fields {
  for (const name of reportColumns) if (name in fields && name !== key) delete fields[name]
  return fields
}
