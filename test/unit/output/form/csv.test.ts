import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvText, neutralise } from '../../../../src/output/form/csv.ts'
import { inBatches, raw, textOf } from '../sinks.ts'

const columns = [
  { name: 'code' },
  { name: 'active' },
  { name: 'redemption.quantity', kind: 'number' as const },
  { name: 'additional_info' },
]
const plain = { header: true, raw: false }

describe('CSV', () => {
  test('of no object is the header line', async () => {
    expect(await textOf(csvText(inBatches(), columns, plain))).toBe('code,active,redemption.quantity,additional_info\n')
  })

  test('of no object without a header is empty', async () => {
    expect(await textOf(csvText(inBatches(), columns, { header: false, raw: false }))).toBe('')
  })

  test('of one object is a header and a line', async () => {
    const row = { code: 'A', active: false, redemption: { quantity: 0 }, additional_info: null }

    const text = await textOf(csvText(inBatches([row]), columns, plain))

    expect(text).toBe('code,active,redemption.quantity,additional_info\nA,false,0,\n')
  })

  test('of several batches has one header', async () => {
    const text = await textOf(csvText(inBatches([{ code: 'A' }], [{ code: 'B' }, { code: 'C' }]), columns, plain))

    expect(text).toBe('code,active,redemption.quantity,additional_info\nA,,,\nB,,,\nC,,,\n')
  })

  test('commas, quotes and newlines are quoted', async () => {
    const text = await textOf(
      csvText(inBatches([{ note: 'a,"b"\nc' }]), [{ name: 'note' }], { header: false, raw: false }),
    )

    expect(text).toBe('"a,""b""\nc"\n')
  })

  test('a semicolon is quoted, because some spreadsheets split there', async () => {
    const text = await textOf(
      csvText(inBatches([{ note: 'a;=1+1' }]), [{ name: 'note' }], { header: false, raw: false }),
    )

    expect(text).toBe('"a;=1+1"\n')
  })

  test('objects and arrays are compact JSON in their cell', async () => {
    const row = { metadata: { shop: 'x' }, days: [1, 2] }

    const text = await textOf(csvText(inBatches([row]), [{ name: 'metadata' }, { name: 'days' }], plain))

    expect(text).toBe('metadata,days\n"{""shop"":""x""}","[1,2]"\n')
  })

  test('a number too large for JavaScript is printed digit by digit, and a negative one has no apostrophe', async () => {
    const text = await textOf(
      csvText(inBatches([{ n: raw('-9007199254740993'), m: -5 }]), [{ name: 'n' }, { name: 'm' }], plain),
    )

    expect(text).toBe('n,m\n-9007199254740993,-5\n')
  })

  test('an empty cell alone on its line is not a blank line', async () => {
    expect(await textOf(csvText(inBatches([{ a: null }, { a: 'x' }]), [{ name: 'a' }], plain))).toBe('a\n""\nx\n')
  })

  test('a terminal sequence is visible, and with --csv-raw it is what the service sent', async () => {
    const row = { note: '\x1b[31m\u202ex' }

    const shown = await textOf(csvText(inBatches([row]), [{ name: 'note' }], { header: false, raw: false }))
    const exact = await textOf(csvText(inBatches([row]), [{ name: 'note' }], { header: false, raw: true }))

    expect(shown).toBe('\\x1b[31m\\u202ex\n')
    expect(exact).toBe('\x1b[31m\u202ex\n')
  })

  test('a formula in the name of a column is neutralised', async () => {
    expect(await textOf(csvText(inBatches(), [{ name: '=cmd|x' }], plain))).toBe("'=cmd|x\n")
  })

  test('with --csv-raw every text is read back as it was', async () => {
    const cell = fc.string({ unit: 'binary' })

    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ code: cell, note: cell }), { minLength: 1 }), async (rows) => {
        const text = await textOf(
          csvText(inBatches(rows), [{ name: 'code' }, { name: 'note' }], { header: true, raw: true }),
        )

        const read: unknown[] = parse(text, { columns: true, bom: true, skip_empty_lines: true })
        expect(read.map((row) => ({ ...(row as object) }))).toEqual(rows)
      }),
    )
  })

  test.each([1, 2])('is what csv-stringify writes, byte for byte (%i columns)', async (count) => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', 'b', '=', ' ', ',', ';', '"', "'", '\t', '\r', '\n', '\ufeff') }),
    )
    const some = Array.from({ length: count }, (_, at) => ({ name: `c${at}` }))

    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { minLength: count, maxLength: count })), async (rows) => {
        const objects = rows.map((row) => Object.fromEntries(row.map((text, at) => [`c${at}`, text])))
        const text = await textOf(csvText(inBatches(objects), some, { header: false, raw: true }))

        const layout = { quote_record_delimiter: true, quoted_match: /[;\t\ufeff]/, quoted_empty: count === 1 }
        expect(text).toBe(stringify(rows, { record_delimiter: '\n', ...layout }))
      }),
    )
  })
})

describe('a cell that looks like a formula', () => {
  test.each([
    '=1+1',
    '+48123',
    '-5',
    '@SUM(A1)',
    '\tx',
    '\nx',
    '  =1',
    '\u00a0=1',
    '\u3000＝1',
    '＋1',
    '－1',
    '＠x',
    ' \t =cmd|x',
  ])('the free text %j gets an apostrophe', (text) => {
    expect(neutralise(text, text, { name: 'additional_info' })).toBe(`'${text}`)
  })

  test.each(['', 'x', ' x', '5', 'a=b', '{"a":1}', '2026-01-02T00:00:00.000Z', 'x@y.example'])(
    'the free text %j is unchanged',
    (text) => {
      expect(neutralise(text, text, { name: 'additional_info' })).toBe(text)
    },
  )

  test.each(['code', 'id', 'voucher.code', 'voucher.id', 'campaign_id', 'holder.source_id'])(
    'the identifier column %s is never changed',
    (name) => {
      expect(neutralise('=1+1', '=1+1', { name })).toBe('=1+1')
    },
  )

  test.each(['metadata.code', 'metadata.ref_id', 'zip_codes', 'paid', 'promo-code'])(
    'the column %s is not an identifier',
    (name) => {
      expect(neutralise('=1+1', '=1+1', { name })).toBe("'=1+1")
    },
  )

  test('numbers and flags are never changed', () => {
    const cells = [
      neutralise('-5', -5, { name: 'note' }),
      neutralise('-9007199254740993', raw('-9007199254740993'), { name: 'note' }),
      neutralise('true', true, { name: 'note' }),
    ]

    expect(cells).toEqual(['-5', '-9007199254740993', 'true'])
  })

  test('a text in a column of numbers is exempt only when it parses as a number', () => {
    const cells = ['-5', '-5.25', '-5+cmd', '=5'].map((text) =>
      neutralise(text, text, { name: 'points', kind: 'number' }),
    )

    expect(cells).toEqual(['-5', '-5.25', "'-5+cmd", "'=5"])
  })
})
