// Several objects read by their keys, each with its outcome: one that does not exist is an outcome, and the others are shown.
import { CallError } from '../../../api/outcome/call-error.ts'
import { inOrder } from '../../../bulk/in-order.ts'
import { inputError } from '../../../bulk/input/input-error.ts'
import { isBad } from '../../../bulk/input/row.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { PromoError } from '../../../errors.ts'
import { inputRows } from '../input-rows.ts'
import type { Reading } from '../run-plan.ts'
import type { Several } from './columns.ts'

/** Returns the keys of the arguments or of the file; of its columns only that of the key is read. Throws `input` for a bad row, and `usage` for no key. */
export async function keysOf(
  items: readonly string[] | undefined,
  reading: Reading | undefined,
  several: Several,
  endpoint: Pick<Endpoint, 'path'> = { path: '' },
): Promise<string[]> {
  const { rows } = inputRows(items, reading, several, endpoint)
  const keys: string[] = []
  for await (const row of rows) {
    if (isBad(row)) throw inputError(row.message, row.remedy)
    keys.push(row.key)
  }
  return keys
}

/** Reads them a few at a time and yields them in the order of the keys; `onMissing` is called for one that was not found. */
export async function* readSeveral(
  keys: readonly string[],
  read: (key: string) => Promise<object>,
  {
    concurrency = 8,
    isTabular,
    onMissing,
  }: { concurrency: number | undefined; isTabular: boolean; onMissing: () => void },
): AsyncGenerator<object[]> {
  const one = async (asked: string): Promise<object> => {
    try {
      const object = await read(asked)
      return isTabular ? { asked, lookup: 'found', ...object } : object
    } catch (error) {
      const isOutcome = error instanceof PromoError && error.kind === 'api'
      if (!isOutcome) throw error
      onMissing()
      const isMissing = !(error instanceof CallError) || error.status === 404
      return { asked, lookup: isMissing ? 'not found' : error.message }
    }
  }
  yield* inOrder(keys, one, { concurrency, isStopped: () => false })
}
