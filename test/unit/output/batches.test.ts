import { describe, expect, test } from 'vitest'
import { batchesOf, untilAborted } from '../../../src/output/batches.ts'

describe('batches', () => {
  test('zero rows make no batch', async () => {
    expect(await sizesOf(batchesOf([]))).toEqual([])
  })

  test('one row is one batch', async () => {
    expect(await sizesOf(batchesOf([1]))).toEqual([1])
  })

  test('many rows come in order, a hundred at most at a time', async () => {
    const batches = await all(batchesOf(upTo(250)))

    expect(batches.flat()).toEqual([...upTo(250)])
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50])
  })

  test('rows that are ready are yielded while the source waits for more', async () => {
    const gate = Promise.withResolvers<void>()
    async function* rows() {
      yield 1
      yield 2
      await gate.promise
      yield 3
    }

    const batches = batchesOf(rows())
    const first = await batches.next()
    gate.resolve()
    const second = await batches.next()

    expect(first.value).toEqual([1, 2])
    expect(second.value).toEqual([3])
  })

  test('rows before a failure are yielded before the failure is thrown', async () => {
    async function* rows() {
      yield 1
      throw new Error('page 2 is gone')
    }

    const batches = batchesOf(rows())
    expect((await batches.next()).value).toEqual([1])
    await expect(batches.next()).rejects.toThrow('page 2 is gone')
  })

  test('a reader that stops closes the source', async () => {
    let isTold = false
    function* rows() {
      try {
        yield* upTo(1_000)
      } finally {
        isTold = true
      }
    }

    for await (const _ of batchesOf(rows())) break

    expect(isTold).toBe(true)
  })

  test('a source that is always ready does not block a signal', async () => {
    const stop = new AbortController()
    function* rows() {
      for (;;) yield 1
    }
    setImmediate(() => stop.abort('SIGINT'))

    const reading = all(untilAborted(batchesOf(rows()), stop.signal))

    await expect(reading).rejects.toBe('SIGINT')
  })

  test('all batches but the empty ones pass', async () => {
    async function* batches() {
      yield* [[1], [], [2, 3]]
    }

    expect(await all(untilAborted(batches(), undefined))).toEqual([[1], [2, 3]])
  })

  test('an abort ends the wait for a source that never answers', async () => {
    const stop = new AbortController()
    const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }

    const next = untilAborted(batchesOf(source), stop.signal).next()
    stop.abort('SIGINT')

    await expect(next).rejects.toBe('SIGINT')
  })
})

function* upTo(count: number): Generator<number> {
  for (let each = 0; each < count; each++) yield each
}

async function all<Row>(batches: AsyncIterable<Row[]>): Promise<Row[][]> {
  const found: Row[][] = []
  for await (const batch of batches) found.push(batch)
  return found
}

async function sizesOf(batches: AsyncIterable<unknown[]>): Promise<number[]> {
  return (await all(batches)).map((batch) => batch.length)
}
