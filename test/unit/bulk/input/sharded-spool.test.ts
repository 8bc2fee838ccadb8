import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BadRow, Row } from '../../../../src/bulk/input/row.ts'
import { type SpoolOptions, spool } from '../../../../src/bulk/input/spool.ts'
import { shardOf } from '../../../../src/bulk/shard.ts'

/** An input line: a key with a value, or a line that cannot be read. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), value: fc.constantFrom('x', 'y') }),
  },
  { weight: 1, arbitrary: fc.constant('bad' as const) },
)

type Line = { key: string; value: string } | 'bad'

function rowsOf(lines: Line[]): (Row | BadRow)[] {
  return lines.map((one, at) =>
    one === 'bad'
      ? { line: at + 2, rule: 'key', message: `line ${at + 2}: is empty` }
      : { line: at + 2, key: one.key, fields: { value: one.value } },
  )
}

async function everyLine(lines: Line[], options: Partial<SpoolOptions>) {
  const kept = await spool(rowsOf(lines), { name: 'codes.csv', badRows: 'keep', ...options })
  const seen: { line: number; fate: string }[] = []
  for (const row of kept.everyRow()) {
    seen.push({
      line: row.line,
      fate: row.problem ?? (row.duplicateOf === undefined ? 'acted on' : `as ${row.duplicateOf}`),
    })
  }
  return { seen, total: kept.total, others: kept.others, bad: kept.bad }
}

test.each(['fold', 'fold-identical', 'keep'] as const)(
  'shards give each row to exactly one, with the fate it has in one piece (%s)',
  async (onDuplicate) => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), async (lines, shards) => {
        const whole = await everyLine(lines, { onDuplicate })

        const parts = await Promise.all(
          Array.from({ length: shards }, (_, index) =>
            everyLine(lines, {
              onDuplicate,
              isOurs: (row) => shardOf(onDuplicate === 'keep' ? `${row.line}` : row.key, shards) === index,
            }),
          ),
        )

        expect(parts.flatMap(({ seen }) => seen).toSorted((a, b) => a.line - b.line)).toEqual(whole.seen)
        expect(parts.map(({ total, others }) => total + others)).toEqual(parts.map(() => lines.length))
        expect(parts.reduce((sum, { bad }) => sum + bad, 0)).toBe(whole.bad)
      }),
    )
  },
)

test.each(['fold', 'fold-identical', 'keep'] as const)(
  'shards refuse an input exactly when it is refused in one piece (%s)',
  async (onDuplicate) => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.integer({ min: 2, max: 4 }), async (lines, shards) => {
        const refusal = async (options: Partial<SpoolOptions>) =>
          await everyLine(lines, { onDuplicate, ...options, badRows: 'refuse' }).then(
            () => 'accepted',
            (error: Error) => error.message,
          )
        const whole = await refusal({})

        const parts = await Promise.all(
          Array.from({ length: shards }, (_, index) =>
            refusal({ isOurs: (row) => shardOf(onDuplicate === 'keep' ? `${row.line}` : row.key, shards) === index }),
          ),
        )

        expect(parts).toEqual(parts.map(() => whole))
      }),
    )
  },
)
