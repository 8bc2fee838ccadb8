import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchesOf } from '../../../src/bulk/batch.ts'
import type { Row } from '../../../src/bulk/input/row.ts'
import { type ActOnBatch, type RowOutcome, runBatches } from '../../../src/bulk/run.ts'
import { PromoError } from '../../../src/errors.ts'

function row(line: number, more: Partial<Row> = {}): Row {
  return { line, key: `K-${line}`, fields: {}, ...more }
}

const plain = (count: number) => Array.from({ length: count }, (_, at) => row(at + 1))
const duplicate = (line: number) => row(line, { duplicateOf: 1 })
const bad = (line: number) => row(line, { problem: 'is bad' })
const ok: ActOnBatch = async (rows) => rows.map(({ key }) => ({ state: 'ok', value: key }))

function linesOf(rows: Row[], size: number): number[][] {
  const batches: number[][] = []
  for (const batch of batchesOf(rows, size)) batches.push(batch.map(({ line }) => line))
  return batches
}

async function ran(rows: Row[], act: ActOnBatch, size: number, options: { maxErrors?: { rows: number } } = {}) {
  const run = runBatches({ total: rows.length, everyRow: () => rows }, act, size, { concurrency: 1, ...options })
  const outcomes: RowOutcome[] = []
  for (;;) {
    const next = await run.next()
    if (next.done) return { outcomes, summary: next.value }
    outcomes.push(...next.value)
  }
}

describe('batches', () => {
  test.each([
    [0, 2, []],
    [1, 2, [[1]]],
    [
      4,
      2,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [5, 2, [[1, 2], [3, 4], [5]]],
    [3, 1, [[1], [2], [3]]],
  ])('of %i rows, at most %i together, are %j', async (count, size, batches) => {
    expect(linesOf(plain(count), size)).toEqual(batches)
  })

  test('carry duplicates and bad rows along without giving them a place', async () => {
    expect(linesOf([row(1), duplicate(2), bad(3), row(4), row(5)], 2)).toEqual([[1, 2, 3, 4], [5]])
  })

  test('end also where nothing but duplicates comes', async () => {
    const rows = Array.from({ length: 25 }, (_, at) => duplicate(at + 1))

    expect(linesOf(rows, 1).map((batch) => batch.length)).toEqual([10, 10, 5])
  })
})

describe('a run of batches', () => {
  test('acts once per batch and returns an outcome for each row, in order', async () => {
    const acted: string[][] = []

    const { outcomes, summary } = await ran(
      [row(1), duplicate(2), bad(3), row(4), row(5)],
      async (rows, ...rest) => {
        acted.push(rows.map(({ key }) => key))
        return ok(rows, ...rest)
      },
      2,
    )

    expect(acted).toEqual([['K-1', 'K-4'], ['K-5']])
    expect(outcomes.map(({ row: { line }, state, value }) => [line, state, value])).toEqual([
      [1, 'ok', 'K-1'],
      [2, 'duplicate', undefined],
      [3, 'skipped', undefined],
      [4, 'ok', 'K-4'],
      [5, 'ok', 'K-5'],
    ])
    expect(summary.counts).toMatchObject({ ok: 3, duplicate: 1, skipped: 1, pending: 0 })
  })

  test('assigns what an act threw to every row of its batch, and continues', async () => {
    const { outcomes } = await ran(
      plain(3),
      async (rows, ...rest) => {
        if (rows[0]?.line === 1) throw new PromoError('api', 'refused')
        return ok(rows, ...rest)
      },
      2,
    )

    expect(outcomes.map(({ state }) => state)).toEqual(['failed', 'failed', 'ok'])
  })

  test('counts rows and not batches against --max-errors', async () => {
    const refuse: ActOnBatch = async (rows) => rows.map(() => ({ state: 'failed' }))

    const { summary } = await ran(plain(10), refuse, 2, { maxErrors: { rows: 3 } })

    expect(summary).toMatchObject({ stoppedBy: 'max_errors', counts: { failed: 4, pending: 6 } })
  })

  test('a row without a verdict is unknown', async () => {
    const { outcomes } = await ran(plain(2), async () => [{ state: 'ok' }], 2)

    expect(outcomes.map(({ state }) => state)).toEqual(['ok', 'unknown'])
  })

  test('no row is lost or acted on twice, whatever the rows, the size and the concurrency', async () => {
    const rows = fc.array(fc.constantFrom('plain', 'duplicate', 'bad'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 5 }),
        async (kinds, size, concurrency) => {
          const make = { plain: row, duplicate, bad }
          const all = kinds.map((kind, at) => make[kind as keyof typeof make](at + 1))
          const acted: number[] = []
          const input = { total: all.length, everyRow: () => all }
          const run = runBatches(
            input,
            async (some, ...rest) => {
              acted.push(...some.map(({ line }) => line))
              expect(some.length).toBeLessThanOrEqual(size)
              return ok(some, ...rest)
            },
            size,
            { concurrency },
          )

          const lines: number[] = []
          for await (const outcomes of run) lines.push(...outcomes.map(({ row: { line } }) => line))

          expect(lines).toEqual(all.map(({ line }) => line))
          expect(acted).toEqual(all.filter((_, at) => kinds[at] === 'plain').map(({ line }) => line))
        },
      ),
    )
  })
})
