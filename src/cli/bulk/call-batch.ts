// Several rows in one request: the result of the request is the result of each of its rows.
import type { Client, RequestOf } from '../../api/client.ts'
import type { Row } from '../../bulk/input/row.ts'
import type { ActOnBatch, RowResult } from '../../bulk/run.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import { act } from '../../writes/act.ts'
import type { Seen } from '../../writes/judge.ts'
import { afterRefusal } from '../../writes/prove.ts'

/** How rows share a request. Only for calls that apply either all of it or nothing. */
export interface Batch<E extends Endpoint> {
  /** Rows in one request, at most. */
  size: number
  /** Builds the request of several rows. */
  request: (rows: readonly Row[]) => RequestOf<E>
  /** Returns what the service answered about each row, in their order. */
  values: (answer: AnswerOf<E>) => readonly unknown[]
  /**
   * Reads, after a lost answer and then a refusal, what the service now has of each row, in their order; undefined for a row
   * of which it has nothing. That one row is there proves nothing about the others. Throws what reading throws.
   */
  find: (client: Client, rows: readonly Row[]) => Promise<readonly unknown[]>
}

/**
 * Returns the act of a bulk run whose rows share requests.
 *
 * An answer about a different number of rows proves nothing about any of them: they are `unknown`. Source:
 * docs/reliability.md#add-holders, Add holders.
 */
export function actOnBatch<E extends Endpoint>(client: Client, endpoint: E, batch: Batch<E>): ActOnBatch {
  return async (rows, _abandon, onTurn) => {
    const [first] = rows
    if (first === undefined) return []
    const evidence = afterRefusal(async () => {
      const found = await batch.find(client, rows)
      const missing = rows.filter((_, at) => found[at] === undefined)
      return missing.length === 0 ? { is: 'as-asked', value: found } : unprovedBatch(missing)
    })
    const result = await act(client, { endpoint, request: batch.request(rows), evidence }, { past: first.past, onTurn })
    const { state, value } = result
    if (state !== 'ok' && state !== 'ok_inferred') return rows.map(() => sharedBy(result, rows))
    const values = state === 'ok' ? batch.values(value as AnswerOf<E>) : ((value ?? []) as readonly unknown[])
    if (state === 'ok' && values.length !== rows.length)
      return rows.map(() => miscountedBatch(result, values.length, rows.length))
    return rows.map((_, at) => ({ ...result, value: values[at] }))
  }
}

/** The request is applied completely or not at all, so a row that is missing shows that it was not applied, as yet. */
function unprovedBatch(missing: readonly Row[]): Seen {
  const [first] = missing
  const why = `an answer was lost, and ${missing.length === 1 ? `the row of line ${first?.line} is` : `${missing.length} of its rows are`} not there`
  return { is: 'otherwise', why, error: { kind: 'unknown_outcome', message: why, facts: {} } }
}

/** Adds to the error that it is about more than this row, and how to find the row that caused it. */
function sharedBy({ error, ...result }: RowResult, rows: readonly Row[]): RowResult {
  if (error === undefined || rows.length === 1) return { ...result, error }
  const { kind, message, facts } = error
  const together = `${message} (one request with all rows from line ${rows[0]?.line} to ${rows.at(-1)?.line})`
  const isRefused = result.state === 'failed' || result.state === 'conflict'
  const hint = isRefused ? { hint: 'add --batch-size 1 to find the row that is refused' } : {}
  return { ...result, error: { kind, message: together, facts: { ...facts, ...hint } } }
}

function miscountedBatch({ attempts = 1, requestId }: RowResult, answered: number, sent: number): RowResult {
  const message = `the service answered about ${answered} of ${sent}; it is unknown which of them were applied`
  return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts: {} }, attempts, requestId }
}
