// `ledger reconcile`: every kind of difference planted among orders that are as they should be, and what repairs it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../src/ledger/reconcile/kinds.ts'
import { type RemedyName, remedies, remedyNames } from '../../src/ledger/reconcile/remedies.ts'
import { wordsOfStates } from '../../src/ledger/reconcile/states.ts'
import { startSandbox } from '../../src/sandbox/embedded.ts'
import { now, type PlantedProject, plantedProject, plants } from '../support/planted-orders.ts'
import { type CommandLine, promoIn, temporaryFolder, wordsOf } from '../support/promo.ts'
import { sized } from '../support/size.ts'
import { root } from '../support/source-files.ts'

const count = sized({ quick: 3000, slow: 10_000, full: 20_000 })
const document = readFileSync(join(root, 'docs/ledger.md'), 'utf8')
let desk: Awaited<ReturnType<typeof deskWith>>

/** A folder with the copy of a project, and the orders of its shop. */
async function deskWith({ fixture, csv }: Pick<PlantedProject, 'fixture' | 'csv'>) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  const file = join(folder, 'state', 'sandbox.db')
  await (await startSandbox({ file, port: 0, demo: false, fixture, time: { at: new Date(now).toISOString() } })).close()
  const orders = join(folder, 'orders.csv')
  writeFileSync(orders, csv)
  const run = promoIn(folder)
  const promo = (line: CommandLine, options: Parameters<typeof run>[1] = {}) =>
    run([...wordsOf(line), '--profile', 'sandbox'], { now: () => now, ...options })
  await promo('ledger pull')
  const idsOf = async (...argv: string[]) => {
    const { stdout } = await promo(['ledger', 'reconcile', ...argv, '--csv', '--columns', 'id', '--no-header'])
    return stdout.split('\n').filter(Boolean).toSorted()
  }
  return { folder, orders, promo, idsOf }
}

const planted = plantedProject(count)

beforeAll(async () => {
  desk = await deskWith(planted)
})

describe('every kind', () => {
  test.each(kinds.map(({ name, title, repair }) => [name, title, repair]))(
    '%s is planted, has a near miss, and is in docs/ledger.md',
    (name, title, repair) => {
      const { found = [], near = [] } = plants[name] ?? {}

      expect([found.length > 0, near.length > 0]).toEqual([true, true])
      expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/)
      expect(document).toContain(`| \`${name}\` | ${title} | ${repair} |`)
    },
  )

  test('is found wherever it was planted, and nowhere else', async () => {
    const ids = await desk.idsOf(desk.orders, '--amounts-in', 'EUR')

    expect(ids).toEqual(planted.finds.toSorted())
    expect(new Set(ids.map((id) => id.split('/')[0]))).toEqual(new Set(kinds.map(({ name }) => name)))
  })

  test('is found in JSON Lines from a pipe as in CSV', async () => {
    const [header = '', ...lines] = planted.csv.trim().split('\n')
    const rows = lines.map((line) => {
      const cells = [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      )
      const row = Object.fromEntries(header.split(',').map((title, at) => [title, cells[at]]))
      const cents = (text = '') => (text === '' ? null : Math.round(Number(text) * 100))
      return JSON.stringify({
        order: row['Order ID'],
        status: row['Financial Status'],
        amount: cents(row.amount),
        discount: cents(row['Discount Amount']),
        refunded: cents(row['Refunded Amount']),
        codes: row['Discount Code']?.split(', ').filter(Boolean),
        time: row['Created at'],
      })
    })
    const { stdout, exitCode } = await desk.promo('ledger reconcile - --jsonl', { stdin: rows.join('\n') })
    const found = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string })

    expect(exitCode).toBe(12)
    expect(found.map(({ id }) => id).toSorted()).toEqual(planted.finds.toSorted())
  })

  test('is chosen by --only and --ignore, and is one that there is', async () => {
    const line = [desk.orders, '--amounts-in', 'EUR']
    const of = (name: string) => planted.finds.filter((id) => id.startsWith(`${name}/`)).toSorted()
    const wrong = await desk.promo(['ledger', 'reconcile', desk.orders, '--only', 'order-canceled'])

    expect(await desk.idsOf(...line, '--only', 'redeemed-twice,amount-differs')).toEqual(
      [...of('redeemed-twice'), ...of('amount-differs')].toSorted(),
    )
    expect(await desk.idsOf(...line, '--ignore', 'order-cancelled')).toHaveLength(
      planted.finds.length - of('order-cancelled').length,
    )
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('one of order-cancelled, ')])
  })
})

describe('the words for states', () => {
  test.each(Object.entries(wordsOfStates))('%s are those of docs/ledger.md', (state, words) => {
    expect(document).toContain(`| \`${state}\` | ${words.join(', ')} |`)
  })
})

interface Shown {
  kind: string
  decided: boolean
  days_left: number | null
  do: string
  message: string
}

describe('one order', () => {
  const one = planted.finds.find((id) => id.startsWith('payment-failed/')) ?? ''
  const number = `S-${Number(/r_(\d+)x/.exec(one)?.[1])}`

  test('is compared with the state that is given for it, without a file', async () => {
    const asked = async (...more: string[]) => {
      const { stdout, exitCode } = await desk.promo(['ledger', 'reconcile', '--order-id', number, ...more, '--json'])
      return { exitCode, kinds: (JSON.parse(stdout) as Shown[]).map(({ kind }) => kind) }
    }

    expect(await asked('--status', 'refunded')).toEqual({ exitCode: 12, kinds: ['order-cancelled'] })
    expect(await asked()).toEqual({ exitCode: 0, kinds: [] })
    expect(await asked('--orders', 'promo')).toEqual({ exitCode: 0, kinds: [] })
  })

  test('is one that the copy or the file has', async () => {
    const unknown = ['ledger', 'reconcile', '--order-id', 'S-none']
    expect(await desk.promo(unknown)).toMatchObject({ exitCode: 2, stderr: /the copy has no order "S-none"/ })
    expect((await desk.promo([...unknown, desk.orders, '--amounts-in', 'EUR'])).stderr).toContain(
      'has no order "S-none"',
    )
  })
})

describe('what the data does not allow is not decided', () => {
  const row = (more: string) => `order,status,codes,time\n${more}\n`

  test('an order that is newer than the copy may be redeemed by now', async () => {
    const code = planted.finds.find((id) => id.startsWith('not-redeemed/') && id.includes('CODE'))?.split('/')[2]
    const asked = async (time: string, ...more: string[]) => {
      const stdin = row(`S-new,paid,${code},${time}`)
      const { stdout, exitCode } = await desk.promo(['ledger', 'reconcile', '-', '--json', ...more], { stdin })
      const found = (JSON.parse(stdout) as Shown[]).filter(({ kind }) => kind === 'not-redeemed')
      return { exitCode, found: found.map(({ decided, do: next }) => [decided, next]) }
    }

    expect(await asked('2026-06-01T12:30:00Z')).toEqual({ exitCode: 12, found: [[false, 'promo ledger pull']] })
    expect(await asked('')).toEqual({ exitCode: 12, found: [[false, 'promo ledger pull']] })
    expect(await asked('', '--until', '2026-05-31')).toMatchObject({
      found: [[true, expect.stringContaining('redeem')]],
    })
  })

  test('a redemption outside the time of the input is not judged, and that is said', async () => {
    const stdin = row('S-1,paid,CODE-000000001x0,')
    const { stderr, stdout } = await desk.promo('ledger reconcile - --jsonl', { stdin })

    expect(stderr).toContain('warning: not judged: ')
    expect(stderr).toContain('--since and --until say')
    expect(stdout).not.toContain('order-unknown')
  })

  test.each([['partly-refunded', /^promo (?:loyalty points|vouchers balance) add --(?:points|amount) N /]])(
    'how much of a card a partial refund gives back: %s',
    async (kind, next) => {
      const { stdout } = await desk.promo([
        'ledger',
        'reconcile',
        desk.orders,
        '--amounts-in',
        'EUR',
        '--only',
        kind,
        '--json',
      ])
      const undecided = (JSON.parse(stdout) as Shown[]).filter(({ decided }) => !decided)

      expect(undecided.length).toBeGreaterThan(0)
      for (const { do: words, message } of undecided)
        expect([words, message]).toEqual([expect.stringMatching(next), expect.stringContaining('is not in the data')])
    },
  )
})

describe('an input that leaves something open is refused', () => {
  test.each([
    [
      'a word that nobody explained',
      'order,status\nS-1,on hold\n',
      /"on hold" \(1 order\)\ntry: --status 'on hold=paid'/,
    ],
    ['no state at all', 'order,amount\nS-1,5000\n', /no word \(1 order\)\ntry: --status '?=paid'?/],
    ['amounts whose unit is not said', 'order,status,amount\nS-1,paid,50.00\n', /try: --amounts-in EUR/],
    [
      'an order twice with other values',
      'order,status\nS-1,paid\nS-1,refunded\n',
      /line 3: order "S-1" was read before, with another/,
    ],
    ['a day in another form', 'order,status,time\nS-1,paid,31.12.2026\n', /try: --dates DD\.MM\.YYYY/],
    ['no column of the number', 'id,status\nS-1,paid\n', /has no column "order"/],
    [
      'numbers that the service does not know',
      `order,status\n${Array.from({ length: 12 }, (_, n) => `#${n},paid`).join('\n')}\n`,
      /its first is called "#0", and one of the service "S-/,
    ],
  ])('%s', async (_, stdin, says) => {
    const { exitCode, stderr, stdout } = await desk.promo('ledger reconcile -', { stdin })

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(says)
  })

  test('a column that is not read is named, with what reads it', async () => {
    const { stderr } = await desk.promo('ledger reconcile -', { stdin: 'order,status,Rabatt\nS-1,paid,500\n' })

    expect(stderr).toContain('not read: "Rabatt"; --map Rabatt=discount reads one')
  })

  test('and is read once a flag says it', async () => {
    const stdin = 'Number;state;Paid on\nS-1;on hold;31.12.2025 14:30\nS-1;;\n'
    const maps = ['--map', 'Number=order', '--map', 'state=status', '--map', 'Paid on=time']
    const { exitCode } = await desk.promo(
      ['ledger', 'reconcile', '-', ...maps, '--status', 'On-Hold=pending', '--dates', 'DD.MM.YYYY'],
      { stdin },
    )

    expect(exitCode).toBe(0)
  })
})

describe('the repair', () => {
  test('of each remedy is a file that its command takes, after which nothing is left that has one', async () => {
    const { orders, promo, folder } = await deskWith(plantedProject(800, 5))
    const line = ['ledger', 'reconcile', orders, '--amounts-in', 'EUR']
    const listed = async () =>
      JSON.parse((await promo([...line, '--json'])).stdout) as (Shown & { fix: RemedyName | null })[]
    const before = await listed()

    for (const name of remedyNames) {
      const file = join(folder, `${name}.csv`)
      const { stderr, exitCode } = await promo([...line, '--fix', name, '--out', file])
      const lines = readFileSync(file, 'utf8').trim().split('\n')
      expect([name, new Set(lines).size]).toEqual([name, lines.length])
      const repaired = await promo([...remedies[name].command.split(' '), '--from', file, '--yes'])
      expect([name, exitCode, stderr]).toEqual([name, 12, expect.stringContaining(`promo ${remedies[name].command}`)])
      expect([name, repaired.exitCode, repaired.stderr]).toEqual([name, 0, expect.any(String)])
    }
    await promo('ledger pull')
    const after = await listed()

    expect(new Set(before.map(({ fix }) => fix))).toEqual(new Set([...remedyNames, null]))
    expect(after.filter(({ fix }) => fix !== null)).toEqual([])
    expect(after).toHaveLength(before.filter(({ fix }) => fix === null).length)
  })
})
