import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readRows } from '../../../../src/bulk/input/input.ts'
import { keyProblem } from '../../../../src/bulk/input/key.ts'
import { rowsFromArguments } from '../../../../src/bulk/input/key-lines.ts'
import type { Row } from '../../../../src/bulk/input/row.ts'
import { type Spool, type SpoolOptions, spool } from '../../../../src/bulk/input/spool.ts'
import type { PromoError } from '../../../../src/errors.ts'
import { piped } from './reading.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'promo-spool-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const spooled = (text: string, options: Partial<SpoolOptions> = {}) =>
  spool(readRows(piped(text)), { name: 'codes.csv', dir, ...options })

function all(rows: Iterable<Row>): Row[] {
  return [...rows]
}

async function refused(spooling: Promise<Spool>): Promise<PromoError> {
  return await spooling.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error) => error,
  )
}

describe('rows that are all good', () => {
  test('they come back as they were, in the order of the input', async () => {
    const kept = await spooled('code,__proto__,n\nb,x,""\na,"y\nz",1\n')

    const rows = all(kept.rows())

    expect(JSON.stringify(rows)).toBe(
      '[{"line":2,"key":"b","fields":{"code":"b","__proto__":"x","n":""}},' +
        '{"line":3,"key":"a","fields":{"code":"a","__proto__":"y\\nz","n":"1"}}]',
    )
    expect(Object.getPrototypeOf(rows[0]?.fields)).toBeNull()
    expect(kept).toMatchObject({ total: 2, count: 2, duplicates: 0, bad: 0, warnings: [] })
    await kept.close()
  })

  test('rows that are always ready let the event loop turn, so that a signal arrives', async () => {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const rows = Array.from({ length: 5000 }, (_, at) => ({ line: at + 1, key: `c${at}`, fields: {} }))
    const kept = await spool(rows, { name: 'a job', dir })
    isOver = true

    expect(turns).toBeGreaterThan(5)
    expect(kept.total).toBe(5000)
    await kept.close()
  })

  test('a header alone is no rows', async () => {
    const kept = await spooled('code\n')

    expect(all(kept.rows())).toEqual([])
    expect(kept.sample(3)).toEqual([])
    expect(kept.count).toBe(0)
    await kept.close()
  })

  test('more rows than a page come back complete, and can be read twice at the same time', async () => {
    const codes = Array.from({ length: 1201 }, (_, at) => `C${at}`)
    const kept = await spooled(`code\n${codes.join('\n')}\n`)

    const [once, again] = [all(kept.rows()), all(kept.everyRow())]

    expect(once.map(({ key }) => key)).toEqual(codes)
    expect(again).toEqual(once)
    expect(kept.sample(2).map(({ key }) => key)).toEqual(['C0', 'C1'])
    await kept.close()
  })

  test('plain arguments are kept like the rows of a file', async () => {
    const arguments_ = rowsFromArguments(['A', 'B', 'A'], { column: 'code', checkKey: keyProblem })

    const kept = await spool(arguments_, { name: 'the arguments', dir })

    expect(all(kept.rows()).map(({ key }) => key)).toEqual(['A', 'B'])
    expect(kept.duplicates).toBe(1)
    await kept.close()
  })

  test.each([['"'], ['\\'], ['\u0000'], ['\ud800'], ['😀'], ['\u2028'], ['__proto__'], ['']])(
    'the key %j survives, whatever a command allows',
    async (key) => {
      const rows = [{ line: 1, key, fields: { code: key } }]

      const kept = await spool(rows, { name: 'test', dir })

      expect(all(kept.rows())).toEqual(rows)
      await kept.close()
    },
  )
})

describe('rows that come twice', () => {
  test('the same row is deduplicated, and refers to the first', async () => {
    const kept = await spooled('code,n\na,1\nb,2\na,1\na,1\n')

    expect(all(kept.rows()).map(({ line }) => line)).toEqual([2, 3])
    expect(all(kept.everyRow()).map(({ line, duplicateOf }) => [line, duplicateOf])).toEqual([
      [2, undefined],
      [3, undefined],
      [4, 2],
      [5, 2],
    ])
    expect(kept).toMatchObject({ total: 4, count: 2, duplicates: 2 })
    await kept.close()
  })

  test('the same key with other values is refused before anything is done', async () => {
    const error = await refused(spooled('code,n\na,1\na,2\n'))

    expect(error).toMatchObject({ kind: 'input', exitCode: 2 })
    expect(error.message).toBe(
      '1 of 2 rows of codes.csv is bad; nothing was sent\n  line 3: "a" occurred on line 2 with other values',
    )
  })

  test('members of JSON in another order are the same values', async () => {
    const rows = readRows(piped('{"code":"a","n":1}\n{"n":1,"code":"a"}\n', { format: 'jsonl' }))

    const kept = await spool(rows, { name: 'codes.jsonl', dir })

    expect(kept).toMatchObject({ count: 1, duplicates: 1 })
    await kept.close()
  })

  test('a command that uses only the key folds them all', async () => {
    const kept = await spooled('code,n\na,1\na,2\n', { onDuplicate: 'fold' })

    expect(kept).toMatchObject({ count: 1, duplicates: 1 })
    await kept.close()
  })

  test('a command whose rows may happen twice keeps them all', async () => {
    const kept = await spooled('code,n\na,1\na,1\n', { onDuplicate: 'keep' })

    expect(kept).toMatchObject({ count: 2, duplicates: 0 })
    await kept.close()
  })

  test('keys are compared as bytes, and look-alikes are mentioned', async () => {
    const kept = await spooled('code\n\u00fc\nu\u0308\nU\n')

    expect(kept.count).toBe(3)
    expect(kept.warnings).toEqual([
      '1 key is written in several ways that look the same (accents composed differently)',
    ])
    await kept.close()
  })

  test('keys that look like templates left unfilled are mentioned', async () => {
    const kept = await spooled('code\nA\nundefined\nnull\n')

    expect(kept.count).toBe(3)
    expect(kept.warnings).toEqual([
      'line 3: "undefined" looks like a template that was not filled in',
      '1 more such key',
    ])
    await kept.close()
  })
})

describe('rows that are bad', () => {
  test('twenty faults are shown, all rows are counted, and no file is left', async () => {
    const odd = Array.from({ length: 30 }, (_, at) => `${'x,'.repeat(at + 2)}\n`).join('')
    const faults = await refused(spooled(`code\n${odd}good\n`))
    const error = await refused(spooled(`code\n${' x\n'.repeat(1234)}good\n`))

    const [first, ...shown] = error.message.split('\n')
    expect(error).toMatchObject({ kind: 'input', exitCode: 2 })
    expect(error.facts.hint).toBe('--trim removes the white space around the values of these rows')
    expect(first).toBe('1,234 of 1,235 rows of codes.csv are bad; nothing was sent')
    expect(shown).toEqual([
      '  line 2, column 1 ("code"): has white space around it; remove it from the input: " x" (1,234 rows: 2, 3, 4, 5, …)',
    ])
    const lines = faults.message.split('\n')
    expect(lines[0]).toBe('30 of 31 rows of codes.csv are bad; nothing was sent')
    expect(lines).toHaveLength(22)
    expect(lines[21]).toBe('  and 10 more')
    expect(readdirSync(dir)).toEqual([])
  })

  test('an input that cannot be read on says so', async () => {
    expect((await refused(spooled('code\na\n"b\n'))).message).toBe(
      '1 of the first 2 rows of codes.csv is bad, and what follows cannot be read; nothing was sent\n' +
        '  line 3: the quote that opens here is never closed',
    )
    expect((await refused(spooled('code\n"b\n'))).message).toMatch(
      /^the first row of codes\.csv is bad, and what follows cannot be read; nothing was sent\n/,
    )
  })

  test('they can be kept, to be reported in their place', async () => {
    const kept = await spooled('code,n\na,1\nb\nc,3\n', { badRows: 'keep' })

    expect(all(kept.rows()).map(({ key }) => key)).toEqual(['a', 'c'])
    expect(all(kept.everyRow()).map(({ line, problem }) => [line, problem])).toEqual([
      [2, undefined],
      [3, 'line 3: has 1 field, the header has 2: "b"'],
      [4, undefined],
    ])
    expect(kept).toMatchObject({ total: 3, count: 2, bad: 1 })
    await kept.close()
  })

  test('an input that cannot be read on is refused even when bad rows are kept', async () => {
    expect((await refused(spooled('code\na\n"b\n', { badRows: 'keep' }))).exitCode).toBe(2)
  })
})

describe('where rows are kept', () => {
  test('the file is for the owner alone, and gone when it is closed', async () => {
    const below = join(dir, 'state', 'spool')
    const kept = await spooled('code\na\n', { dir: below })

    const modes = [below, ...readdirSync(below).map((name) => join(below, name))].map((path) =>
      (statSync(path).mode & 0o777).toString(8),
    )
    await kept.close()

    expect(modes.length).toBeGreaterThan(1)
    expect(modes).toEqual(['700', ...modes.slice(1).map(() => '600')])
    expect(readdirSync(below)).toEqual([])
  })

  test('closing twice does no harm', async () => {
    const kept = await spooled('code\na\n')

    await kept.close()

    await expect(kept.close()).resolves.toBeUndefined()
  })

  test('a folder that cannot be made is an input/output error', async () => {
    expect(await refused(spooled('code\na\n', { dir: '/dev/null/state' }))).toMatchObject({ kind: 'io', exitCode: 10 })
  })

  test('what the reading throws passes through, and no file is left', async () => {
    expect((await refused(spooled(''))).message).toBe('standard input is empty')
    expect(readdirSync(dir)).toEqual([])
  })
})
