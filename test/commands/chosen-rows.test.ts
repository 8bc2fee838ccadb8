// What is written by list is chosen by filter: the filters of its list choose rows, which are counted, shown and then frozen.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lines } from '../support/command-lines.ts'
import { jobDesk, onSandbox, stopEarly, summaryOf, voucher } from '../support/jobs.ts'
import { classOf, promoIn, temporaryFolder } from '../support/promo.ts'
import { answer } from '../support/scripted-server.ts'
import { root } from '../support/source-files.ts'

const program = '--campaign camp_19b8d627a800000004 --points 1'
const credits = '--campaign Gift-cards --used --amount 1'.replace('Gift-cards', 'camp_19b8d627a800000003')

/** Each command: the list whose filters it has, a line that chooses, and what that chooses; one of these, where it is left out. */
const choosing: Record<string, [list: string, line: string, chosen: string, one?: string]> = {
  'customers:delete': [
    'customers:list',
    '--email customer6@example.com',
    '1 customer: shop-1006',
    'CUSTOMER6@example.com',
  ],
  'customers:update': [
    'customers:list',
    '--created-after 2020-01-01 --set name=A',
    '8 customers: shop-1008, ',
    'shop-1006',
  ],
  'loyalty:points:add': ['loyalty:cards:list', `--unused ${program}`, '3 loyalty cards: CLUB-005, ', 'CLUB-005'],
  'loyalty:points:remove': ['loyalty:cards:list', program, '6 loyalty cards: CLUB-006, ', 'CLUB-005'],
  'publications:create': [
    'customers:list',
    '--campaign Welcome --created-after 2020-01-01',
    '8 customers: shop-1008, ',
    'shop-1006',
  ],
  'redemptions:rollback': ['redemptions:list', '--campaign Welcome', '4 redemptions: r_', 'r_19b8d627a800000004'],
  'referrals:holders:remove': ['referrals:holders:list', 'FRIEND-001 --role REFEREE', '1 holder: rh_'],
  'vouchers:balance:add': ['vouchers:list', credits.replace('--used ', ''), '8 gift cards: GIFT-008, ', 'GIFT-001'],
  'vouchers:balance:remove': ['vouchers:list', credits, '2 gift cards: GIFT-008, ', 'GIFT-008'],
  'vouchers:delete': ['vouchers:list', '--campaign Welcome --used', '4 vouchers: WELCOME-012, ', 'WELCOME-003'],
  'vouchers:disable': ['vouchers:list', '--campaign Welcome --unused', '8 vouchers: WELCOME-011, ', 'WELCOME-001'],
  'vouchers:enable': ['vouchers:list', '--expired', '1 voucher: XMAS2025', 'XMAS2025'],
  'vouchers:update': [
    'vouchers:list',
    '--campaign Welcome --active --set category=A',
    '12 vouchers: WELCOME',
    'WELCOME-001',
  ],
}

/** Commands that make something for each row, which no list of theirs has yet. */
const making = [
  'campaigns:vouchers:add',
  'customers:create',
  'events:send',
  'loyalty:points:transfer',
  'loyalty:rewards:redeem',
  'redemptions:create',
  'referrals:holders:add',
  'vouchers:create',
]

const bulk = (await Promise.all(Object.keys(lines).map(async (id) => [id, await classOf(id)] as const))).flatMap(
  ([id, Class]) => (Class.words && Class.flags?.from ? [[id, Class] as const] : []),
)

test('every command that writes what a list has takes the filters of that list', async () => {
  const chosen = bulk.filter(([, { flags }]) => flags.except)

  expect(
    bulk
      .map(([id]) => id)
      .filter((id) => !(id in choosing))
      .toSorted(),
  ).toEqual(making)
  expect(chosen.map(([id]) => id).toSorted()).toEqual(Object.keys(choosing))
  for (const [id, { flags, args }] of chosen) {
    const List = await classOf(choosing[id]?.[0] ?? '')
    const shared = ['profile', 'order', 'limit', 'all', 'page-size', 'explain']
    const filters = Object.entries(List.flags ?? {}).filter(([name, flag]) => !flag.helpGroup && !shared.includes(name))
    expect(filters.map(([name]) => name).filter((name) => !(name in flags) && !(name in args))).toEqual([])
  }
})

describe('rows of filters', () => {
  const promo = promoIn(temporaryFolder())

  test.each(Object.entries(choosing))('of %s are counted and shown before anything is asked', async (id, of) => {
    const [, line, chosen, one] = of
    if (id === 'referrals:holders:remove')
      await promo('referrals holders add FRIEND-001 --holder source_id=shop-1008 --yes -p sandbox'.split(' '))
    const words = [...id.split(':'), ...line.split(' '), ...onSandbox]

    const plan = await promo([...words, '--dry-run', '--json', '--query', 'length(@)'])
    const asked = await promo(words)
    const without = await promo([...words, '--dry-run', '--except', '-'], { stdin: `["${one}"]` })

    const count = Number.parseInt(chosen, 10)
    expect(plan).toEnd(0, ` chooses ${chosen}`)
    expect(Number(plan.stdout)).toBe(count)
    expect(asked).toEnd(11, ` chooses ${chosen}`)
    const left = one === undefined ? 0 : 1
    expect(without.stderr).toMatch(
      new RegExp(` chooses ${count - left} [a-z ]+, without ${left} of the 1 in standard input`),
    )
  })
})

describe('a job of chosen rows', () => {
  const desk = jobDesk()
  const line = ['vouchers', 'disable', '--campaign', 'Spring mailing', '--active', '--yes', ...onSandbox]
  const leaked = join(root, 'examples/leaked-codes.csv')

  test('resumes with the rows that were chosen, by the same line or by its id, and lists nothing again', async () => {
    // All but the first two hundred.
    const [header, ...all] = readFileSync(leaked, 'utf8').split('\n')
    line.push('--except', desk.input('kept.csv', [header, ...all.slice(200)].join('\n')))
    const stopped = await desk.promo([...line, '--jsonl', '--concurrency', '1'], stopEarly)
    const again = await desk.promo([...line, '--jsonl', '--verbose', '--rate', '100000/s'], {
      onStdout: (_, stop) => stop('SIGINT'),
    })
    const rest = await desk.promo('jobs resume latest --yes --jsonl --verbose')
    const next = await desk.promo([...line, '--jsonl'])

    expect([stopped.exitCode, again.exitCode, rest.exitCode]).toEqual([130, 130, 0])
    expect(`${again.stderr}${rest.stderr}`).not.toMatch(/> GET \S*\/v1\/vouchers\b/)
    expect(summaryOf(rest.stdout)).toMatchObject({ total: 200, ok: 200 })
    // A job that is over is not resumed: nothing is on any more.
    expect([next.exitCode, summaryOf(next.stdout)]).toEqual([0, expect.objectContaining({ total: 0 })])
  })

  test('is undone like any other, for the rows that it changed', async () => {
    await desk.promo('vouchers disable WELCOME-001 --yes --profile sandbox')
    await desk.promo('vouchers disable --campaign Welcome --unused --yes --profile sandbox')
    const undone = await desk.promo('jobs undo latest --yes')
    const off = await desk.promo('vouchers list --campaign Welcome --no-active --csv --columns code --profile sandbox')

    expect(undone).toEnd(0, 'enabled 7 vouchers')
    expect(off.stdout).toBe('code\nWELCOME-001\n')
  })

  test('is not begun where rows are named, too, nothing is chosen from, or what is named does not exist', async () => {
    const codes = desk.input('codes.csv', 'code\nMORNING\n')
    const disable = (...words: string[]) => desk.promo(['vouchers', 'disable', ...words, '--yes', ...onSandbox])

    const both = await disable('--from', codes, '--unused')
    const named = await disable('MORNING', '--campaign', 'Welcome')
    const fileAndExcept = await disable('--from', codes, '--except', codes)
    const alone = await disable('--except', codes)
    const unknown = await disable('--campaign', 'Welcom')
    const noFile = await disable('--unused', '--except', 'no-such.csv')
    const points = await desk.promo('loyalty points add --unused --points 5 --yes --profile sandbox')
    const give = 'publications create --campaign Welcome --customer source_id=shop-1001 --city Oz'
    const oneOfAll = await desk.promo(`${give} --yes --profile sandbox`)

    const refused = [both, named, fileAndExcept, alone, unknown, noFile, points, oneOfAll]
    expect(refused.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2, 3, 2, 2, 2])
    expect(both.stderr).toContain('--unused chooses from a list, and rows are named, too: give either of them')
    expect(points.stderr).toContain('filters choose among the cards of one program\ntry: --campaign "Bean Club"')
    expect(await desk.jobs()).toEqual([])
  })

  test('without a row ends as that of a file without a row does', async () => {
    const empty = await desk.promo([
      ...'vouchers disable --from'.split(' '),
      desk.input('e.csv', 'code\n'),
      '--yes',
      ...onSandbox,
    ])
    const none = await desk.promo('vouchers disable --campaign Welcome --expired --yes --profile sandbox')

    expect([
      none.exitCode,
      none.stdout,
      none.stderr
        .split('\n')
        .at(-2)
        ?.replace(/ in .*/, ''),
    ]).toEqual([
      empty.exitCode,
      empty.stdout,
      empty.stderr
        .split('\n')
        .at(-2)
        ?.replace(/ in .*/, ''),
    ])
  })

  test('is not chosen by what the command sets, where that has the name of a filter', async () => {
    const line = ['vouchers', 'update', '--campaign', 'Welcome', '--category', 'Seasonal', '--dry-run', ...onSandbox]
    expect((await desk.promo(line)).stderr).toContain('--campaign Welcome chooses 12 vouchers: ')
  })

  test('has no row that the service returned although its state or its day is another', async () => {
    const listed = ['USED', 'NEW', 'OFF', 'LATE'].map((code) => ({
      id: `v_${code}`,
      code,
      object: 'voucher',
      active: code !== 'OFF',
      created_at: code === 'LATE' ? '2026-03-01T00:00:00.000Z' : '2026-02-28T23:59:59.999Z',
      redemption: { redeemed_quantity: ['NEW', 'LATE'].includes(code) ? 0 : 1 },
    }))
    const body = { object: 'list', data_ref: 'vouchers', vouchers: listed, total: 4 }
    await desk.serve((asked) => (asked.method === 'GET' ? answer(200, body) : voucher(asked)))

    const { stderr } = await desk.promo(
      'vouchers disable --unused --created-before 2026-03-01 --tz UTC --yes'.split(' '),
      { env: desk.env() },
    )
    const list = await desk.promo('vouchers list --no-active --csv --columns code', {
      env: desk.env(),
    })

    expect(stderr).toContain('--unused --created-before 2026-03-01 chooses 1 voucher: NEW\n')
    expect(list.stdout).toBe('code\nOFF\n')
  })
})
