// No spreadsheet runs or changes anything in a file of --excel: every command, every column, every way in which a formula begins,
// and every shape of text that a spreadsheet takes for something else.
import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { shapes } from '../../src/base/spreadsheet-shapes.ts'
import { rowsFromCsv } from '../../src/bulk/input/csv.ts'
import { shapeOf } from '../../src/cli/result/output.ts'
import { type Column, type ColumnSet, csvColumns } from '../../src/output/column.ts'
import { planColumns } from '../../src/output/columns/plan.ts'
import { emit } from '../../src/output/emit.ts'
import { needing } from '../support/programs.ts'
import { allCommands, promoIn, temporaryFolder } from '../support/promo.ts'
import { sampled } from '../support/size.ts'

const starts = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  '\t',
  '\r',
  '\n',
  ' =',
  '\u00a0+',
  '\ufeff=',
  "'=",
  "''@",
  "'\t",
]
const live = /^\s*[=+\-@＝＋－＠]|^[\t\r\n\0]/

const folder = temporaryFolder()
const promo = promoIn(folder)
const onSandbox = ['--profile', 'sandbox']

const commands = (await allCommands()).map(({ id, Class }) => ({
  id: id.replaceAll(':', ' '),
  command: Class as unknown as { flags?: object; columns?: ColumnSet | ColumnSet[] },
}))
const writing = commands.filter(({ command }) => 'excel' in (command.flags ?? {}))

test('every command that writes CSV takes --excel', () => {
  // The file of an export has no other format.
  const csv = commands.filter(({ id, command }) => 'csv' in (command.flags ?? {}) || id === 'exports download')

  expect(csv).toEqual(writing)
  expect(csv.length).toBeGreaterThan(80)
})

test.each(writing)('$id writes no live formula in any column', async ({ command: { columns = [] } }) => {
  const named = ('columns' in columns ? [columns] : columns).filter((set) => csvColumns(set).length > 0)
  // What a command without declared columns writes: plans, and the members of any object.
  const sets = named.length > 0 ? named : [planColumns, { columns: [{ name: 'id' }, { name: 'code' }] }]
  for (const declared of sets.map((set) => leavesOf(csvColumns(set)))) {
    const asVerbatim = declared.map((column) => ({ ...column, kind: 'verbatim' as const }))
    for (const set of [declared, asVerbatim]) {
      const rows = starts.map((start) =>
        Object.fromEntries(set.map(({ name }) => [name, `${start}cmd|' /C calc'!${name}`])),
      )
      const written = await emitted(rows.map(nested), { columns: set })
      const [head = [], ...cells] = parse(written.slice(1), { record_delimiter: '\r\n', delimiter: ',' }) as string[][]

      expect(cells).toHaveLength(starts.length)
      expect([head, ...cells].flat().filter((cell) => live.test(cell))).toEqual([])
    }
    // Those of a report are ignored when it is read.
    const read = asVerbatim.filter(({ name }) => !name.startsWith('promo_'))
    const [key] = read
    if (key === undefined) continue
    const rows = starts.map((start) => Object.fromEntries(read.map(({ name }) => [name, `${start}1+1`])))
    expect(await readBack(await emitted(rows.map(nested), { columns: read }), key.name)).toEqual(rows)
  }
})

/** Every text that some spreadsheet changes, and some that look similar. */
const texts = shapes.flatMap(({ examples, ruin }) => [...examples, ...(ruin?.examples ?? [])])
const others = ["'0077001", "'MAY20", "''12E45", "'''TRUE", "'90s Party", "'tis", '123', '0', 'MAYBE20', 'plain']
const wanted = [...texts, ...others]
const file = (name: string) => join(folder, `${name}.csv`)

/** Opens a file with a spreadsheet and saves it as CSV, with all that the program detects by itself. */
const programs: Record<'ssconvert' | 'soffice', (from: string, to: string) => void> = {
  ssconvert: (from, to) => void execFileSync('ssconvert', ['--export-type=Gnumeric_stf:stf_csv', from, to]),
  soffice: (from, to) => {
    const home = `-env:UserInstallation=file://${folder}/office`
    // Commas, quotes, UTF-8, the language of the office, texts in quotes not kept as texts, special numbers detected.
    const options = [
      ...'--headless --infilter=CSV:44,34,76,1,,0,false,true --convert-to'.split(' '),
      'csv:Text - txt - csv (StarCalc):44,34,76',
    ]
    execFileSync('soffice', [home, ...options, '--outdir', join(folder, 'saved'), from], { stdio: 'ignore' })
    renameSync(join(folder, 'saved', basename(from)), to)
  },
}

describe.each(sampled(['ssconvert', 'soffice'] as const, 2))('opened and saved by %s', (program) => {
  test('a file without marks comes back with other texts', needing(program), async () => {
    await writeFile(file('bare'), `${['code', ...texts].map((text) => `"${text}",x`).join('\n')}\n`)

    programs[program](file('bare'), file('bare-saved'))

    const saved = parse(await readFile(file('bare-saved')), { bom: true, relax_column_count: true }) as string[][]
    const changed = texts.filter((text, at) => saved[at + 1]?.[0] !== text)
    expect(changed).toEqual(expect.arrayContaining(['0077001', '12E45', '1.10', '+4917012345', '1/2', '12:30', '50%']))
  })

  test('every text of every command comes back as it was', needing(program), async () => {
    const sets = writing.flatMap(({ command: { columns = [] } }) => ('columns' in columns ? [columns] : columns))
    const names = new Map(sets.flatMap((set) => csvColumns(set)).map((column) => [column.name, column]))
    const columns = leavesOf([...names.values()].filter(({ name }) => !name.startsWith('promo_')))
    expect(columns.length).toBeGreaterThan(200)
    for (const kind of [undefined, 'verbatim', 'number'] as const) {
      const set = columns.slice(0, 250).map((column) => ({ ...column, ...(kind && { kind }) }))
      const rows = wanted.map((text) => Object.fromEntries(set.map(({ name }) => [name, text])))
      await writeFile(file('marked'), await emitted(rows.map(nested), { columns: set }))

      programs[program](file('marked'), file('saved'))

      const key = set[0]?.name as string
      const saved = (await readFile(file('saved'), 'utf8')).replace(/^\ufeff/, '')
      expect(await readBack(`\ufeff${saved}`, key)).toEqual(rows)
    }
  })

  test('a list of vouchers switches off the codes that are in it, and no others', needing(program), async () => {
    const codes = ['0077001', '77001', '12E45', '12000', 'MAY20', 'DEC25', 'TRUE', '12:30', '1-2', '=1+1', "'0077001"]
    const project = promoIn(temporaryFolder())
    await writeFile(file('new'), codes.map((code) => `${JSON.stringify({ code })}\n`).join(''))
    const made = ['vouchers', 'create', '--type', 'DISCOUNT_VOUCHER', '--percent-off', '5', '--from', file('new')]
    expect(await project([...made, '--input-format', 'jsonl', '--yes', ...onSandbox])).toMatchObject({ exitCode: 0 })
    const listed = ['vouchers', 'list', '--created-after', '1h', '--all', '--excel', '--out', file('list')]
    await project([...listed, ...onSandbox], { env: { LC_ALL: 'C' } })

    programs[program](file('list'), file('list-saved'))
    const ran = await project([
      ...'vouchers disable --from'.split(' '),
      file('list-saved'),
      '--dry-run',
      '--json',
      ...onSandbox,
    ])

    const urls = (JSON.parse(ran.stdout) as { url: string }[]).map(({ url }) =>
      decodeURIComponent(url.split('/')[5] ?? ''),
    )
    expect(urls.toSorted()).toEqual(codes.toSorted())
  })
})

/** The columns that no other is a part of: an object of a test cannot hold a text and members in one place. */
function leavesOf(columns: readonly Column[]): Column[] {
  return columns.filter(({ name }) => columns.every((other) => !other.name.startsWith(`${name}.`)))
}

/** Objects with the dotted names as members of members, as the service answers. */
function nested(row: Record<string, string>): object {
  const whole: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(row)) {
    const names = path.split('.')
    let at = whole
    for (const name of names.slice(0, -1)) {
      if (typeof at[name] !== 'object') at[name] = {}
      at = at[name] as typeof at
    }
    at[names.at(-1) as string] = value
  }
  return whole
}

async function emitted(rows: object[], set: ColumnSet): Promise<string> {
  const stdout = new PassThrough()
  const shape = shapeOf({ excel: true }, { env: { LC_ALL: 'C' } })
  const read = buffer(stdout)
  await emit(rows, set, shape, { stdout, stderr: new PassThrough(), color: false }, { nothing: '' })
  stdout.end()
  return (await read).toString('utf8')
}

async function readBack(csv: string, column: string): Promise<object[]> {
  const found = []
  const pieces = (async function* () {
    yield Buffer.from(csv.slice(1))
  })()
  for await (const row of rowsFromCsv(pieces, { name: 'report', column, checkKey: () => undefined }))
    found.push('fields' in row ? { ...row.fields } : row)
  return found
}

const dangerous = '=cmd|calc'

test('a report for a spreadsheet has no live formula, and as an input it names the same rows', async () => {
  const list = join(folder, 'list.csv')
  await writeFile(list, `code,"=title",note\n${dangerous},'x,+1\n''''${dangerous},y,-2\nplain,"a\tb",@3\n`)
  const disable = ['vouchers', 'disable', '--yes', ...onSandbox, '--from']
  const ran = await promo([...disable, list])
  const [, job = ''] = /jobs report (\S+)/.exec(ran.stderr) ?? []
  const reports = { excel: join(folder, 'excel.csv'), csv: join(folder, 'plain.csv') }
  for (const [form, file] of Object.entries(reports)) await promo(`jobs report ${job} --${form} --out ${file}`)

  const excel = await readFile(reports.excel, 'utf8')
  const names = async (file: string) => {
    const { stdout } = await promo([...disable, file, '--dry-run', '--json'])
    return (JSON.parse(stdout) as { url: string }[]).map(({ url }) => decodeURIComponent(url.split('/')[5] ?? ''))
  }

  const cells = (parse(excel.slice(1), { record_delimiter: '\r\n', delimiter: ',' }) as string[][]).flat()
  expect(cells.filter((cell) => live.test(cell))).toEqual([])
  expect(cells).toEqual(
    expect.arrayContaining([`'${dangerous}`, `''''${dangerous}`, "'=title", "'+1", "'-2", "'@3", "''''x"]),
  )
  expect(await readFile(reports.csv, 'utf8')).toContain(`${dangerous},'x,+1,`)
  expect(await names(reports.excel)).toEqual([dangerous, `'${dangerous}`, 'plain'])
  expect(await names(reports.csv)).toEqual([dangerous, `'${dangerous}`, 'plain'])
})

test('--excel contradicts --csv-raw', async () => {
  const both = await promo('vouchers get WELCOME-001 --profile sandbox --excel --csv-raw')

  expect(both).toMatchObject({ exitCode: 2, stdout: '' })
  expect(both.stderr).toContain('--excel')
})
