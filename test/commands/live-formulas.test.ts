// No spreadsheet runs anything in a file of --excel: every command, every column, every way in which a formula begins.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { plainCsv } from '../../src/base/csv-form.ts'
import { rowsFromCsv } from '../../src/bulk/input/csv.ts'
import { shapeOf } from '../../src/cli/result/output.ts'
import { type Column, type ColumnSet, csvColumns } from '../../src/output/column.ts'
import { planColumns } from '../../src/output/columns/plan.ts'
import { emit } from '../../src/output/emit.ts'
import { commandModules, promoIn, temporaryFolder } from '../support/promo.ts'

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

const commands = await Promise.all(
  Object.entries(commandModules).map(async ([path, load]) => ({
    id: path.replace(/^.*\/commands\/|\.ts$/g, '').replaceAll('/', ' '),
    command: (await load()).default as unknown as { flags?: object; columns?: ColumnSet | ColumnSet[] },
  })),
)
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
  const encodedAs = () => ({ ...plainCsv, mark: true })
  for await (const row of rowsFromCsv(pieces, { name: 'report', column, checkKey: () => undefined, encodedAs }))
    found.push('fields' in row ? { ...row.fields } : row)
  return found
}

const dangerous = '=cmd|calc'
const folder = temporaryFolder()
const promo = promoIn(folder)
const onSandbox = ['--profile', 'sandbox']

test('a report for a spreadsheet has no live formula, and as an input it names the same rows', async () => {
  const list = join(folder, 'list.csv')
  await writeFile(list, `code,"=title",note\n${dangerous},'x,+1\n'${dangerous},y,-2\nplain,"a\tb",@3\n`)
  const disable = ['vouchers', 'disable', '--yes', ...onSandbox, '--from']
  const ran = await promo([...disable, list])
  const [, job = ''] = /jobs report (\S+)/.exec(ran.stderr) ?? []
  const reports = { excel: join(folder, 'excel.csv'), csv: join(folder, 'plain.csv') }
  for (const [form, file] of Object.entries(reports)) await promo(['jobs', 'report', job, `--${form}`, '--out', file])

  const excel = await readFile(reports.excel, 'utf8')
  const names = async (file: string) => {
    const { stdout } = await promo([...disable, file, '--dry-run', '--json'])
    return (JSON.parse(stdout) as { url: string }[]).map(({ url }) => decodeURIComponent(url.split('/')[5] ?? ''))
  }

  const cells = (parse(excel.slice(1), { record_delimiter: '\r\n', delimiter: ',' }) as string[][]).flat()
  expect(cells.filter((cell) => live.test(cell))).toEqual([])
  expect(cells).toEqual(
    expect.arrayContaining([`'${dangerous}`, `''${dangerous}`, "'=title", "'+1", "'-2", "'@3", "'x"]),
  )
  expect(await readFile(reports.csv, 'utf8')).toContain(`${dangerous},'x,+1,`)
  expect(await names(reports.excel)).toEqual([dangerous, `'${dangerous}`, 'plain'])
  expect(await names(reports.csv)).toEqual([dangerous, `'${dangerous}`, 'plain'])
})

test('--excel contradicts --csv-raw', async () => {
  const both = await promo(['vouchers', 'get', 'WELCOME-001', ...onSandbox, '--excel', '--csv-raw'])

  expect(both).toMatchObject({ exitCode: 2, stdout: '' })
  expect(both.stderr).toContain('--excel')
})
