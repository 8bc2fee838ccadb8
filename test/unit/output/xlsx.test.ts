// Workbooks as results: what a spreadsheet finds in them, and that promo reads back what it wrote.
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { shapes } from '../../../src/base/spreadsheet-shapes.ts'
import type { Column } from '../../../src/output/column.ts'
import { workbookBytes } from '../../../src/output/form/xlsx.ts'
import { piped, readAll } from '../bulk/input/reading.ts'

const plain: Column[] = [
  { name: 'code' },
  { name: 'n', kind: 'number' },
  { name: 'on', kind: 'flag' },
  { name: 'note', kind: 'text' },
]

async function write(
  rows: object[],
  columns: readonly Column[] = plain,
  look: Partial<Parameters<typeof workbookBytes>[2]> = {},
) {
  const pieces: Uint8Array[] = []
  const batches = (async function* () {
    for (let at = 0; at < rows.length; at += 100) yield rows.slice(at, at + 100)
  })()
  for await (const piece of workbookBytes(batches, columns, {
    header: true,
    timeZone: 'UTC',
    title: 'vouchers list',
    ...look,
  }))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

function xmlOf(bytes: Buffer, path = 'xl/worksheets/sheet1.xml'): string {
  return strFromU8(unzipSync(bytes)[path] as Uint8Array)
}

/** Writes one value in a column, and reads it back where a field may be anything. */
async function backOf(value: unknown, column: Column, timeZone = 'UTC') {
  const [row] = await backsOf([{ code: 'A', [column.name]: value }], [column], timeZone)
  return typeof row === 'string' ? row : row?.[column.name]
}

/** The fields of each row that is written and read back, or why one is bad. */
async function backsOf(rows: object[], columns: readonly Column[], timeZone = 'UTC') {
  const bytes = await write(rows, [{ name: 'code' }, ...columns], { timeZone })
  const rules = async () => ({
    names: new Map(),
    ignored: new Set<string>(),
    leavesOut: () => false,
    takesAny: (name: string) => name !== 'code',
  })
  const read = await readAll(piped(bytes, { format: 'xlsx', rules }))
  return [...read.bad.map(({ message }) => message), ...read.rows.map(({ fields }) => fields)]
}

describe('a value comes back as it was', () => {
  const odd = [
    '',
    'a\nb\tc',
    '<&>"',
    '_x0041_x0042_',
    '🦊 é',
    "'quoted",
    "'0077001",
    "''12E45",
    "'''TRUE",
    '{"a":1}',
    'null',
  ]
  const spreadsheets = shapes.flatMap(({ examples, ruin }) => [...examples, ...(ruin?.examples ?? [])])
  // What is a day or an instant is a date in the columns of those.
  const texts = [...new Set([...odd, ...spreadsheets])].filter((text) => !/^\d{4}-\d\d-\d\d/.test(text))

  test('every text in every kind of column', async () => {
    const kinds = ['text', 'identifier', 'verbatim', 'number', 'flag', 'state', 'time', 'date'] as const
    const rows = texts.map((text, at) => ({
      code: `A${at}`,
      ...Object.fromEntries(kinds.map((kind) => [`n_${kind}`, text])),
    }))

    const backs = await backsOf(
      rows,
      kinds.map((kind) => ({ name: `n_${kind}`, kind })),
    )

    expect(backs).toEqual(rows)
    expect(texts.length).toBeGreaterThan(50)
  })

  test.each([0, 5, -5, 12.5, 0.1, 999_999_999_999_999])('the number %d', async (number) => {
    expect(await backOf(number, { name: 'n', kind: 'number' })).toBe(number)
  })

  test('a number of more than 15 digits, as a text', async () => {
    const raw = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON('12345678901234567890')

    expect(await backOf(raw, { name: 'n', kind: 'number' })).toBe('12345678901234567890')
    expect(await backOf(9007199254740991, { name: 'n', kind: 'number' })).toBe('9007199254740991')
    expect(await backOf(0.1234567890123456, { name: 'n', kind: 'number' })).toBe('0.1234567890123456')
  })

  test.each([true, false])('%j', async (value) => {
    expect(await backOf(value, { name: 'on', kind: 'flag' })).toBe(value)
  })

  test.each([
    ['2026-12-31T23:59:59.999Z', 'UTC'],
    ['2026-12-31T22:59:59.999Z', 'Europe/Berlin'],
    ['2026-01-05T00:00:00.000Z', 'UTC'],
    ['2026-03-29T00:59:59.000Z', 'Europe/Berlin'],
    ['2026-10-25T00:30:00.000Z', 'Europe/Berlin'],
    ['2026-10-25T01:30:00.000Z', 'Europe/Berlin'],
    ['1899-01-01T00:00:00.000Z', 'UTC'],
    ['2026-01-05T00:00:00.123456Z', 'UTC'],
  ])('the instant %s, shown in %s', async (instant, timeZone) => {
    expect(await backOf(instant, { name: 'expiration_date', kind: 'time' }, timeZone)).toBe(instant)
  })

  test('a day', async () => {
    expect(await backOf('2026-12-31', { name: 'birthday', kind: 'date' })).toBe('2026-12-31')
  })
})

describe('what a spreadsheet shows', () => {
  test('codes are texts, numbers and flags are theirs, times are dates, and nothing is a formula', async () => {
    const columns: Column[] = [...plain, { name: 'created_at' }]
    const xml = xmlOf(
      await write([{ code: '0077', n: 5, on: true, note: '=1+1', created_at: '2026-12-31T12:00:00Z' }], columns),
    )

    expect(xml).toContain('<c r="A2" s="1" t="inlineStr"><is><t xml:space="preserve">0077</t></is></c>')
    expect(xml).toContain('<c r="B2" s="0"><v>5</v></c><c r="C2" t="b"><v>1</v></c>')
    expect(xml).toContain(
      '<c r="D2" s="1" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c r="E2" s="2"><v>46387.5</v></c>',
    )
    expect(xml).toContain('created_at (UTC)')
    expect(xml).not.toContain('<f')
  })

  test('the header is frozen, columns fit, and those of codes are texts below the last row too', async () => {
    const xml = xmlOf(await write([{ code: 'SPRING-2026-ABCDEFGH', note: 'x'.repeat(500) }]))

    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(xml).toContain(
      '<col min="1" max="1" width="22" style="1" customWidth="1"/><col min="2" max="2" width="8" style="0"',
    )
    expect(xml).toContain('<col min="4" max="4" width="60"')
  })

  test('without a header nothing is frozen and the first row is the first object', async () => {
    const xml = xmlOf(await write([{ code: 'A' }], plain, { header: false }))

    expect(xml).not.toContain('<pane')
    expect(xml).toContain('<sheetData><row r="1"><c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">A</t>')
  })

  test('the sheet has the name of the command, without what no name may have', async () => {
    const titles = ['vouchers list', "a/b:c*d?[e]'f", 'x'.repeat(50), ''].map(
      async (title) => /<sheet name="([^"]*)"/.exec(xmlOf(await write([], plain, { title }), 'xl/workbook.xml'))?.[1],
    )

    expect(await Promise.all(titles)).toEqual(['vouchers list', 'a b c d  e  f', 'x'.repeat(31), 'promo'])
  })

  test('no objects leave the header, many are all there, and columns after Z have two letters', async () => {
    const wide = Array.from({ length: 30 }, (_, at): Column => ({ name: at === 0 ? 'code' : `c${at}`, kind: 'text' }))
    const many = Array.from({ length: 2500 }, (_, at) => ({ code: `C-${at}`, c29: at }))

    const { rows } = await readAll(piped(await write(many, wide), { format: 'xlsx' }))

    expect(xmlOf(await write([])).match(/<row /g)).toHaveLength(1)
    expect([rows.length, rows.at(-1)?.line, rows.at(-1)?.fields.c29]).toEqual([2500, 2501, '2499'])
  })

  test('equal results are equal files', async () => {
    expect(await write([{ code: 'A' }])).toEqual(await write([{ code: 'A' }]))
  })

  test('control and direction characters are shown, and a verbatim column is exact', async () => {
    expect(await backOf('a\u202eb\u0007', { name: 'n', kind: 'text' })).toBe('a\\u202eb\\x07')
    expect(await backOf('a\u202eb\u0007\ud800', { name: 'n', kind: 'verbatim' })).toBe('a\u202eb\u0007\ud800')
  })

  test('a text that no cell takes is refused with its place', async () => {
    await expect(write([{ code: 'A', note: 'x'.repeat(32_768) }])).rejects.toThrow(
      'row 2, column "note" has a text of more than 32,767 characters, which no workbook takes',
    )
  })
})
