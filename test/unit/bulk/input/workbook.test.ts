import { describe, expect, test } from 'vitest'
import type { InputOptions } from '../../../../src/bulk/input/input.ts'
import { cell, type Parts, row, workbook } from '../../../support/workbook.ts'
import { piped, readAll, refusal } from './reading.ts'

const xlsx = (parts: Parts | string, options: Partial<InputOptions> = {}) => {
  const bytes = workbook(typeof parts === 'string' ? { sheets: { Codes: parts } } : parts)
  return piped(bytes, { format: 'xlsx', ...options })
}

/** Reads a cell in a column of its own; the key is always `A`. */
async function fieldOf(given: { xml: string } | string, parts: Partial<Parts> = {}, options?: Partial<InputOptions>) {
  const sheets = { Codes: row('code', 'n') + row('A', given) }
  const { rows, bad } = await readAll(xlsx({ ...parts, sheets }, options))
  return rows[0]?.fields.n ?? bad[0]?.message
}

/** Reads a cell as the key. */
async function keyOf(given: { xml: string } | string, parts: Partial<Parts> = {}) {
  const { rows, bad } = await readAll(xlsx({ ...parts, sheets: { Codes: row('code') + row(given) } }))
  return rows[0]?.key ?? bad[0]?.message
}

const bombPath = 'xl/sharedStrings.xml'
/** Made once: to compress 65 MiB takes a second. */
const bomb = workbook({
  sheets: { A: row('code') },
  texts: [],
  files: { [bombPath]: `<sst>${' '.repeat(65 * 1024 * 1024)}</sst>` },
})

describe('what a cell says', () => {
  const formats = [
    'dd.mm.yyyy',
    'yyyy-mm-dd hh:mm:ss',
    'h:mm',
    '0.00',
    '0%',
    '0000000',
    '#,##0.00\\ [$€-407]',
    '[h]:mm',
    '"day "0',
    '[Red]0',
  ]
  const styled = (value: string, code: string) => cell(value, 'n', formats.indexOf(code) + 1)

  test.each([
    ['a text is exactly what it was', '=1+1 <&> "x"  ', '=1+1 <&> "x"  '],
    ['a number is one', cell('12.5'), '12.5'],
    ['what arithmetic left behind 15 digits is not shown', cell('509.99999999999994'), '510'],
    ['a truth value is one', cell('1', 'b'), 'true'],
    ['a truth value may be false', cell('0', 'b'), 'false'],
    ['a formula is its stored text', { xml: '<c t="str"><f>A1&amp;"x"</f><v>Ax_x000A_y</v></c>' }, 'Ax\ny'],
    ['a formula is its stored number', { xml: '<c><f>1+1</f><v>2</v></c>' }, '2'],
    ['an empty cell is empty', { xml: '<c s="1"/>' }, ''],
    ['a date is a day', styled('46387', 'dd.mm.yyyy'), '2026-12-31'],
    ['a date with a time is an instant', styled('46387.5', 'yyyy-mm-dd hh:mm:ss'), '2026-12-31T12:00:00.000Z'],
    [
      'midnight is an instant where the time is shown',
      styled('46387', 'yyyy-mm-dd hh:mm:ss'),
      '2026-12-31T00:00:00.000Z',
    ],
    ['milliseconds are kept', styled('46387.999999988423', 'yyyy-mm-dd hh:mm:ss'), '2026-12-31T23:59:59.999Z'],
    ['a time of the day is one', styled('0.5208333333333334', 'h:mm'), '12:30:00'],
    ['a date in ISO 8601 is a day', cell('2026-12-31', 'd'), '2026-12-31'],
    ['always shown decimals are read', styled('5', '0.00'), '5.00'],
    ['so are those of a currency', styled('5', '#,##0.00\\ [$€-407]'), '5.00'],
    ['a percentage is no number without its sign', styled('0.1', '0%'), '10%'],
    ['zeros in front are read', styled('77001', '0000000'), '0077001'],
    ['a text in a format says nothing', styled('7', '"day "0'), '7'],
    ['nor does a colour', styled('7', '[Red]0'), '7'],
    [
      'rich text is the text of its runs',
      { xml: '<c t="inlineStr"><is><r><rPr/><t>SA</t></r><r><t>VE</t></r><rPh><t>x</t></rPh></is></c>' },
      'SAVE',
    ],
    ['an escaped escape is a text', { xml: '<c t="inlineStr"><is><t>_x005F_x0041_</t></is></c>' }, '_x0041_'],
    [
      'a character above U+FFFF may be a number',
      { xml: '<c t="inlineStr"><is><t>&#x1F98A;&#233;</t></is></c>' },
      '🦊é',
    ],
  ])('%s', async (_, given, expected) => {
    expect(await fieldOf(given, { formats })).toBe(expected)
  })

  test.each([
    ['an error', cell('#N/A', 'e'), 'is the error #N/A; correct the cell'],
    ['a number of more than 15 digits', cell('9.0138086607710001E+18'), 'is a number of more than 15 digits'],
    ['a formula that nothing calculated', { xml: '<c><f>VLOOKUP(1)</f></c>' }, 'is a formula without a stored value'],
  ])('%s is a bad row, with its place', async (_, given, expected) => {
    expect(await fieldOf(given)).toContain(`row 2 of sheet "Codes", column 2 ("n"): ${expected}`)
    expect(await keyOf(given)).toContain(`row 2 of sheet "Codes", column 1 ("code"): ${expected}`)
  })

  test('a column that is left out may have errors', async () => {
    const rules = async () => ({ names: new Map(), ignored: new Set(['n']), leavesOut: () => false })

    const { rows, bad } = await readAll(xlsx(row('code', 'n') + row('A', cell('#REF!', 'e')), { rules }))

    expect([rows[0]?.fields, bad]).toEqual([{ code: 'A' }, []])
  })

  test.each([
    ['a number without a fraction is a key', cell('77001'), '77001'],
    ['and one with shown zeros is that text', styled('77001', '0000000'), '0077001'],
    ['a date is none', styled('46016', 'dd.mm.yyyy'), 'is a date, 2025-12-25, which a spreadsheet may have made of it'],
    ['a truth value is none', cell('1', 'b'), 'is a truth value; format the column as text'],
    ['a fraction is none', cell('1.5'), 'is the number 1.5; format the column as text'],
    ['nor is a time', styled('0.5208333333333334', 'h:mm'), 'is a date, 12:30:00'],
  ])('as a key, %s', async (_, given, expected) => {
    expect(await keyOf(given, { formats })).toContain(expected)
  })

  test('a field of any type gets the type of the cell, and a text stays one', async () => {
    const rules = async () => ({
      names: new Map(),
      ignored: new Set<string>(),
      leavesOut: () => false,
      takesAny: (field: string) => field.startsWith('metadata.'),
    })
    const cells =
      row('code', 'metadata.zip', 'metadata.n', 'metadata.vip', 'limit') +
      row('A', '10', cell('10'), cell('1', 'b'), cell('3'))

    const { rows } = await readAll(xlsx(cells, { rules }))

    expect(JSON.parse(JSON.stringify(rows[0]?.fields))).toEqual({
      code: 'A',
      metadata: { zip: '10', n: 10, vip: true },
      limit: '3',
    })
  })

  test('times are of the zone that the header names, else of the given one', async () => {
    const sheets = {
      Codes:
        row('code', 'expiration_date (Asia/Tokyo)', 'Start') +
        row('A', cell('46387.5', 'n', 1), cell('46387.5', 'n', 1)),
    }

    const { rows } = await readAll(
      xlsx({ sheets, formats: ['yyyy-mm-dd hh:mm'] }, { timeZone: async () => 'Europe/Berlin' }),
    )

    expect(rows[0]?.fields).toEqual({
      code: 'A',
      expiration_date: '2026-12-31T03:00:00.000Z',
      Start: '2026-12-31T11:00:00.000Z',
    })
  })

  test('days may be counted from 1904', async () => {
    expect(await fieldOf(cell('44925', 'n', 1), { formats: ['yyyy-mm-dd'], from1904: true })).toBe('2026-12-31')
  })

  test.each([
    ['1', '1900-01-01'],
    ['59', '1900-02-28'],
    ['61', '1900-03-01'],
  ])('day %s is %s, though spreadsheets believe in a 29 February 1900', async (days, expected) => {
    expect(await fieldOf(cell(days, 'n', 1), { formats: ['yyyy-mm-dd'] })).toBe(expected)
  })
})

describe('which rows are read', () => {
  test('empty rows are skipped and counted, and so are rows that are not stored', async () => {
    const { rows } = await readAll(
      xlsx(
        `<row r="3">${row('code', 'n').slice(5, -6)}</row><row/><row r="9"><c r="A9"><v>5</v></c><c r="B9"><v>1</v></c></row>`,
      ),
    )

    expect(rows.map(({ line, key, fields }) => [line, key, fields.n])).toEqual([[9, '5', '1']])
  })

  test('cells that are not stored are empty, also at the end', async () => {
    const { rows } = await readAll(
      xlsx(
        `${row('code', 'a', 'b')}<row><c r="A2" t="inlineStr"><is><t>A</t></is></c><c r="C2"><v>1</v></c></row>${row('B')}`,
      ),
    )

    expect(rows.map(({ fields }) => Object.values(fields))).toEqual([
      ['A', '', '1'],
      ['B', '', ''],
    ])
  })

  test('shared texts are read', async () => {
    const texts = ['<si><t>code</t></si>', '<si><r><t>A</t></r><r><t>-1</t></r></si>']
    const { rows } = await readAll(xlsx({ sheets: { S: row(cell('0', 's')) + row(cell('1', 's')) }, texts }))

    expect(rows.map(({ key }) => key)).toEqual(['A-1'])
  })

  test('the first sheet with rows is read and said, unless --sheet names another', async () => {
    const sheets = {
      Secret: row('code') + row('H'),
      Empty: row('', ''),
      One: row('code') + row('A'),
      Two: row('code') + row('B'),
    }
    const attributes = { Secret: 'state="hidden"' }
    const said: string[] = []
    const assumed = (sentence: string) => said.push(sentence)
    const keys = async (sheet?: string) =>
      (await readAll(xlsx({ sheets, attributes }, { assumed, ...(sheet && { sheet }) }))).rows.map(({ key }) => key)

    expect([await keys(), await keys('Two'), await keys('Secret')]).toEqual([['A'], ['B'], ['H']])
    expect(said).toEqual(['sheet "One" of standard input is read; --sheet NAME reads another'])
  })

  test('hidden rows are read, and said', async () => {
    const said: string[] = []
    const { rows } = await readAll(
      xlsx(`${row('code')}<row hidden="1"><c><v>5</v></c></row>`, { assumed: (sentence) => said.push(sentence) }),
    )

    expect([rows.length, said]).toEqual([1, ['sheet "Codes" has 1 hidden row, which are read, too']])
  })

  test.each([
    ['no such sheet', { sheet: 'codes' }, 'has no sheet "codes"; it has "Codes" | --sheet NAME, with one of these'],
    ['--delimiter', { delimiter: ';' }, '--delimiter is for CSV only'],
    ['--no-quotes', { noQuotes: true }, '--no-quotes is for CSV only'],
    ['--encoding', { encoding: 'utf-16' as const }, '--encoding is for texts only'],
  ])('%s is refused', async (_, options, expected) => {
    const { exitCode, text } = await refusal(xlsx(row('code') + row('A'), options))

    expect([exitCode, text]).toEqual([2, expect.stringContaining(expected)])
  })

  test('a text has no sheets', async () => {
    expect((await refusal(piped('code\nA\n', { sheet: 'Codes' }))).text).toContain('--sheet is for workbooks only')
  })
})

function sheetsOfOneFile(count: number): Buffer {
  const sheets = Array.from({ length: count }, (_, at) => `<sheet name="S${at}" id="s0"/>`)
  return workbook({
    sheets: { Codes: '' },
    files: { 'xl/workbook.xml': `<workbook><sheets>${sheets.join('')}</sheets></workbook>` },
  })
}

/** Gives a file inside an archive the name of another. */
function renamed(archive: Buffer, from: string, to: string): Buffer {
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1')
}

describe('a workbook that is none, damaged, too large or hostile is refused by name', () => {
  const good = workbook({ sheets: { Codes: row('code') + row('A') } })
  const stored = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good)
    change(bytes)
    return bytes
  }
  const longText = { xml: `<c t="inlineStr"><is><t>${'x'.repeat(1_100_000)}</t></is></c>` }

  test.each<[string, Buffer, string]>([
    ['CSV', Buffer.from('code\nA\n'), 'is not an Excel workbook, though it is named like one | --input-format csv'],
    ['nothing', Buffer.alloc(0), 'standard input is empty'],
    [
      'an old or encrypted one',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'is an old Excel workbook (xls), or one with a password',
    ],
    [
      'another zip archive',
      Buffer.from('PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      'is an OpenDocument file',
    ],
    ['half of one', good.subarray(0, 700), 'is damaged'],
    [
      'a format that takes minutes to read',
      workbook({ sheets: { Codes: row('code') }, formats: ['['.repeat(900_000)] }),
      'it has a format of numbers that is longer than 255 characters',
    ],
    ['one sheet under many titles', sheetsOfOneFile(2), 'two of its sheets are the same file'],
    [
      'two files of one name',
      renamed(
        workbook({ sheets: { Codes: row('code') }, files: { 'xl/worksheets/sheet9.xml': '<a/>' } }),
        'xl/worksheets/sheet9.xml',
        'xl/worksheets/sheet1.xml',
      ),
      'it has xl/worksheets/sheet1.xml inside it more than once',
    ],
    [
      'one byte of a file inside is another',
      stored((bytes) => bytes.writeUInt32LE(1, bytes.indexOf('PK\x01\x02') + 16)),
      'is damaged',
    ],
    ['no sheet inside', workbook({ sheets: {} }), 'has no sheet with rows'],
    ['no rows', workbook({ sheets: { Codes: '' } }), 'has no sheet with rows'],
    [
      'a missing file inside',
      workbook({ sheets: { A: '' }, files: { 'xl/_rels/workbook.xml.rels': relations('worksheets/gone.xml') } }),
      'has no xl/worksheets/gone.xml',
    ],
    [
      'a sheet that is elsewhere',
      workbook({
        sheets: { A: row('code') + row('A') },
        files: { 'xl/_rels/workbook.xml.rels': relations('http://127.0.0.1/x.xml', 'TargetMode="External"') },
      }),
      'has no sheet with rows',
    ],
    [
      'a sheet outside of it',
      workbook({ sheets: { A: '' }, files: { 'xl/_rels/workbook.xml.rels': relations('../../../../etc/passwd') } }),
      'it has no ../../../etc/passwd',
    ],
    [
      'declared entities',
      workbook({
        sheets: { A: '' },
        files: { 'xl/worksheets/sheet1.xml': '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>' },
      }),
      'it declares XML entities',
    ],
    [
      'an unknown entity',
      workbook({ sheets: { A: '<row><c t="str"><v>&lol;</v></c></row>' } }),
      'it uses an XML entity that is not built in',
    ],
    ['XML that is none', workbook({ sheets: { A: '<row></c>' } }), 'its XML has a fault'],
    ['deep nesting', workbook({ sheets: { A: '<a>'.repeat(1000) } }), 'its XML is nested too deeply'],
    [
      'a cell of more than 1 MiB',
      workbook({ sheets: { A: row('code') + row(longText) } }),
      'it has a text longer than 1 MiB',
    ],
    [
      'a million columns',
      workbook({ sheets: { A: '<row><c r="AAAAA1"><v>1</v></c></row>' } }),
      'its cell AAAAA1 does not exist',
    ],
    [
      'more columns than a sheet has',
      workbook({ sheets: { A: '<row><c r="XFE1"><v>1</v></c></row>' } }),
      'its cell XFE1 does not exist',
    ],
    [
      'columns in another order',
      workbook({ sheets: { A: '<row><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>' } }),
      'its cell A1 does not exist',
    ],
    [
      'a row behind the last',
      workbook({ sheets: { A: '<row r="99999999999"><c><v>1</v></c></row>' } }),
      'its row 99999999999 does not exist',
    ],
    ['rows in another order', workbook({ sheets: { A: '<row r="2"/><row r="1"/>' } }), 'its row 1 does not exist'],
    [
      'more columns than are read',
      workbook({ sheets: { A: row(...Array.from({ length: 300 }, (_, at) => `c${at}`)) } }),
      'has more than 256 columns',
    ],
    [
      'a shared text that does not exist',
      workbook({ sheets: { A: row(cell('5', 's')) } }),
      'a cell names a text that does not exist',
    ],
    ['a number that is none', workbook({ sheets: { A: row(cell('1,5')) } }), 'a cell has a number that is none'],
    [
      'a date that does not exist',
      workbook({ sheets: { A: row(cell('99999999', 'n', 1)) }, formats: ['yyyy'] }),
      'a cell has a date that does not exist',
    ],
    [
      'shared texts of gigabytes',
      declaring(),
      'too large: xl/sharedStrings.xml inside it is longer than 64 MiB | save its sheet as "CSV UTF-8"',
    ],
    ['more than it declares', declaring(1000), 'is damaged: too many bytes in the stream'],
  ])('%s', async (_, bytes, expected) => {
    const { exitCode, text } = await refusal(piped(bytes, { format: 'xlsx' }))

    expect([exitCode, text]).toEqual([2, expect.stringContaining(expected)])
  })

  test('more than 64 MiB', async () => {
    const { text } = await refusal(
      piped(Buffer.concat([Buffer.from('PK'), Buffer.alloc(65 * 1024 * 1024)]), { format: 'xlsx' }),
    )

    expect(text).toContain('standard input is longer than 64 MiB | save its sheet as "CSV UTF-8"')
  })

  test('the cells between two of a row that is wider than any header are not made', async () => {
    const wide = '<row><c><v>1</v></c><c r="XFD2"><v>1</v></c></row>'

    const { bad } = await readAll(xlsx(row('code', 'n') + wide))

    expect(bad).toEqual([expect.objectContaining({ message: expect.stringContaining('257 fields') })])
  })

  test('a row of more than 1 MiB is a bad row, and the next is read', async () => {
    const long = 'x'.repeat(600_000)
    const { rows, bad } = await readAll(xlsx(row('code', 'a') + row(long, long) + row('B', '')))

    expect([rows.map(({ key }) => key), bad.map(({ message }) => message)]).toEqual([
      ['B'],
      ['row 2 of sheet "Codes": is longer than 1 MiB'],
    ])
  })
})

function relations(target: string, more = ''): string {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  return `<Relationships><Relationship Id="s0" Type="${office}/worksheet" Target="${target}" ${more}/></Relationships>`
}

/** A workbook with a file that inflates to 65 MiB, which its directory says, or another length in bytes. */
function declaring(bytes?: number): Buffer {
  expect(bomb.length).toBeLessThan(1024 * 1024)
  const copy = Buffer.from(bomb)
  if (bytes !== undefined) copy.writeUInt32LE(bytes, copy.lastIndexOf(bombPath) - 46 + 24)
  return copy
}
