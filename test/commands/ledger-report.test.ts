// What is read from a copy: balances, the report as text and as a page, questions, and files for other engines.
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, test } from 'vitest'
import { needing } from '../support/programs.ts'
import { promoIn, type Ran, type RunOptions, temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()
const run = promoIn(folder)
const data = join(folder, 'copy.db')
const promo = (line: string | string[], options?: RunOptions): Promise<Ran> =>
  run(['ledger', ...(typeof line === 'string' ? line.split(' ') : line), '--data', data], options)
const rowsOf = async (line: string | string[]) => JSON.parse((await promo(line)).stdout)

beforeAll(async () => {
  expect((await run(`ledger pull --profile sandbox --data ${data}`)).exitCode).toBe(0)
})

describe('the report', () => {
  test('shows each account as a statement that leads from opening to closing, and says what it is not', async () => {
    const { stdout, stderr, exitCode } = await promo('report --month 2026-02 --tz UTC --sold all')

    expect(exitCode).toBe(0)
    expect(stdout.replace(/ +/g, ' ')).toBe(`Bean Club · points
 line amount
 opening 680
 earned +84
 redeemed −120
 closing 644

Gift cards · credits
 line amount
 opening 20,000
 issued +22,500
 of it sold 22,500
 of it given away 0
 closing 42,500
`)
    expect(stderr).toContain('no accounting advice')
  })

  test('of the month in docs/ledger.md is what the lists of the service add up to', async () => {
    const list = async (...words: string[]) =>
      JSON.parse((await run([...words, '--all', '--json', '--profile', 'sandbox'])).stdout)
    const points = (await list('loyalty', 'transactions', 'list', 'Bean Club')).map(
      (row: Transaction) => [row.created_at, row.type, row.details.balance.points] as const,
    )
    const credits = (await list('vouchers', 'list', '--campaign', 'Gift cards')).map(
      (row: GiftCard) => [row.created_at, 'issued', row.gift.amount] as const,
    )
    const sum = (rows: Dated[], months: RegExp, type: RegExp) =>
      rows.reduce((all, [at, kind, amount]) => all + (months.test(at) && type.test(kind) ? amount : 0), 0)
    const [february, before, until] = [/^2026-02/, /^2026-01/, /^2026-0[12]/]
    const [, page = ''] = readFileSync('docs/ledger.md', 'utf8').split('--month 2026-02 --quiet\n')

    const shown = page
      .split('```')[0]
      ?.replace(/[,+]/g, '')
      .replaceAll('−', '-')
      .match(/-?\d+$/gm)
      ?.map(Number)

    expect(shown).toEqual([
      sum(points, before, /./),
      sum(points, february, /ACCRUAL/),
      sum(points, february, /REDEMPTION/),
      sum(points, until, /./),
      sum(credits, before, /./),
      sum(credits, february, /./),
      sum(credits, until, /./),
    ])
  })

  test.each([
    [
      '--point-value 0.015 --breakage 12.5',
      [
        [81, 563, 9.66],
        [5313, 37187, null],
      ],
    ],
    [
      '--breakage 0%',
      [
        [0, 644, null],
        [0, 42500, null],
      ],
    ],
    [
      '',
      [
        [null, null, null],
        [null, null, null],
      ],
    ],
  ])('with "%s" has exactly these figures of value and breakage', async (flags, figures) => {
    const rows = await rowsOf(`report --month 2026-02 --json ${flags}`.trim())

    expect(rows.map((row: Record<string, unknown>) => [row.breakage, row.expected_use, row.closing_value])).toEqual(
      figures,
    )
  })

  test('draws bars of at most 80 columns, on a terminal and in a file', async () => {
    const { stdout } = await promo('report --since 2026-01-01 --until 2026-04-30 --chart')

    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(stdout).toMatch(/^redeemed +░+ +−10,100$/m)
    expect(stdout).toMatch(/^by month {2}0 ▄█▆▆|^by month {2}0 ▁▄█▆▆ 32,400$/m)
  })

  test.each([
    ['--month 2026-13', '"2026-13" is not a month'],
    ['--since 2026-03-01 --until 2026-02-01', 'is after'],
    ['--sold Nothing', 'the copy has no campaign "Nothing"'],
    ['--campaign Nothing', 'the copy has no campaign "Nothing"'],
    ['--point-value cheap', '"cheap" is not a number like 0.01'],
  ])('refuses %s', async (flags, message) => {
    const { exitCode, stderr } = await promo(`report ${flags}`)

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('months begin in the time zone that is asked for', async () => {
    const [row] = await rowsOf('report --month 2026-02 --tz Asia/Tokyo --json')

    expect([row.from, row.to]).toEqual(['2026-01-31T15:00:00.000Z', '2026-02-28T15:00:00.000Z'])
  })

  test(
    'is a page that loads and runs nothing, whose figures in a browser are those of the JSON',
    needing('chromium'),
    async () => {
      const file = join(temporaryFolder(), 'report.html')
      const flags = ['--since', '2026-01-01', '--until', '2026-06-30', '--sold', 'Gift cards']
      expect((await promo(['report', ...flags, '--html', file])).exitCode).toBe(0)
      const rows = await rowsOf(['report', ...flags, '--json'])
      const page = readFileSync(file, 'utf8')
      const chromium = (...more: string[]) =>
        execFileSync('chromium', ['--headless', '--no-sandbox', '--disable-gpu', ...more, `file://${file}`], {
          stdio: ['ignore', 'pipe', 'ignore'],
        }).toString()

      expect(page).not.toMatch(/<script|<link|src=|href=|url\((?!#)/)
      expect(statSync(file).mode & 0o077).toBe(0)
      const dom = chromium('--dump-dom')
      for (const row of rows) {
        const [, section = ''] = dom.split(`<section data-campaign="${row.campaign_id}" data-unit="${row.unit}">`)
        const [table = '', rest = ''] = section.split('</table>')
        const shown = [...table.matchAll(/<th scope="row">([^<]*)<\/th><td data-figure="(-?\d+)">([^<]*)<\/td>/g)]
        expect(Object.fromEntries(shown.map(([, line, figure]) => [line, Number(figure)]))).toEqual(linesOf(row))
        for (const [, , figure, text = ''] of shown) expect(text.replace('−', '-').replace(/[,+]/g, '')).toBe(figure)
        expect(rest.split('</section>')[0]).toMatch(/<polyline points="[^"]{40,}"/)
      }
      const pdf = join(temporaryFolder(), 'report.pdf')
      chromium(`--print-to-pdf=${pdf}`)
      expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-')
    },
  )
})

type Dated = readonly [at: string, kind: string, amount: number]

interface Transaction {
  created_at: string
  type: string
  details: { balance: { points: number } }
}

interface GiftCard {
  created_at: string
  gift: { amount: number }
}

/** A row as the page shows it: what is not zero, in words. */
function linesOf(row: Record<string, number>): Record<string, number> {
  const words: Record<string, string> = { added: 'added by hand', sold: 'of it sold', given: 'of it given away' }
  const always = ['opening', 'closing', ...(row.issued === 0 ? [] : ['sold', 'given'])]
  const skipped = [
    'campaign',
    'campaign_id',
    'unit',
    'from',
    'to',
    'cards',
    'breakage',
    'expected_use',
    'closing_value',
  ]
  return Object.fromEntries(
    Object.entries(row)
      .filter(([line, figure]) => !skipped.includes(line) && (figure !== 0 || always.includes(line)))
      .map(([line, figure]) => [words[line] ?? line, figure]),
  )
}

describe('a card that does not add up', () => {
  const broken = (sql: string) => {
    const copy = join(temporaryFolder(), 'broken.db')
    copyFileSync(data, copy)
    const other = new DatabaseSync(copy)
    other.exec(sql)
    other.close()
    return (line: string) => run(['ledger', ...line.split(' '), '--data', copy])
  }
  const second =
    "(SELECT id FROM transactions WHERE card_id = (SELECT id FROM vouchers WHERE code = 'CLUB-001') ORDER BY id LIMIT 1 OFFSET 1)"

  test.each([
    ['a balance that does not follow', `UPDATE transactions SET balance = balance + 5 WHERE id = ${second}`, 5],
    ['a movement that is missing', `DELETE FROM transactions WHERE id = ${second}`, undefined],
    [
      'a card with another balance now',
      "UPDATE vouchers SET balance = balance + 1, updated_at = '2026-05-01T00:00:00.000Z' WHERE code = 'CLUB-001'",
      1,
    ],
    ['an amount that cannot be counted', `UPDATE transactions SET amount = NULL WHERE id = ${second}`, undefined],
  ])('by %s is named by balances and by the report, which then exit 12', async (_what, sql, difference) => {
    const promoOn = broken(sql)

    const balances = await promoOn('balances --broken --json')
    const report = await promoOn('report --month 2026-02')

    const [card, ...others] = JSON.parse(balances.stdout)
    expect([balances.exitCode, report.exitCode, others]).toEqual([12, 12, []])
    expect(card.code).toBe('CLUB-001')
    if (difference !== undefined) expect(card.found - card.expected).toBe(difference)
    expect(report.stderr).toContain('card CLUB-001 does not add up')
  })
})

describe('balances', () => {
  test('are added up by campaign and unit, and a card that did not exist yet is left out', async () => {
    const sums = await rowsOf('balances --as-of 2026-01-31 --sum --json')
    const cards = await rowsOf('balances --as-of 2026-01-31 --json')

    expect(sums).toEqual([
      expect.objectContaining({ campaign: 'Gift cards', unit: 'credits', cards: 4, balance: 20_000, owed: 20_000 }),
      expect.objectContaining({ campaign: 'Bean Club', unit: 'points', cards: 6, balance: 680, owed: 680 }),
    ])
    expect(cards).toHaveLength(10)
    expect((await promo('balances --as-of 2020-01-01')).stderr).toContain('no card existed')
  })

  test('are told of one card, by its code or its id', async () => {
    const [card, ...others] = await rowsOf('balances --card CLUB-001 --json')

    expect([card.code, others]).toEqual(['CLUB-001', []])
    expect(await rowsOf(`balances --card ${card.card_id} --json`)).toEqual([card])
    expect(await promo('balances --card CLUB')).toEnd(2, 'the copy has no card "CLUB"')
  })
})

describe('a question', () => {
  const ask = (sql: string, ...flags: string[]) => promo(['query', sql, ...flags])

  test.each([
    ['delete from vouchers', 'only questions are answered'],
    ['/* a note */ -- another\n drop table vouchers', 'only questions are answered'],
    ['pragma journal_mode = delete', 'only questions are answered'],
    ["attach database '/tmp/x.db' as x", 'only questions are answered'],
    ['with x as (select 1) delete from vouchers', 'readonly'],
    ['select 1; select 2', 'more than one statement'],
    ['select * from nowhere', 'no such table'],
    ["select json_extract('x', '$')", 'malformed JSON'],
    ["select load_extension('x')", 'not authorized'],
    [' ', 'empty'],
  ])('like "%s" is refused', async (sql, message) => {
    const { exitCode, stderr, stdout } = await ask(sql)

    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
  })

  test('keeps integers exact, tells columns of one name apart, and has every form', async () => {
    const sql = "select 9007199254740993 as a, 1 as a, null as n, x'00ff' as b, 1.5 as r; -- done"

    expect((await ask(sql, '--jsonl')).stdout).toBe('{"a":9007199254740993,"a_2":1,"n":null,"b":"00ff","r":1.5}\n')
    expect((await ask(sql, '--csv')).stdout).toBe('a,a_2,n,b,r\n9007199254740993,1,,00ff,1.5\n')
    expect((await ask('select 1 as one where false', '--csv')).stdout).toBe('one\n')
  })

  test('that takes too long, or too much memory, is stopped', async () => {
    const endless = 'with recursive c(x) as (select 1 union all select x + 1 from c) select'

    const late = await ask(`${endless} count(*) from c`, '--time-limit', '1s')
    const large = await ask('select hex(zeroblob(200000000))', '--memory-limit', '200')

    expect([late.exitCode, late.stderr]).toEqual([2, expect.stringContaining('no row within 1 s')])
    expect([large.exitCode, large.stderr]).toEqual([2, expect.stringContaining('more than 200 MB of memory')])
  })

  test('of a reader that stops is ended with it', async () => {
    const endless = 'with recursive c(x) as (select 1 union all select x + 1 from c) select x from c'

    expect(await promo(['query', endless, '--jsonl'], { onStdout: (_text, stop) => stop('SIGTERM') })).toEnd(143)
  })
})

describe('an export', () => {
  test('of Parquet and of CSV has every row of every table, with its types', async () => {
    const [parquet, csv] = [join(temporaryFolder(), 'p'), join(temporaryFolder(), 'c')]
    expect((await promo(['export', parquet])).exitCode).toBe(0)
    expect((await promo(['export', csv, '--csv'])).exitCode).toBe(0)
    // A second one replaces the first.
    expect((await promo(['export', parquet])).exitCode).toBe(0)

    for (const table of [
      'campaigns',
      'customers',
      'vouchers',
      'orders',
      'redemptions',
      'publications',
      'transactions',
      'movements',
    ]) {
      const stored = await rowsOf(['query', `select * from ${table}`, '--json'])
      const read = []
      for (const file of globSync(`${parquet}/${table}/**/*.parquet`)) {
        const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) })
        for (const row of rows) {
          const at = (row.created_at ?? row.at) as Date | undefined
          expect(file).toContain(at === undefined ? table : `month=${at.toISOString().slice(0, 7)}/`)
          read.push(plain(row))
        }
      }
      expect(byText(read), table).toEqual(byText(stored.map(plain)))
      const lines = globSync(`${csv}/${table}/**/*.csv`).flatMap((file) =>
        readFileSync(file, 'utf8').trimEnd().split('\n').slice(1),
      )
      expect(lines, table).toHaveLength(stored.length)
    }
  })
})

/** A row with flags as SQLite has them, and instants as text. */
function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()]
      return [name, typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : value]
    }),
  )
}

function byText(rows: object[]): string[] {
  return rows
    .map((row) => JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .toSorted()
}
