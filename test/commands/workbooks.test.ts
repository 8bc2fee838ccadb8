// Workbooks as inputs and results of real commands: every command that reads rows, jobs, and the way through a spreadsheet.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shapes } from '../../src/base/spreadsheet-shapes.ts'
import { keyProblem } from '../../src/bulk/input/key.ts'
import { commands } from '../support/manifest.ts'
import { needing } from '../support/programs.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { sampled } from '../support/size.ts'
import { cell, row, workbook } from '../support/workbook.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const onSandbox = ['--profile', 'sandbox']

async function fileOf(name: string, rows: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, workbook({ sheets: { Codes: rows } }))
  return path
}

/** Codes that are odd in other ways than those that a spreadsheet changes. */
const odd = ["'0077001", "''12E45", '_x0041_', '🦊', 'a&b<c>', 'null', '{"a":1}', 'plain']

/** What else a command needs before it reads rows. */
const needed: Readonly<Record<string, string>> = {
  'campaigns vouchers add': 'Welcome',
  'events send': 'login',
  'loyalty points add': '--points 5',
  'loyalty points remove': '--points 5',
  'loyalty points transfer': '--campaign Club',
  'loyalty rewards redeem': '--reward mug',
  'publications create': '--campaign Welcome',
  'referrals holders add': 'Friends',
  'referrals holders remove': 'FRIEND-001',
  'vouchers balance add': '--amount 5',
  'vouchers balance remove': '--amount 5',
}

const readers = Object.values(commands)
  .filter(({ flags }) => 'from' in flags && 'column' in flags)
  .map(({ id }) => id.replaceAll(':', ' '))

test('there are commands that read rows', () => {
  expect(readers.length).toBeGreaterThan(15)
})

test.each(readers)('%s --from reads a workbook, and names a bad row by its sheet', async (name) => {
  const path = await fileOf('bad.xlsx', row('key', 'more') + row(cell('#N/A', 'e'), 'x'))
  const words = (needed[name] ?? '').split(' ').filter(Boolean)

  const plan = name.endsWith(' get') ? [] : ['--dry-run']
  const argv = [...name.split(' '), ...words, '--from', path, '--column', 'key', ...plan, ...onSandbox]

  expect(await promo(argv)).toEnd(2, 'row 2 of sheet "Codes", column 1 ("key"): is the error #N/A; correct the cell')
})

const imports = Object.values(commands)
  .map(({ id }) => id.replaceAll(':', ' '))
  .filter((id) => id.endsWith(' import'))

test.each(imports)('%s takes a workbook, and names a bad row by its sheet', async (name) => {
  const key = name.includes('vouchers') ? 'Code' : 'source_id'
  const path = await fileOf('import.xlsx', row(key, 'name', 'product_id') + row(cell('#N/A', 'e'), 'x', 'y'))
  const owner = name === 'campaigns vouchers import' ? ['Welcome'] : []

  const ran = await promo([...name.split(' '), ...owner, path, '--yes', ...onSandbox])

  expect(ran).toEnd(2, `row 2 of sheet "Codes", column 1 ("${key}"): is the error #N/A; correct the cell`)
})

test('what an import reads of a workbook is sent as it would be from CSV', async () => {
  const rows = row('Code', 'Value', 'Expiration Date', 'Active', 'zip')
  const typed = row('0077', cell('12.5'), cell('46387', 'n', 1), cell('0', 'b'), '00123')
  const path = join(folder, 'vouchers.xlsx')
  await writeFile(path, workbook({ sheets: { Codes: rows + typed }, formats: ['dd.mm.yyyy'] }))
  await writeFile(
    join(folder, 'vouchers.csv'),
    'Code,Value,Expiration Date,Active,zip\n0077,12.5,2026-12-31,false,00123\n',
  )
  const sent = (file: string) =>
    promo(`campaigns vouchers import Welcome ${file} --dry-run --json --query [].body --profile sandbox`)

  const [fromWorkbook, fromCsv] = [await sent(path), await sent(join(folder, 'vouchers.csv'))]

  expect([fromWorkbook.exitCode, fromWorkbook.stdout]).toEqual([0, fromCsv.stdout])
  expect(fromCsv.stdout).toContain('0077')
})

test('a workbook is a job, which is resumed, and whose report has the rows as they were', async () => {
  const path = await fileOf(
    'codes.xlsx',
    row('Voucher Code', 'reason') + row('NOPE', cell('7')) + row('WELCOME-001', '0077'),
  )
  const pace = ['--concurrency', '1', '--max-errors', '1']

  const first = await promo(['vouchers', 'disable', '--from', path, '--yes', ...pace, ...onSandbox])
  const rest = await promo('jobs resume latest --yes')
  const report = await promo('jobs report latest --csv --columns "Voucher Code,reason,promo_line,promo_state"')

  expect([first.exitCode, rest.exitCode]).toEqual([3, 3])
  expect(report.stdout).toBe('Voucher Code,reason,promo_line,promo_state\nNOPE,7,2,failed\nWELCOME-001,0077,3,ok\n')
})

test('rows of a workbook that differ for one code are named by their sheet', async () => {
  const path = await fileOf('twice.xlsx', row('code', 'metadata.n') + row('A-1', cell('1')) + row('A-1', '1'))

  const { stderr } = await promo(`vouchers update --from ${path} --yes --profile sandbox`)

  expect(stderr).toContain('row 3 of sheet "Codes": "A-1" occurred on row 2 of sheet "Codes" with other values')
})

test('the typed cells of a workbook arrive as they are, from a file and from a pipe', async () => {
  const rows =
    row('code', 'metadata.zip', 'metadata.n', 'active') + row('WELCOME-002', '00123', cell('5'), cell('0', 'b'))
  const path = await fileOf('typed.xlsx', rows)
  const update = ['vouchers', 'update', '--yes', ...onSandbox]

  const piped = await promo(
    [...update, '--from', '-', '--input-format', 'xlsx', '--dry-run', '--json', '--query', '[].body'],
    {
      stdin: readFileSync(path),
    },
  )
  const { exitCode } = await promo([...update, '--from', path])
  const voucher = await promo('vouchers get WELCOME-002 --json --query "[metadata, active]" --profile sandbox')

  expect(JSON.parse(piped.stdout)).toEqual([{ metadata: { zip: '00123', n: 5 }, active: false }])
  expect(exitCode).toBe(0)
  expect(JSON.parse(voucher.stdout)).toEqual([{ zip: '00123', n: 5 }, false])
})

describe('a result as a workbook', () => {
  const list = ['vouchers', 'list', '--campaign', 'Welcome', '--columns', 'code,active,created_at', ...onSandbox]

  test('the name of --out says it, and it is an input again', async () => {
    const out = join(folder, 'welcome.xlsx')

    const written = await promo([...list, '--out', out, '--tz', 'Asia/Tokyo'])
    const plan = await promo(`vouchers enable --from ${out} --dry-run --csv --columns path --profile sandbox`)

    expect([written.exitCode, written.stdout]).toEqual([0, ''])
    expect(plan.stdout).toContain('/v1/vouchers/WELCOME-001/enable\n')
  })

  test('a terminal is given none, before any request', async () => {
    const { exitCode, stdout, stderr } = await promo([...list, '--format', 'xlsx', '--verbose'], {
      terminal: { columns: 80 },
    })

    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('a workbook is no text, which a terminal could show\ntry: --out report.xlsx')
    expect(stderr).not.toContain('GET /v1')
  })

  test('one object, a query, outcomes and a report are workbooks, too', async () => {
    const kinds = [
      ['vouchers', 'get', 'WELCOME-001', ...onSandbox],
      ['vouchers', 'list', '--query', '[].[code]', ...onSandbox],
      ['vouchers', 'enable', 'WELCOME-001', 'WELCOME-002', '--yes', ...onSandbox],
      ['jobs', 'list'],
      ['jobs', 'report', 'latest'],
      ['api', 'GET', '/v1/vouchers/WELCOME-001', ...onSandbox],
      ['validate', 'redeemables', 'WELCOME-001', ...onSandbox],
    ]
    for (const [at, words] of kinds.entries()) {
      const out = join(folder, `kind-${at}.xlsx`)
      const { stderr } = await promo([...words, '--out', out])
      expect(readFileSync(out).toString('latin1', 0, 2), `${words.join(' ')}: ${stderr}`).toBe('PK')
    }
  })
})

const programs: Record<'ssconvert' | 'soffice', (from: string, to: string) => void> = {
  ssconvert: (from, to) => void execFileSync('ssconvert', ['--export-type=Gnumeric_Excel:xlsx', from, to]),
  soffice: (from, to) => {
    const home = `-env:UserInstallation=file://${folder}/office`
    const saved = join(folder, 'saved')
    execFileSync('soffice', [home, '--headless', '--convert-to', 'xlsx', '--outdir', saved, from], { stdio: 'ignore' })
    renameSync(join(saved, basename(from)), to)
  },
}

describe.each(sampled(['ssconvert', 'soffice'] as const, 2))('opened and saved by %s', (program) => {
  test('a list of vouchers changes nothing', needing(program), async () => {
    const project = promoIn(temporaryFolder())
    const path = (name: string) => join(folder, `${program}-${name}`)
    const texts = [...shapes.flatMap(({ examples, ruin }) => [...examples, ...(ruin?.examples ?? [])]), ...odd]
    const codes = [...new Set(texts)].filter((text) => keyProblem(text) === undefined)
    const vouchers = codes.map((code, at) => ({
      code,
      type: 'GIFT_VOUCHER',
      gift: { amount: at },
      active: at % 2 === 0,
      ...(at % 3 > 0 && { start_date: at % 3 === 1 ? '2026-10-25T01:30:00.000Z' : '2026-10-25T00:30:00.000Z' }),
      ...(at % 4 > 0 && { expiration_date: at % 4 === 1 ? '2026-12-31T23:59:59.999Z' : '2027-01-01T00:00:00.000Z' }),
      metadata: { text: code, n: at / 4, vip: at % 2 === 0, zip: `00${at}`, big: '12345678901234567890', flag: 'TRUE' },
    }))
    await writeFile(path('all.jsonl'), vouchers.map((voucher) => JSON.stringify(voucher)).join('\n'))
    await project(['vouchers', 'create', '--from', path('all.jsonl'), '--as-written', '--yes', ...onSandbox])
    // The newest, which are these.
    const list = ['vouchers', 'list', '--limit', String(codes.length), ...onSandbox]
    const all = async () => {
      const { stdout } = await project([...list, '--json'])
      const listed = JSON.parse(stdout) as { code: string; metadata: object; updated_at?: string; assets: object }[]
      return new Map(listed.map(({ updated_at: _, assets: __, ...voucher }) => [voucher.code, voucher]))
    }
    const update = async (columns: readonly string[], ...flags: string[]) => {
      const [made, saved] = [path(`${columns.length}.xlsx`), path(`${columns.length}-saved.xlsx`)]
      const shown = ['--columns', columns.join(','), '--tz', 'Europe/Berlin']
      await project([...list, ...shown, '--out', made])
      programs[program](made, saved)
      const { exitCode, stderr } = await project([
        ...'vouchers update --from'.split(' '),
        saved,
        '--yes',
        ...flags,
        ...onSandbox,
      ])
      expect(exitCode, stderr).toBe(0)
    }
    const before = await all()
    const fields = ['code', 'active', 'start_date', 'expiration_date']

    await update([...fields, ...Object.keys(vouchers[0]?.metadata ?? {}).map((name) => `metadata.${name}`)])
    const byColumns = await all()
    await update([...fields, 'metadata'])
    const asOneCell = await all()
    await update(['id', 'object', 'code', 'created_at'], '--set', 'metadata.seen=1')
    const bySet = await all()

    expect(codes.length).toBeGreaterThan(60)
    expect([...before.keys()].toSorted()).toEqual(codes.toSorted())
    expect(byColumns).toEqual(before)
    expect(asOneCell).toEqual(before)
    const seen = [...before.values()].map((voucher) => ({ ...voucher, metadata: { ...voucher.metadata, seen: 1 } }))
    expect([...bySet.values()]).toEqual(seen)
  })
})
