// Several rows in one request: what comes of the request comes of each of its rows.
import type { Client, RequestOf } from '../../api/client.ts'
import type { Row } from '../../bulk/input/row.ts'
import type { ActOnBatch, Verdict } from '../../bulk/run.ts'
import type { AnswerOf, Endpoint } from '../../contract/endpoint.ts'
import { actOf } from './call-row.ts'

/** How rows travel together. Only for calls that do all of it or nothing. */
export interface Batch<E extends Endpoint> {
  /** Rows in one request, at most. */
  size: number
  /** Builds the request of several rows. */
  request: (rows: readonly Row[]) => RequestOf<E>
  /** Gives what the service answered about each row, in their order. */
  values: (answer: AnswerOf<E>) => readonly unknown[]
}

/**
 * Makes the act of a bulk run whose rows share requests.
 *
 * An answer that is about another number of rows proves nothing about any of them: they are `unknown`. Source:
 * docs/reliability.md#add-holders, Add holders.
 */
export function actOnBatch<E extends Endpoint>(client: Client, endpoint: E, batch: Batch<E>): ActOnBatch {
  return async (rows) => {
    const [first] = rows
    if (first === undefined) return []
    const verdict = await actOf(client, { endpoint, request: () => batch.request(rows) })(first)
    if (verdict.state !== 'ok') return rows.map(() => sharedBy(verdict, rows))
    const values = batch.values(verdict.value as AnswerOf<E>)
    if (values.length !== rows.length) return rows.map(() => miscounted(verdict, values.length, rows.length))
    return rows.map((_, at) => ({ ...verdict, value: values[at] }))
  }
}

/** Says in the error that it is about more than this row, and how to find the one it is about. */
function sharedBy({ error, ...verdict }: Verdict, rows: readonly Row[]): Verdict {
  if (error === undefined || rows.length === 1) return { ...verdict, error }
  const { kind, message, facts } = error
  const together = `${message} (one request with all rows from line ${rows[0]?.line} to ${rows.at(-1)?.line})`
  const isRefused = verdict.state === 'failed' || verdict.state === 'conflict'
  const hint = isRefused ? { hint: 'add --batch-size 1 to find the row that is refused' } : {}
  return { ...verdict, error: { kind, message: together, facts: { ...facts, ...hint } } }
}

function miscounted({ attempts = 1, requestId }: Verdict, answered: number, sent: number): Verdict {
  const message = `the service answered about ${answered} of ${sent}; which of them were applied is not known`
  return { state: 'unknown', error: { kind: 'unknown_outcome', message, facts: {} }, attempts, requestId }
}
