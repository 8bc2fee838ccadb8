// The columns that a report adds to the rows of a job, and that are omitted again when it is read as an input.

/**
 * What a journal keeps of answers: the ids of what a row made, and when it was changed, under the name of its column in a report
 * without `promo_result_`.
 */
const resultNames = ['id', 'code', 'customer_id', 'parent_id', 'transaction_id', 'updated_at'] as const

export type ResultName = (typeof resultNames)[number]

/** What is kept of one row's answer. */
export type RowResults = Partial<Record<ResultName, string>>

/** Returns the column of a report that has this id. */
export function resultColumn<Name extends ResultName>(name: Name): `promo_result_${Name}` {
  return `promo_result_${name}`
}

/** The column of a report with the outcome of a row, and the outcomes of rows that were applied, or may have been. */
export const stateColumn = 'promo_state'
const appliedStates: readonly unknown[] = ['ok', 'ok_inferred', 'unknown']

/** What a report adds to every row. Source: docs/command-line.md#reports. */
const reportColumns = [
  'promo_line',
  stateColumn,
  'promo_error',
  'promo_message',
  'promo_request_id',
  'promo_attempts',
] as const

/** The id of the customer whom a row names by something else, looked up when it was taken up. */
export const customerColumn = 'promo_customer_id'

/** What the metadata of a row became by the schema of the project, by column. */
export const metadataColumn = 'promo_metadata'

const allColumns: readonly string[] = [
  ...reportColumns,
  customerColumn,
  metadataColumn,
  ...resultNames.map(resultColumn),
]

/** Returns whether a report added this column. By its full name: a `promo_code` is a user's own. */
export function isReportColumn(name: string): boolean {
  return allColumns.includes(name)
}

/** Says whether a report has a row as one that was applied, or may have been. */
export function wasApplied(state: unknown): boolean {
  return appliedStates.includes(state)
}

/** Removes what a report added from the members of a row, but not its key. */
export function withoutReport<Fields extends Record<string, unknown>>(fields: Fields, key?: string): Fields {
  for (const name of allColumns) if (name in fields && name !== key) delete fields[name]
  return fields
}
