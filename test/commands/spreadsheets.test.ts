// Files that go to and come from a spreadsheet: how they open there, and how what it saves is read.
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shapes } from '../../src/base/spreadsheet-shapes.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const onSandbox = ['--profile', 'sandbox']
const welcome = ['vouchers', 'get', 'WELCOME-001', '--columns', 'code,type,metadata.note', ...onSandbox]

test.each([
  ['de_DE.UTF-8', '\ufeffcode;type;metadata.note\r\nWELCOME-001;DISCOUNT_VOUCHER;\r\n'],
  ['en_US.UTF-8', '\ufeffcode,type,metadata.note\r\nWELCOME-001,DISCOUNT_VOUCHER,\r\n'],
])('--excel writes a mark, CRLF and the list separator of the locale %s', async (locale, expected) => {
  const out = join(folder, `${locale}.csv`)

  expect(await promo([...welcome, '--excel', '--out', out], { env: { LC_ALL: locale } })).toEnd(0)
  expect(await readFile(out, 'utf8')).toBe(expected)
})

test('--csv-delimiter decides the delimiter, with and without --excel', async () => {
  const tabs = await promo([...welcome, '--excel', '--csv-delimiter', 'tab', '--no-header'])
  const semicolons = await promo([...welcome, '--csv', '--csv-delimiter', ';', '--no-header'])
  const noCsv = await promo([...welcome.filter((word) => !/^--col|,/.test(word)), '--json', '--csv-delimiter', ';'])

  expect(tabs.stdout).toBe('\ufeffWELCOME-001\tDISCOUNT_VOUCHER\t\r\n')
  expect(semicolons.stdout).toBe('WELCOME-001;DISCOUNT_VOUCHER;\n')
  expect(noCsv).toMatchObject({ exitCode: 2, stdout: '' })
  expect(noCsv.stderr).toContain('--csv-delimiter is for CSV only')
})

test('--format text prints bare values, one a line', async () => {
  const one = await promo('vouchers get WELCOME-001 --query code --format text --profile sandbox')
  const many = await promo('campaigns list --query "[].[name, vouchers_count]" --format text --profile sandbox')

  expect(one.stdout).toBe('WELCOME-001\n')
  expect(many.stdout).toContain('\nWelcome\t12\n')
})

test('a list that a spreadsheet saved is disabled, and its report opens where the list did', async () => {
  const list = join(folder, 'list.csv')
  const report = join(folder, 'report.csv')
  await writeFile(list, Buffer.from('Grund;Voucher Code\r\n\x80 fällig;WELCOME-001 \r\n"a;b";NOPE\r\n', 'latin1'))
  const disable = ['vouchers', 'disable', '--from', list, '--encoding', 'windows-1252', '--yes', ...onSandbox]

  const refused = await promo(disable)
  const disabled = await promo([...disable, '--trim'])
  const [, job = ''] = /jobs report (\S+)/.exec(disabled.stderr) ?? []
  const columns = ['--columns', 'Grund,code,promo_state']
  const { exitCode } = await promo(['jobs', 'report', job, '--csv', ...columns, '--out', report])

  expect(refused).toEnd(2, 'try: --trim removes the white space around the values of these rows')
  expect(disabled).toEnd(3, 'the column "Voucher Code" is taken for "code"\n')
  expect(exitCode).toBe(0)
  expect(await readFile(report, 'latin1')).toBe(
    'Grund;Voucher Code;promo_state\r\n\x80 fällig;WELCOME-001;ok\r\n"a;b";NOPE;failed\r\n',
  )
})

test.each([
  [';', ';', 'C'],
  [';', ';', 'de_DE.UTF-8'],
  [',', ',', 'C'],
  [',', ',', 'de_DE.UTF-8'],
  ['\t', ',', 'C'],
  ['\t', ';', 'de_DE.UTF-8'],
])(
  'a report with --excel of a list with %j between its fields has %j in the locale %s',
  async (given, written, LC_ALL) => {
    const list = join(folder, 'again.csv')
    const report = join(folder, 'excel.csv')
    await writeFile(list, `Voucher Code${given}Name\r\nWELCOME-005${given}Zoë\r\nNOPE${given}\r\n`)
    const disabled = await promo(`vouchers disable --from ${list} --yes --profile sandbox`)
    const [, job = ''] = /jobs report (\S+)/.exec(disabled.stderr) ?? []

    const columns = ['--columns', 'code,Name,promo_state']
    await promo(['jobs', 'report', job, '--excel', ...columns, '--out', report], { env: { LC_ALL } })

    const lines = [
      ['Voucher Code', 'Name', 'promo_state'],
      ['WELCOME-005', 'Zoë', 'ok'],
      ['NOPE', '', 'failed'],
    ]
    const expected = lines.map((line) => `${line.join(written)}\r\n`).join('')
    expect(await readFile(report, 'utf8')).toBe(`\ufeff${expected}`)
  },
)

test('Unicode text of a spreadsheet is read by its byte order mark', async () => {
  const list = join(folder, 'unicode.txt.csv')
  await writeFile(list, Buffer.from('\ufeffCode\tNote\r\nWELCOME-002\tGRÜN\r\n', 'utf16le'))

  expect(await promo(`vouchers disable --from ${list} --yes --profile sandbox`)).toEnd(0, 'disabled 1 voucher ')
})

test.each([
  [
    'a line that names the delimiter',
    'sep.csv',
    'sep=;\r\nName;Voucher Code\r\n"Müller, Söhne";WELCOME-003\r\nZoë;NOPE\r\n',
  ],
  ['the extension txt and tabs', 'tabs.txt', 'Name\tVoucher Code\r\n"Müller, Söhne"\tWELCOME-003\r\nZoë\tNOPE\r\n'],
  ['the extension txt and only codes', 'codes.txt', 'Voucher Code\r\nWELCOME-003\r\nNOPE\r\n'],
])('a spreadsheet file with %s is read, and keeps the numbers of its lines', async (_, name, text) => {
  const list = join(folder, name)
  await writeFile(list, Buffer.from(`\ufeff${text}`, 'utf16le'))

  const { stdout } = await promo(`vouchers disable --from ${list} --yes --jsonl --profile sandbox`)

  const outcomes = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const lastLine = text.split('\r\n').length - 1
  expect(outcomes).toMatchObject([
    { code: 'WELCOME-003', state: 'ok', line: lastLine - 1 },
    { code: 'NOPE', state: 'failed', line: lastLine },
    { t: 'summary' },
  ])
})

const ruins = shapes.flatMap(({ ruin }) => ruin?.examples ?? [])
const damaged: [what: string, name: string, text: string, place: string, words: string[]][] = [
  ...ruins.map((code): (typeof damaged)[number] => [code, 'ruin.csv', `code;x\n${code};a\n`, 'column 1 ("code")', []]),
  [
    'a ruin of another name',
    'to.csv',
    'code,to,points\nA,1.2E+46,1\n',
    'column 2 ("to")',
    ['loyalty', 'points', 'transfer', '--to', 'B'],
  ],
  [
    'a ruin in any text',
    'any.csv',
    'code,metadata.ean\nA,9.01E+12\n',
    'column 2 ("metadata.ean")',
    ['vouchers', 'update'],
  ],
  ['a ruin in an import', 'import.csv', 'Code,x\nTRUE,a\n', 'column 1 ("Code")', ['vouchers', 'import']],
  ['a ruin in a line', 'ruin.txt', 'TRUE\n', '', []],
  ['a comment in a list', 'comment.txt', '# leaked\nMORNING\n', '', []],
  ['a quoted line', 'quoted.txt', '"MORNING"\n', '', []],
  ['a quoted code', 'quoted.csv', 'code,x\n"MORNING",a\n', 'column 1 ("code")', ['vouchers', 'disable', '--no-quotes']],
  [
    'a quoted text',
    'name.csv',
    'code,metadata.a\nA,"x"\n',
    'column 2 ("metadata.a")',
    ['vouchers', 'update', '--no-quotes'],
  ],
]

/** A command takes its rows by --from, an import the file itself. */
const fileOf = ([, verb]: readonly string[], file: string) => (verb === 'import' ? [file] : ['--from', file])

test.each(damaged)(
  '%s stops a command before anything is sent, unless it is meant',
  async (_, name, text, place, words) => {
    const list = join(folder, name)
    await writeFile(list, text)
    const line = [
      ...(words.length > 0 ? words : ['vouchers', 'disable']),
      ...fileOf(words, list),
      '--dry-run',
      ...onSandbox,
    ]

    const refused = await promo(line)
    const meant = await promo([...line, '--as-written'])

    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain(place === '' ? 'line 1: ' : `line 2, ${place}: `)
    expect(refused.stderr).toMatch(/try: .*--as-written/)
    expect(meant.exitCode).toBe(0)
  },
)

test.each([
  ['a day in another column', 'code,metadata.born\nA,01.05.2020\n'],
  ['an error in a column that is not sent', 'code,note\nA,#N/A\n'],
])('%s stops nothing', async (what, text) => {
  const list = join(folder, 'fine.csv')
  await writeFile(list, text)
  const command = what.includes('not sent') ? 'disable' : 'update'

  expect(await promo(['vouchers', command, '--from', list, '--dry-run', ...onSandbox])).toMatchObject({ exitCode: 0 })
})

// Every command that reads rows reads them through the same reader; those with a file of their own are named here.
test.each([
  [['customers', 'create', '--column', 'id', '--map', 'Name=name', '--from'], 'id,Name,metadata.tel'],
  [['vouchers', 'update', '--from'], 'code,metadata.a,metadata.tel'],
  [['redemptions', 'create', '--from'], 'code,customer,metadata.tel'],
  [['vouchers', 'import'], 'Code,Note,Phone'],
  [['products', 'import'], 'source_id,name,Phone'],
])('%j removes the mark of a text in every column, and says so once for each', async (command, header) => {
  const list = join(folder, 'marked.csv')
  for (const end of ['\n', '\r\n']) {
    await writeFile(list, [header, "'9013808660771,Ann,'+49170", "'9013808660772,'=x,'+49171", ''].join(end))

    const { stdout, stderr } = await promo([...command, list, '--dry-run', '--json', ...onSandbox])
    const kept = await promo([...command, list, '--as-written', '--dry-run', '--json', ...onSandbox])

    expect(stdout).toContain('9013808660771')
    expect(stdout).not.toContain("'")
    expect(stderr.match(/a spreadsheet's mark of a text/g)).toHaveLength(3)
    expect(stderr).toContain(`in the column "${header.split(',')[0]}" "'9013808660771" is read as "9013808660771"`)
    expect(kept.stdout).toContain("'9013808660771")
  }
})

test('an apostrophe that begins a word is part of it', async () => {
  const list = join(folder, 'words.csv')
  await writeFile(list, "code,metadata.a\nA,'t Hof\n")

  expect((await promo(`vouchers update --from ${list} --dry-run --json --profile sandbox`)).stdout).toContain("'t Hof")
})

describe('the name of the file of --out', () => {
  const folder = temporaryFolder()
  const here = promoIn(folder)
  const written = async (name: string, ...words: string[]) => {
    const out = join(folder, name)
    const profile = words[0] === 'jobs' ? [] : ['--profile', 'sandbox']
    const ran = await here([...words, '--out', out, ...profile])
    return { ...ran, text: existsSync(out) ? readFileSync(out, 'utf8') : undefined }
  }
  const list = ['vouchers', 'list', '--campaign', 'Spring mailing']

  test.each([
    ['all.csv', /^id,code,type,/, 1001],
    ['all.CSV', /^id,code,type,/, 1001],
    ['all.jsonl', /^\{"id":/, 1000],
    ['all.ndjson', /^\{"id":/, 1000],
  ])('%s says its format, and the list is complete', async (name, begin, lines) => {
    const { exitCode, text = '' } = await written(name, ...list)

    expect(exitCode).toBe(0)
    expect(text).toMatch(begin)
    expect(text.trimEnd().split('\n')).toHaveLength(lines)
  })

  test('says the format of one object, of outcomes and of a report; a flag wins', async () => {
    const one = await written('one.yaml', 'vouchers', 'get', 'MORNING')
    const json = await written('one.json', 'vouchers', 'get', 'MORNING', '--query', 'code')
    const outcomes = await written('out.csv', 'vouchers', 'disable', 'MORNING', 'WEEKEND', '--yes')
    const report = await written('report.csv', 'jobs', 'report', 'latest')
    const table = await written('table.csv', 'vouchers', 'get', 'MORNING', '--format', 'table')
    const other = await written('list.txt', 'vouchers', 'list', '--limit', '1')

    expect([one.text, json.text]).toEqual([expect.stringMatching(/^id: v_\w+\ncode: MORNING\n/), '"MORNING"\n'])
    expect(outcomes.text).toMatch(/^line,code,state,/)
    expect(report.text).toMatch(/^code,promo_line,/)
    expect(table.text).toMatch(/^id +v_/)
    expect(other.text).toMatch(/^code +type +/)
  })

  test.each([
    ['all.xlsx', ['--csv']],
    ['all.XLS', []],
    ['all.ods', ['--format', 'xlsx']],
  ])('%s with %j is no such file, and is refused before any request', async (name, flags) => {
    const { exitCode, stdout, stderr, text } = await written(name, ...list, ...flags, '--verbose')

    expect([exitCode, stdout, text], stderr).toEqual([2, '', undefined])
    expect(stderr).toMatch(
      /no spreadsheet opens (a text|an xlsx workbook) under that name\ntry: --format xlsx --out .*all\.xlsx\n$/,
    )
  })
})

describe('values of a file as a country writes them', () => {
  const body = async (command: string[], text: string, ...flags: string[]) => {
    const list = join(folder, 'values.csv')
    await writeFile(list, text)
    const ran = await promo([...command, '--from', list, ...flags, '--dry-run', '--json', ...onSandbox])
    return { ...ran, body: ran.exitCode === 0 ? JSON.parse(ran.stdout)[0].body : undefined }
  }
  const update = ['vouchers', 'update']

  test.each([
    ['TRUE', true],
    ['False', false],
    ['WAHR', true],
    ['true', true],
  ])('%s is a truth value where the field is one', async (text, active) => {
    expect((await body(update, `code;active\nA;${text}\n`)).body).toEqual({ active })
  })

  test('TRUE in metadata is a truth value, which is said once a column and can be a text', async () => {
    const file = 'code;metadata.a;metadata.b\nA;TRUE;x\nB;False;TRUE\n'

    const read = await body(update, file)
    const kept = await body(update, file, '--type-of', 'metadata.a=string')

    expect(read.body).toEqual({ metadata: { a: true, b: 'x' } })
    expect(read.stderr.match(/metadata\.a: TRUE is read as true; --type-of metadata\.a=string/g)).toHaveLength(1)
    expect(read.stderr.match(/is read as/g)).toHaveLength(2)
    expect(kept.body).toEqual({ metadata: { a: 'TRUE', b: 'x' } })
  })

  test.each([
    ['DD.MM.YYYY', '31.12.2026', '2026-12-31T23:59:59.999Z'],
    ['D.M.YY', '3.1.26', undefined],
    ['MM/DD/YY', '12/31/26', '2026-12-31T23:59:59.999Z'],
    ['DD. MM. YYYY', '31. 12. 2026', '2026-12-31T23:59:59.999Z'],
    ['DD.MM.YYYY', '2026-12-31', '2026-12-31T23:59:59.999Z'],
    ['DD.MM.YYYY', '31.12.2026 14:30', '2026-12-31T14:30:00.000Z'],
    ['DD.MM.YYYY', '31.12.2026, 9:05:01', '2026-12-31T09:05:01.000Z'],
    ['MM/DD/YYYY', '12/31/2026 12:30 am', '2026-12-31T00:30:00.000Z'],
    ['MM/DD/YYYY', '12/31/2026 2:30 PM', '2026-12-31T14:30:00.000Z'],
    ['MM/DD/YYYY', '12/31/2026 14:30 PM', undefined],
    ['DD.MM.YYYY', '31.12.2026 25:00', undefined],
    ['DD.MM.YYYY', '30.02.2026 10:00', undefined],
    ['YYYY-MM-DD', '2026-12-31 14:30', '2026-12-31T14:30:00.000Z'],
  ])('--dates %s reads %s', async (form, text, expiration_date) => {
    const { body: sent, exitCode } = await body(update, `code;expiration_date\nA;${text}\n`, '--dates', form)

    expect([exitCode, sent]).toEqual(expiration_date === undefined ? [2, undefined] : [0, { expiration_date }])
  })

  test('--dates reads a time in the zone of the project, and of a birthday its day alone', async () => {
    const file = 'source_id;birthdate;metadata.at\nA;24.12.1996 00:00;1.2.2026 9:05\n'
    const env = { PROMO_TIMEZONE: 'Europe/Warsaw' }
    const { stdout, stderr } = await promo(
      ['customers', 'create', '--from', '-', '--dates', 'DD.MM.YYYY', '--dry-run', '--json', ...onSandbox],
      { stdin: file, env },
    )

    expect(JSON.parse(stdout)[0].body).toMatchObject({
      birthdate: '1996-12-24',
      metadata: { at: '2026-02-01T08:05:00.000Z' },
    })
    expect(stderr).toContain('metadata.at: a time is one in Europe/Warsaw, 1.2.2026 9:05 is sent as')
  })

  test.each([
    ['discount.percent_off', '12,5', ['--decimal', ','], { discount: { type: 'PERCENT', percent_off: 12.5 } }],
    ['gift.amount', '1.234,50', ['--decimal', ',', '--amounts-in', 'EUR'], { gift: { amount: 123_450 } }],
    ['gift.amount', '5', ['--amounts-in', 'JPY'], { gift: { amount: 5 } }],
    ['gift.amount', '0.05', ['--amounts-in', 'EUR'], { gift: { amount: 5 } }],
    ['metadata.size', '12,5', ['--decimal', ','], { metadata: { size: 12.5 } }],
    ['metadata.no', '1,10', ['--decimal', ','], { metadata: { no: '1,10' } }],
  ])('%s %s with %j', async (column, text, flags, expected) => {
    const isGift = column === 'gift.amount'
    const command = isGift ? ['vouchers', 'create', '--type', 'GIFT_VOUCHER'] : update
    const file = `code;${column};discount.type\nA;${text};${column.startsWith('discount') ? 'PERCENT' : ''}\n`

    expect((await body(command, file, ...flags)).body).toEqual(
      isGift ? { ...expected, type: 'GIFT_VOUCHER' } : expected,
    )
  })

  test.each([
    ['expiration_date', '31.12.2026', '--dates DD.MM.YYYY'],
    ['expiration_date', '12/31/26', '--dates DD/MM/YY, or MM/DD/YY'],
    ['expiration_date', '31.12.2026 14:30', '--dates DD.MM.YYYY'],
    ['expiration_date', '12/31/2026 2:30 PM', '--dates DD/MM/YYYY, or MM/DD/YYYY'],
    ['expiration_date', '2026-12-31 14:30', '--dates YYYY-MM-DD'],
    ['discount.percent_off', '5,00', '--decimal ,'],
    ['gift.amount', '5,00', '--decimal , --amounts-in EUR'],
    ['gift.amount', '5.00', '--amounts-in EUR'],
  ])('%s %s is refused with the flag that reads it', async (column, text, hint) => {
    const command = column === 'gift.amount' ? ['vouchers', 'create', '--type', 'GIFT_VOUCHER'] : update
    const { exitCode, stderr } = await body(command, `code;${column}\nA;${text}\n`)

    expect(exitCode).toBe(2)
    expect(stderr).toContain(hint)
    if (text === '5,00') expect(stderr).not.toContain('500')
  })

  test.each(['--dates=YYYY', '--dates=DD.MM', '--dates=DD.DD.YYYY', '--amounts-in=euro'])(
    '%s is refused',
    async (flag) => {
      expect(await body(update, 'code;active\nA;true\n', flag)).toMatchObject({ exitCode: 2, stdout: '' })
    },
  )

  test('an import reads them, too', async () => {
    const list = join(folder, 'import.csv')
    await writeFile(list, 'Code;Voucher Type;Value;Expiration Date;Active\nA;GIFT_VOUCHER;5,00;31.12.2026;FALSCH\n')
    const line = ['vouchers', 'import', list, '--dry-run', '--json', ...onSandbox]

    const refused = await promo(line)
    const read = await promo([...line, '--dates', 'DD.MM.YYYY', '--decimal', ','])

    expect(refused).toEnd(2, '--decimal ,')
    expect(read.stdout).toContain('A,GIFT_VOUCHER,5.00,2026-12-31T23:59:59.999Z,false')
    expect(read.stderr).toContain('the column "Value" is in major units, not in cents: 5.00\n')
  })

  test('a job remembers the form of its file', async () => {
    const list = join(folder, 'form.csv')
    await writeFile(list, 'code,expiration_date\nMORNING,31.12.2099\nNOPE-9,30.12.2099\n')
    const ran = await promo([...update, '--from', list, '--dates', 'DD.MM.YYYY', '--yes', ...onSandbox])
    const again = await promo('jobs retry latest --only failed --yes')

    expect([ran.exitCode, again.exitCode]).toEqual([3, 3])
    expect(ran.stderr).toContain('updated 1 voucher')
    expect(again.stderr).not.toContain('31.12.2099')
  })
})
