// One row as a write.
import type { Client, RequestOf } from '../../api/client.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import type { ResultName } from '../../bulk/input/report-columns.ts'
import type { Row } from '../../bulk/input/row.ts'
import type { Act, RowResult } from '../../bulk/run.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { act, type Write } from '../../writes/act.ts'
import { evidenceFor } from '../../writes/prove.ts'

/** How the rows of a command become calls. */
export interface RowCall<E extends Endpoint> {
  endpoint: E
  /** The call of a row, where rows make different calls; absent: the endpoint, which says what is common to all. */
  callOf?: (row: Row) => E
  /** Builds the request of a row. Throws `usage` for a row the contract refuses. */
  request: (row: Row) => RequestOf<E>
  /** What only the command knows of the write of a row (writes/act.ts); absent: nothing. `isUndo`: the row undoes one of a job. */
  write?: ((client: Client, row: Row, isUndo: boolean) => Omit<Partial<Write<E>>, 'endpoint' | 'request'>) | undefined
}

/** What its run knows about each row. */
interface ActOptions {
  /** Whether several rows of the input have this evidence. */
  isShared: ((evidence: string) => boolean) | undefined
  unseen: boolean
  /** Whether the rows undo those of a job. */
  isUndo: boolean
}

/** Returns the act of a bulk run, which makes the call of each row. With `unseen` the value of a result must not be shown. */
export function actOf<E extends Endpoint>(
  client: Client,
  call: RowCall<E>,
  { unseen, isUndo, isShared }: ActOptions,
): Act {
  const { callOf, write } = call
  return (row, _abandon, onTurn) => {
    const endpoint = callOf?.(row) ?? call.endpoint
    const request = call.request(row)
    // What takes effect with each call has taken effect.
    const isChange = endpoint.repeat === 'once' || undefined
    const about: Write<E> = {
      endpoint,
      request,
      evidence: evidenceFor(endpoint, request as LooseRequest, isShared),
      changed: () => isChange,
      ...write?.(client, row, isUndo),
    }
    return act(client, about, { past: row.past, unseen, onTurn })
  }
}

/** Which ids of an answer are kept, and where they are in it: dotted paths, in which each item of a list is meant. */
export type KeptResults = Partial<Record<ResultName, string | readonly string[]>>

/**
 * Returns the result of a row with the ids of its answer, as far as the answer has them; several ids of one name are
 * separated by spaces.
 */
export function withResults(result: RowResult, kept: KeptResults | undefined): RowResult {
  if (kept === undefined || result.value === undefined) return result
  let found = result.results
  for (const name in kept) {
    const ids = new Set<string>()
    const paths = kept[name as ResultName] ?? []
    for (const path of typeof paths === 'string' ? [paths] : paths) addIds(ids, result.value, path)
    if (ids.size > 0) found = { ...found, [name]: [...ids].join(' ') }
  }
  return found === result.results ? result : { ...result, results: found }
}

function addIds(ids: Set<string>, value: unknown, path: string): void {
  if (Array.isArray(value)) for (const item of value) addIds(ids, item, path)
  else if (path === '') {
    if (typeof value === 'string' && value !== '') ids.add(value)
  } else if (typeof value === 'object' && value !== null) {
    const end = path.indexOf('.')
    const name = end === -1 ? path : path.slice(0, end)
    if (Object.hasOwn(value, name))
      addIds(ids, (value as Record<string, unknown>)[name], end === -1 ? '' : path.slice(end + 1))
  }
}
