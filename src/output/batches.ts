// Rows in batches: large enough that writing is cheap, small enough that memory stays flat and no line is held back.
import { orAborted } from './write.ts'

/** As many as a page of the service holds. */
const largestBatch = 100

const waited = Symbol('waited')

/**
 * Groups rows into batches of at most 100, in order; no batch is empty.
 *
 * Pulls a row only when the consumer asks for one, and at most one ahead. The rows gathered so far are yielded as soon as
 * the source has no row ready, and before its error is thrown. A source that is not read to its end is closed, without
 * waiting for what it still has in flight.
 */
export async function* batchesOf<Row>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row[]> {
  const source = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  let isRead = false
  let batch: Row[] = []
  let turn: Promise<unknown> = Promise.resolve()
  try {
    for (;;) {
      const next = Promise.resolve(source.next())
      if (batch.length > 0 && (await Promise.race([next.catch(() => waited), turn])) === waited) {
        yield batch
        batch = []
      }
      const { done, value } = await next
      if (done) break
      // A batch is held back for one turn of the event loop at most.
      if (batch.length === 0) turn = new Promise((resolve) => setImmediate(resolve, waited))
      batch.push(value)
      if (batch.length < largestBatch) continue
      yield batch
      batch = []
      // A source and a reader that are always ready would never let the event loop turn: no signal would arrive.
      await turn
    }
    isRead = true
    if (batch.length > 0) yield batch
  } finally {
    if (!isRead) Promise.resolve(source.return?.()).catch(() => {})
  }
}

/**
 * Passes on all batches but the empty ones until the signal aborts, then rejects at once with its reason.
 *
 * A source that is not read to its end is closed, without waiting for what it still has in flight.
 */
export async function* untilAborted<Row>(
  batches: AsyncIterable<Row[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row[]> {
  const source = batches[Symbol.asyncIterator]()
  let isRead = false
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await orAborted(source.next(), signal)
      if (done) break
      if (value.length > 0) yield value
    }
    isRead = true
  } finally {
    if (!isRead) Promise.resolve(source.return?.()).catch(() => {})
  }
}
