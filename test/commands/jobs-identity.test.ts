// A job is what it sends: the same rows, read in another way, resume it, and no row that counts twice is sent twice.
import { describe, expect, test } from 'vitest'
import { readingFlags } from '../../src/cli/flags/flags.ts'
import { jobDesk, stopEarly } from '../support/jobs.ts'
import { type Asked, answer } from '../support/scripted-server.ts'
import { row, workbook } from '../support/workbook.ts'

const desk = jobDesk()
const { promo, env, jobs, input } = desk

const count = 40
const card = { type: 'GIFT_VOUCHER', active: true, gift: { amount: 500, balance: 500 }, redemption: {} }
const added = ({ method, url }: Asked) =>
  method === 'GET'
    ? answer(200, { ...card, id: url, object: 'voucher', code: decodeURIComponent(url.split('/')[3] ?? '') })
    : answer(200, {
        amount: 500,
        total: 500,
        balance: 500,
        type: 'GIFT_VOUCHER',
        object: 'balance',
        related_object: { type: 'voucher', id: url },
      })

/** The same 40 rows, written in several ways. */
const code = (at: number) => `G-${at}`
const rowsAs = (header: string, line: (at: number) => string) =>
  `${header}\n${Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')}`
const plain = rowsAs('code,amount,shop', (at) => `${code(at)},500,Rome`)

const add = (path: string, ...flags: string[]) => [
  ...'vouchers balance add --from'.split(' '),
  path,
  ...'--yes --jsonl --concurrency 1'.split(' '),
  ...flags,
]
const others = ['--ignore-columns', 'shop']

/** For each flag that says how rows are read: a file and a command line that read those rows with it. */
const readings: Record<string, { file?: string | Buffer; name?: string; flags: string[] }> = {
  column: { file: plain.replace('code', 'card'), flags: ['--column', 'card', ...others] },
  'input-format': { name: 'rows.txt', flags: ['--input-format', 'csv', ...others] },
  sheet: {
    name: 'rows.xlsx',
    file: workbook({
      sheets: {
        Other: row('x'),
        Cards: plain
          .trimEnd()
          .split('\n')
          .map((line) => row(...line.split(',')))
          .join(''),
      },
    }),
    flags: ['--sheet', 'Cards', ...others],
  },
  delimiter: { file: plain.replaceAll(',', ';'), flags: ['--delimiter', ';', ...others] },
  encoding: { flags: ['--encoding', 'windows-1252', ...others] },
  trim: { file: plain.replaceAll(',500', ' , 500 '), flags: ['--trim', ...others] },
  'no-quotes': { flags: ['--no-quotes', ...others] },
  'as-written': { flags: ['--as-written', ...others] },
  dates: { flags: ['--dates', 'DD.MM.YYYY', ...others] },
  decimal: { flags: ['--decimal', ',', ...others] },
  map: {
    file: plain.replace('code,amount', 'Card,Credits'),
    flags: ['--map', 'Credits=amount', '--map', 'Card=code', ...others],
  },
  'ignore-columns': { flags: ['--ignore-columns', 'others'] },
  'amounts-in': { file: plain.replaceAll(',500', ',5.00'), flags: ['--amounts-in', 'EUR', ...others] },
  'skip-bad-rows': { flags: ['--skip-bad-rows', ...others] },
}

test('every flag that says how rows are read is here', () => {
  expect(Object.keys(readings).toSorted()).toEqual(Object.keys(readingFlags).toSorted())
})

/** Writes the file of a reading, and returns its command line. */
const lineOf = ({ file = plain, name = 'rows.csv', flags }: (typeof readings)[string], path = name) =>
  add(input(path, file as string), ...flags)

describe.each(Object.entries(readings))('rows that are read with --%s', (_, reading) => {
  test.each(['first', 'then'])('are those of the same file without it, %s', async (order) => {
    const { asked } = await desk.serve(added)
    const [with_, without] = [lineOf(reading, `with-${reading.name ?? 'it.csv'}`), lineOf({ flags: others })]
    const [begun, resumed] = order === 'first' ? [with_, without] : [without, with_]

    const first = await promo(begun, { ...stopEarly, env: env() })
    const sent = asked.length
    const second = await promo(resumed, { env: env() })

    expect([first.exitCode, second.exitCode, second.stderr]).toEqual([
      130,
      0,
      expect.stringContaining('continuing job'),
    ])
    expect([sent < count, asked.length, await jobs()]).toEqual([
      true,
      count,
      [expect.objectContaining({ state: 'finished' })],
    ])
  })
})

describe('a stopped job whose rows count twice', () => {
  const path = () => input('rows.csv', plain)
  /** Stops the job of a command line, and returns its id and the requests of the service. */
  async function stopped(line: string[], stdin?: string) {
    const { asked } = await desk.serve(added)
    await promo(line, { ...stopEarly, env: env(), ...(stdin !== undefined && { stdin }) })
    return { asked, id: await desk.newestJob() }
  }

  test('refuses the same rows of another profile with the same key, and is not doubled', async () => {
    const { asked } = await desk.serve(added)
    const to = ['--app-id', 'app-1', '--base-url', String(env().PROMO_BASE_URL), '--insecure-storage']
    for (const name of ['one', 'two', 'three']) {
      const keys = name === 'three' ? ['--app-id', 'app-3', ...to.slice(2)] : to
      expect((await promo(['profiles', 'add', name, ...keys], { stdin: 'token' })).exitCode).toBe(0)
    }
    await promo(add(path(), '--map', 'shop=reason', '--profile', 'one'), stopEarly)
    const id = await desk.newestJob()
    const sent = asked.length

    const { exitCode, stderr } = await promo(add(path(), '--map', 'shop=reason', '--profile', 'two'))
    const resumed = await promo(`jobs resume ${id} --yes`)
    const elsewhere = await promo(add(path(), '--map', 'shop=reason', '--profile', 'three'))

    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('and the profile differs; nothing was sent')])
    expect([sent < count, resumed.exitCode, elsewhere.exitCode, asked.length]).toEqual([true, 0, 0, 2 * count])
  })

  const same: Record<string, () => [line: string[], stdin?: string]> = {
    'flags in another order': () => [add(path(), '--map', 'shop=reason', '--map', 'amount=amount')],
    'another name of the file': () => [
      add(input('again.csv', plain), '--map', 'amount=amount', '--map', 'shop=reason'),
    ],
    'standard input': () => [add('-', '--map', 'shop=reason'), plain],
    'JSON Lines, and members in another order': () => [
      add('-', '--input-format', 'jsonl'),
      Array.from({ length: count }, (_, at) => `{"reason":"Rome","amount":500,"code":"${code(at)}"}\n`).join(''),
    ],
    'a copy of the file, with a plan first': () => [add(input('copy.csv', plain), '--map', 'shop=reason')],
  }

  test.each(Object.entries(same))('is resumed by the same rows: %s', async (name, other) => {
    const { asked, id } = await stopped(add(path(), '--map', 'amount=amount', '--map', 'shop=reason'))
    const [line, stdin] = other()
    const options = { env: env(), ...(stdin !== undefined && { stdin }) }
    if (name.includes('plan')) await promo([...line.slice(0, -2), ...line.slice(-2), '--dry-run'], options)

    const { exitCode, stderr } = await promo(line, options)

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`continuing job ${id}`)])
    expect(asked).toHaveLength(count)
  })

  const different: Record<string, () => [line: string[], stdin?: string]> = {
    'other rows of the file': () => [
      add(path(), '--map', 'shop=reason', '--ignore-columns', 'amount', '--amount', '7'),
    ],
    'a changed file that is read in another way': () => [
      add(input('rows.csv', `${plain}G-99,5,x\n`), '--trim', '--map', 'shop=reason'),
    ],
    'other shards of the rows': () => [add(path(), '--map', 'shop=reason', '--shard', '0/2')],
    'the same rows with the amount as a flag': () => [
      add(
        input('other.csv', plain.replaceAll(',500', '').replace('amount,', '')),
        '--map',
        'shop=reason',
        '--amount',
        '500',
      ),
    ],
  }

  test.each(Object.entries(different))('refuses %s, and names both ways out', async (_, other) => {
    const { asked, id } = await stopped(add(path(), '--map', 'shop=reason'))
    const before = asked.length
    const [line, stdin] = other()

    const { exitCode, stderr } = await promo(line, { env: env(), ...(stdin !== undefined && { stdin }) })

    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('nothing was sent')])
    expect(stderr).toMatch(new RegExp(`promo jobs resume ${id} .*promo jobs discard ${id}`))
    expect([asked.length, await jobs()]).toEqual([before, [expect.objectContaining({ id })]])
  })

  test('is sent from its start by --restart, which says so', async () => {
    const { asked, id } = await stopped(add(path(), '--map', 'shop=reason'))
    const before = asked.length

    const { exitCode, stderr } = await promo(add(path(), '--trim', '--map', 'shop=reason', '--restart'), { env: env() })

    expect([exitCode, asked.length]).toEqual([0, before + count])
    expect(stderr).toMatch(
      new RegExp(`warning: job ${id} of the same rows stopped with \\d+ of 40 rows left; a new job sends all of them`),
    )
  })

  test('is resumed in a folder of its own, which other rows cannot have', async () => {
    const folder = `${desk.folder}/own`
    const { asked } = await stopped(add(path(), '--map', 'shop=reason', '--journal', folder))

    const refused = await promo(add(path(), '--ignore-columns', 'shop', '--journal', folder), { env: env() })
    const resumed = await promo(add(path(), '--map', 'shop=reason', '--trim', '--journal', folder), { env: env() })

    expect([refused.exitCode, resumed.exitCode, asked.length]).toEqual([9, 0, count])
  })
})

test('a complete job is not begun again by the same file, and rows from elsewhere are counted before they are sent', async () => {
  const { asked } = await desk.serve(added)
  const path = input('rows.csv', plain)
  await promo(add(path, '--map', 'shop=reason'), { env: env() })
  const id = await desk.newestJob()

  const again = await promo(add(path, '--trim', '--map', 'shop=reason'), { env: env() })
  const copied = add(input('copy.csv', plain), '--map', 'shop=reason').filter((word) => word !== '--yes')
  const copy = await promo(copied, { env: env(), stdin: '' })

  expect(again).toEnd(0, `nothing left to do: job ${id}`)
  expect(copy).toEnd(
    11,
    new RegExp(`warning: 40 of 40 rows were in job ${id} of \\S+ already, which is finished; they count twice`),
  )
  // The question reads what the cards have.
  expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(count)
})

/** Commands that look something up for a row, or draw it: that is another text in every run, and the same row. */
const completed: Record<string, (path: string) => string[]> = {
  'events send': (path) => ['events', 'send', '--from', path, '--ignore-columns', 'code,points'],
  'loyalty points transfer': (path) => [
    ...'loyalty points transfer --from'.split(' '),
    path,
    ...'--to CLUB-002 --campaign Club --ignore-columns event,customer'.split(' '),
  ],
}

test.each(Object.entries(completed))('%s resumes the rows that it completed', async (_, line) => {
  const text = rowsAs('event,customer,code,points', () => 'cupping_attended,ada@shop.example,CLUB-001,1')
  const more = ['--yes', '--jsonl', '--concurrency', '1', '--profile', 'sandbox']
  const contact = text.replaceAll('ada@shop.example', await anEmail())

  await promo([...line(input('one.csv', contact)), ...more], stopEarly)
  const planned = await promo([...line(input('two.csv', contact)), ...more, '--trim', '--dry-run'])
  const { stderr } = await promo([...line(input('two.csv', contact)), ...more, '--trim'])

  expect(planned).toEnd(0, 'continuing job')
  expect(stderr).toContain('continuing job')
  expect(await jobs()).toMatchObject([{ total: count }])
})

async function anEmail(): Promise<string> {
  const { stdout } = await promo('customers list --limit 1 --query [0].email --profile sandbox --json'.split(' '))
  return JSON.parse(stdout)
}
