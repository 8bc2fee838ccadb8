import { readFileSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headingsFor } from '../../../../src/bulk/input/key-column.ts'
import { piped, readAll, refusal } from './reading.ts'

describe('what a CSV file may look like', () => {
  test.each([
    ['a byte order mark is not part of the first name', '\uFEFFcode,n\na,1\n', '2:a:1'],
    ['lines end with CRLF', 'code,n\r\na,1\r\nb,2\r\n', '2:a:1 3:b:2'],
    ['lines end now with LF, now with CRLF', 'code,n\na,1\r\nb,2\nc,3', '2:a:1 3:b:2 4:c:3'],
    ['the last line has no ending', 'code,n\na,1', '2:a:1'],
    ['rows of empty cells are skipped but counted', 'code,n\n,\n"",""\n,,,\na,1\n', '5:a:1'],
    ['blank lines are skipped but counted', '\ncode,n\n\r\n\na,1\n\n', '5:a:1'],
    ['a quoted line break leaves line numbers physical', 'code,n\na,"x\r\ny\nz"\nb,2\n', '2:a:x\r\ny\nz 5:b:2'],
    ['a lone carriage return inside quotes is data', 'code,n\na,"x\ry"\n', '2:a:x\ry'],
    ['a doubled quote is one quote', 'code,n\na,"say ""hi"""\nb,""""\nc,""\n', '2:a:say "hi" 3:b:" 4:c:'],
    ['a delimiter in quotes is data', 'code,n\n"a,b",1\n', '2:a,b:1'],
    ['what a spreadsheet would run is data', 'code,n\n=1+1,1\n+a,2\n-b,3\n@c,4\n', '2:=1+1:1 3:+a:2 4:-b:3 5:@c:4'],
    [
      'codes with path characters and beyond ASCII stay as they are',
      'code,n\na/b?c#d%e\\f,1\n%2e%2e,2\nÜ😀,3\n',
      '2:a/b?c#d%e\\f:1 3:%2e%2e:2 4:Ü😀:3',
    ],
    ['escape sequences and overrides are data', 'code,n\na\u001b[31m,1\nb\u202e,2\n', '2:a\u001b[31m:1 3:b\u202e:2'],
    ['a file with only a header has no rows', 'code,n\n', ''],
  ])('%s', async (_, text, rows) => {
    const whole = await readAll(piped(text))
    const byteByByte = await readAll(piped(text, {}, 1))

    expect(whole).toEqual(byteByByte)
    expect(whole.bad).toEqual([])
    expect(whole.rows.map(({ line, key, fields }) => `${line}:${key}:${String(fields.n)}`).join(' ')).toBe(rows)
  })

  test('a delimiter is what the caller says it is', async () => {
    const semicolons = await readAll(piped('code;n\na,b;1\n', { delimiter: ';' }))
    const tabs = await readAll(piped('code\tn\na\t1\n', { delimiter: '\\t' }))

    expect(semicolons.rows[0]).toMatchObject({ key: 'a,b', fields: { n: '1' } })
    expect(tabs.rows[0]).toMatchObject({ key: 'a', fields: { n: '1' } })
  })

  test('a column named like a part of every object is a column', async () => {
    const { rows } = await readAll(piped('code,__proto__,constructor,toString\na,b,c,d\n'))

    expect(JSON.stringify(rows[0]?.fields)).toBe('{"code":"a","__proto__":"b","constructor":"c","toString":"d"}')
    expect(Object.getPrototypeOf(rows[0]?.fields)).toBeNull()
    expect(({} as { b?: unknown }).b).toBeUndefined()
  })

  test('the odd example is read as it was meant', async () => {
    const { rows, bad } = await readAll(piped(readFileSync('examples/odd/evil.csv')))

    expect(bad).toEqual([])
    expect(rows.map(({ line, key }) => [line, key])).toEqual([
      [2, 'SUMMER/25%'],
      [3, '=HYPERLINK("http://127.0.0.1")'],
      [4, 'two, or "three"'],
      [7, '%2e%2e'],
      [8, '-rf'],
      [10, 'ÜBER😀'],
    ])
  })
})

// The sets of the csv-spectrum corpus, written down here with the cells that are expected below the header.
test.each([
  ['comma in quotes', 'first,address\nJohn,"120 any st., A"\n', 'John|120 any st., A'],
  ['empty', 'first,b,c\n1,"",""\n2,3,4\n', '1|| // 2|3|4'],
  ['empty with CRLF', 'first,b,c\r\n1,"",""\r\n2,3,4\r\n', '1|| // 2|3|4'],
  ['escaped quotes', 'first,b\n1,"ha ""ha"" ha"\n3,4\n', '1|ha "ha" ha // 3|4'],
  ['json', 'first,val\n1,"{""type"": ""Point"", ""at"": [102.0, 0.5]}"\n', '1|{"type": "Point", "at": [102.0, 0.5]}'],
  ['newlines', 'first,b,c\n1,2,3\n"Once \na time",5,6\n7,8,9\n', '1|2|3 // Once \na time|5|6 // 7|8|9'],
  ['newlines with CRLF', 'first,b,c\r\n1,2,3\r\n"a \r\nb",5,6\r\n7,8,9\r\n', '1|2|3 // a \r\nb|5|6 // 7|8|9'],
  ['quotes and newlines', 'first,b\n1,"ha \n""ha"" \nha"\n3,4\n', '1|ha \n"ha" \nha // 3|4'],
  ['simple', 'first,b,c\n1,2,3\n', '1|2|3'],
  ['utf8', 'first,b,c\n1,2,3\n4,5,ʤ\n', '1|2|3 // 4|5|ʤ'],
])('the well-known odd file %s is read', async (_name, text, expected) => {
  const { rows, bad } = await readAll(piped(text, { column: 'first', checkKey: () => undefined }))

  expect(bad).toEqual([])
  expect(rows.map(({ fields }) => Object.values(fields).join('|')).join(' // ')).toBe(expected)
})

describe('rows that cannot be used', () => {
  const requote = '; quote the whole field and double the quotes in it'
  const loneReturn = 'a carriage return (CR) without a line feed; lines end with LF or CRLF'
  const pathStep = 'is a path step, which would change the address of the call'

  test.each<[what: string, text: string, usable: number, ...messages: string[]]>([
    ['fewer fields than the header', 'code,n\nok,1\na\nlast,2\n', 2, 'line 3: has 1 field, the header has 2: "a"'],
    ['more fields', 'code,n\nok,1\na,1,2\nlast,2\n', 2, 'line 3: has 3 fields, the header has 2: "a,1,2"'],
    [
      'a quote inside an unquoted field',
      'code,n\nok,1\na"b,1\nlast,2\n',
      2,
      `line 3, column 1: there is a quote inside a field that is not quoted${requote}`,
    ],
    [
      'text after a closing quote',
      'code,n\nok,1\nx,"a"b\nlast,2\n',
      2,
      `line 3, column 2: there is text between a closing quote and the end of the field${requote}`,
    ],
    ['a quote never closed', 'code,n\nok,1\n\n"x\ny\nlast,2\n', 1, 'line 4: the quote that opens here is never closed'],
    [
      'one with doubled quotes further down',
      'code,n\n"x\n""y\n',
      0,
      'line 2: the quote that opens here is never closed',
    ],
    ['a carriage return as the last byte', 'code,n\nok,1\na,1\r', 1, `line 3: ${loneReturn}`],
    ['a lone carriage return', 'code,n\nok,1\na,1\rlast,2\n', 1, `line 3: ${loneReturn}`],
    ['an empty key', 'n,code\n1,ok\n1,\n', 1, 'line 3, column 2 ("code"): is empty'],
    [
      'a key that is a path step',
      'n,code\n1,..\n1,.\n',
      0,
      `line 2, column 2 ("code"): ${pathStep}: ".."`,
      `line 3, column 2 ("code"): ${pathStep}: "."`,
    ],
    [
      'white space around a key',
      'code\n"a "\n',
      0,
      'line 2, column 1 ("code"): has white space around it; remove it from the input: "a "',
    ],
    [
      'a line break in a key',
      'code\n"a\nb"\nok\n',
      1,
      'line 2, column 1 ("code"): contains a tab, a line break or a NUL: "a\\x0ab"',
    ],
    [
      'a long key with escapes, cut and made visible',
      `code\n\u001b${'x'.repeat(2000)}\n`,
      0,
      `line 2, column 1 ("code"): is longer than 1,024 characters: "\\x1b${'x'.repeat(55)}…"`,
    ],
  ])('%s is reported with its line, and the reading continues where it can', async (_, text, usable, ...messages) => {
    const whole = await readAll(piped(text))
    const byteByByte = await readAll(piped(text, {}, 1))

    expect(whole).toEqual(byteByByte)
    expect(whole.bad.map(({ message }) => message)).toEqual(messages)
    expect(whole.rows).toHaveLength(usable)
  })

  test('a record of more than 1 MiB ends the reading and names the line on which its quote opens', async () => {
    const { rows, bad } = await readAll(piped(`code,n\na,1\nb,"${'x\n'.repeat(600_000)}`))

    expect(rows.map(({ key }) => key)).toEqual(['a'])
    expect(bad).toEqual([
      {
        line: 3,
        rule: 'size',
        message: 'line 3: the record is longer than 1 MiB (is the quote on line 3 never closed?)',
        final: true,
      },
    ])
  })

  test('a record of exactly 1 MiB is read', async () => {
    const { rows, bad } = await readAll(piped(`code,n\na,${'x'.repeat(1024 * 1024 - 2)}\n`))

    expect(bad).toEqual([])
    expect(rows).toHaveLength(1)
  })
})

describe('CSV as a spreadsheet saves it', () => {
  test.each([
    ['semicolons', 'code;n\na,b;1\n', ['a,b', '1']],
    ['tabs', 'code\tn\na;b\t1\n', ['a;b', '1']],
    ['semicolons in quotes and CRLF', '"n, all";"code"\r\n"1";"a;b"\r\n', ['a;b', '1']],
    ['commas beside semicolons in quotes', 'code,"n;m;o;p"\na,1\n', ['a', '1']],
    ['a blank line first', '\n\ncode;n\na;1\n', ['a', '1']],
  ])('is read with its delimiter: %s', async (_, text, expected) => {
    for (const size of [1, 7, 1000]) {
      const { rows, bad } = await readAll(piped(text, {}, size))

      expect(bad).toEqual([])
      expect(rows.map(({ key, fields }) => [key, Object.values(fields).find((value) => value !== key)])).toEqual([
        expected,
      ])
    }
  })

  test.each(['Voucher Code', 'CODE', 'voucher_code', ' code ', 'Code:'])(
    'has its key in the only column that fits: %s',
    async (title) => {
      const layouts: unknown[] = []
      const assumed: string[] = []

      const { rows } = await readAll(
        piped(`n;${title}\r\n1;a\r\n`, {
          headings: headingsFor('voucher', 'code'),
          onLayout: (layout) => layouts.push(layout),
          assumed: (sentence) => assumed.push(sentence),
        }),
      )

      expect(rows).toMatchObject([{ key: 'a', fields: { n: '1', code: 'a' } }])
      expect(assumed).toEqual([`the column "${title}" is taken for "code"`])
      expect(layouts).toEqual([{ columns: ['n', 'code'], titles: ['n', title], form: { delimiter: ';', crlf: true } }])
    },
  )

  test('has an exact name before any other spelling', async () => {
    const { rows } = await readAll(piped('Code,code\na,b\n'))

    expect(rows).toMatchObject([{ key: 'b', fields: { Code: 'a', code: 'b' } }])
  })

  test('is trimmed where the user says so', async () => {
    const { rows, bad } = await readAll(piped('code,n\n a\u00a0, 1 \n', { trim: true }))

    expect(bad).toEqual([])
    expect(rows).toMatchObject([{ key: 'a', fields: { code: 'a', n: '1' } }])
  })
})

describe('CSV files that cannot be used at all', () => {
  const noKey = 'has no column "code"; its first line names'

  test.each([
    ['an empty file', '', 'is empty'],
    ['a byte order mark alone', '\uFEFF', 'is empty'],
    ['only blank lines', '\n\r\n\n', 'has only blank lines'],
    [
      'a name that occurs twice',
      'code,a,a\n',
      'names the column "a" more than once (columns 2, 3) | give every column a name of its own',
    ],
    ['two other spellings', ' Code ,CODE\n', `${noKey} " Code ", "CODE" | did you mean " Code "? --column ' Code '`],
    ['a near name', "code's\n", `${noKey} "code's" | did you mean "code's"? --column 'code'\\''s'`],
    ['no near name', 'voucher,n\n', `${noKey} "voucher", "n" | --column NAME, with one of the names above`],
    ['semicolons', 'voucher;n\nx;1\n', `${noKey} "voucher", "n" | --column NAME, with one of the names above`],
    [
      'one column without a header',
      'SAVE10\nSAVE20\n',
      `${noKey} "SAVE10" | --input-format lines, if the first line is already data; otherwise --column SAVE10`,
    ],
    ['257 columns', `${Array.from({ length: 257 }, (_, at) => `c${at}`).join()}\n`, 'has more than 256 columns'],
  ])('%s is refused with the next step', async (_name, text, expected) => {
    const refused = await refusal(piped(text))

    expect(refused).toMatchObject({ kind: 'input', exitCode: 2 })
    expect(refused.text).toContain(`standard input ${expected}`)
  })

  test('a header with a misplaced quote ends the reading, so that no data is taken for a header', async () => {
    const { rows, bad } = await readAll(piped('co"de,n\ncode,n\na,1\n'))

    expect(rows).toEqual([])
    expect(bad).toMatchObject([{ line: 1, rule: 'quote', final: true }])
  })
})

test('whatever a writer puts into CSV comes back unchanged and on its physical line', async () => {
  const value = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom('"', ',', '\n', '\r\n', '\r', ' ', '='),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
    })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  const names = fc.uniqueArray(
    value.filter((name) => name !== 'code'),
    { maxLength: 4 },
  )
  const cases = names.chain((others) =>
    fc.record({
      header: fc.constant<string[]>(['code', ...others]),
      values: fc.array(
        fc
          .array(value, { minLength: others.length + 1, maxLength: others.length + 1 })
          // A row of empty cells is none.
          .filter((cells) => cells.some((cell) => cell !== '')),
      ),
      ending: fc.constantFrom('\n', '\r\n'),
      pieceBytes: fc.integer({ min: 1, max: 40 }),
    }),
  )

  await fc.assert(
    fc.asyncProperty(cases, async ({ header, values, ending, pieceBytes }) => {
      const records: string[][] = [header, ...values]
      const text = stringify(records, { record_delimiter: ending, quoted: true, quoted_empty: true })

      const { rows, bad } = await readAll(piped(text, { checkKey: () => undefined, asWritten: true }, pieceBytes))

      expect(bad).toEqual([])
      expect(rows.map(({ fields }) => Object.entries(fields))).toEqual(
        // In the order of an object's names: those that look like array positions come first.
        values.map((record) => Object.entries(Object.fromEntries(header.map((name, at) => [name, record[at]])))),
      )
      const newlines = (part: string[][]) =>
        stringify(part, { record_delimiter: ending, quoted: true, quoted_empty: true }).split('\n').length
      expect(rows.map(({ line }) => line)).toEqual(values.map((_, at) => newlines(records.slice(0, at + 1))))
    }),
    { numRuns: 300 },
  )
})
