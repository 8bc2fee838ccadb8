import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/in-code.ts'
import { doorTo, type Passage } from '../support/door.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())

test('campaigns create --if-exists lets a script be run twice', async () => {
  const create = (...more: string[]) =>
    promo(['campaigns', 'create', '--body', body, '--json', '--profile', 'sandbox', ...more])
  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }
  const body = JSON.stringify({ name: 'Twice', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher })

  const first = await create()
  const taken = await create()
  const reused = await create('--if-exists', 'reuse')
  const updated = await create('--if-exists', 'update', '--set', 'description=again')
  const undone = await promo('history undo latest --yes --json')

  expect([first, taken, reused, updated].map(({ exitCode }) => exitCode)).toEqual([0, 3, 0, 0])
  expect(JSON.parse(reused.stdout).id).toBe(JSON.parse(first.stdout).id)
  expect(reused.stderr).toContain('campaign "Twice" already exists; nothing was created')
  expect(JSON.parse(updated.stdout)).toMatchObject({ id: JSON.parse(first.stdout).id, description: 'again' })
  expect(JSON.parse(undone.stdout)).toMatchObject([{ member: 'description', before: 'again', after: null }])
})

test('a campaign whose name is taken says what to do about it, and where a deleted one keeps it', async () => {
  const campaign = ['--name', 'Binned', '--percent-off', '5', '--profile', 'sandbox']
  const bin =
    'promo api --profile sandbox GET /v1/trash-bin --paginate lists what is in the bin, where a name stays taken'
  await promo(['campaigns', 'create', ...campaign])

  const taken = await promo(['campaigns', 'create', ...campaign])
  await promo('campaigns delete Binned --yes --profile sandbox')
  const binned = await promo(['campaigns', 'create', ...campaign, '--if-exists', 'reuse'])
  const category = ['categories', 'create', '--name', 'Seasonal', '--hierarchy', '9', '--profile', 'sandbox']
  const filed = await promo(category)

  expect([taken.exitCode, binned.exitCode]).toEqual([3, 3])
  expect(taken.stderr).toContain(`try: --if-exists reuse takes the one that there is as it is; ${bin}\n`)
  expect(binned.stderr).toContain(`try: ${bin}\n`)
  expect(filed).toEnd(3, 'try: --if-exists reuse takes the one that there is as it is\n')
})

test('campaigns create --if-exists update never takes a campaign of another kind for the one asked for', async () => {
  const create = (...words: string[]) => promo(['campaigns', 'create', '--profile', 'sandbox', '--json', ...words])
  const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }
  const coupons = { name: 'Kind', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: discount }
  await create('--body', JSON.stringify(coupons))

  const update = ['--if-exists', 'update', '--set', 'metadata.season=spring']
  const other = await create('--set', 'name=Kind', '--set', 'campaign_type=PROMOTION', ...update)
  const same = await create('--body', JSON.stringify(coupons), ...update)

  expect(other).toEnd(3, 'the name is taken by a campaign with campaign_type DISCOUNT_COUPONS, which no update changes')
  expect(JSON.parse(same.stdout)).toMatchObject({ campaign_type: 'DISCOUNT_COUPONS', metadata: { season: 'spring' } })
})

test('campaigns summary shows people its counters alone, and programs the campaign too', async () => {
  const summary = ['campaigns', 'summary', 'Welcome', '--profile', 'sandbox']

  const { stdout } = await promo(summary)
  const json = await promo([...summary, '--json'])

  expect(stdout).toMatch(/^campaign\.name +Welcome\nredemptions +\d+$/m)
  expect(stdout).not.toContain('code_config')
  expect(JSON.parse(json.stdout).campaign.voucher.code_config.pattern).toBe('WELCOME-######')
})

test('campaigns summary shows several campaigns side by side, and their periods one after the other', async () => {
  const summary = ['campaigns', 'summary', 'Welcome', 'Bean Club', '--profile', 'sandbox']
  const periods = ['--by', 'month', '--since', '2026-01-01', '--until', '2026-02-28']

  const table = await promo(summary, { terminal: { columns: 80 }, env: { NO_COLOR: '1' } })
  const csv = await promo([...summary, ...periods, '--csv', '--columns', 'campaign,from,redemptions'])
  const json = JSON.parse((await promo([...summary, '--json'])).stdout)
  const none = await promo('campaigns summary Welcome Nothing --profile sandbox')

  expect(table.stdout).toMatch(/^campaign +redemptions +failed .*\nWelcome +\d+ .*\nBean Club +\d+ /m)
  expect(csv.stdout.replaceAll(/,\d+$/gm, '')).toBe(
    'campaign.name,from,redemptions\nWelcome,2026-01-01\nWelcome,2026-02-01\nBean Club,2026-01-01\nBean Club,2026-02-01\n',
  )
  expect(json.map(({ campaign }: { campaign: { name: string } }) => campaign.name)).toEqual(['Welcome', 'Bean Club'])
  expect(none).toEnd(3, 'Nothing')
})

test('campaigns summary asks for four periods at once, and shows them in their order', async () => {
  const sandbox = await startSandbox({ demo: true })
  onTestFinished(() => sandbox.close())
  const { app_id: PROMO_APP_ID, app_token: PROMO_APP_TOKEN } = sandbox.keys
  const waiting: (() => void)[] = []
  let asked = 0
  // No request of the first four is answered before all of them are there; then the last of them is the first.
  await using door = await doorTo(sandbox.url, async (): Promise<Passage> => {
    asked += 1
    if (asked > 4) return 'pass'
    const answered = new Promise<void>((resolve) => waiting.unshift(resolve))
    if (waiting.length === 4) for (const answer of waiting) answer()
    await answered
    return 'pass'
  })
  const env = { PROMO_BASE_URL: door.origin, PROMO_APP_ID, PROMO_APP_TOKEN }
  const days = '--by month --since 2026-01-01 --until 2026-03-31 --csv --columns campaign,from'.split(' ')

  const { exitCode, stdout } = await promo(['campaigns', 'summary', 'Welcome', 'Bean Club', ...days], { env })

  const months = ['2026-01-01', '2026-02-01', '2026-03-01']
  const rows = ['Welcome', 'Bean Club'].flatMap((name) => months.map((from) => `${name},${from}\n`))
  expect([exitCode, stdout]).toEqual([0, ['campaign.name,from\n', ...rows].join('')])
})

test('campaigns summary --by has a row for each period, and their sums are those of all of it', async () => {
  const summary = ['campaigns', 'summary', 'Bean Club', '--profile', 'sandbox', '--json']
  const days = ['--since', '2026-01-10', '--until', '2026-03-12']
  const inAll = JSON.parse((await promo([...summary, ...days])).stdout)

  for (const [by, first, second, last] of [
    ['day', '2026-01-10 2026-01-10', '2026-01-11 2026-01-11', '2026-03-12 2026-03-12'],
    ['week', '2026-01-10 2026-01-11', '2026-01-12 2026-01-18', '2026-03-09 2026-03-12'],
    ['month', '2026-01-10 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-12'],
  ] as const) {
    const rows: Record<string, number>[] = JSON.parse((await promo([...summary, ...days, '--by', by])).stdout)
    const spans = rows.map(({ from, until }) => `${from} ${until}`)

    expect([spans[0], spans[1], spans.at(-1)]).toEqual([first, second, last])
    for (const counter of ['redemptions', 'publications', 'vouchers_created', 'discounted_amount', 'orders_amount']) {
      const sum = rows.reduce((all, row) => all + (row[counter] ?? Number.NaN), 0)
      expect([by, counter, sum]).toEqual([by, counter, inAll[counter]])
    }
  }
  expect(inAll.redemptions).toBeGreaterThan(0)
})

test.each([
  ['--by day', '30 2026-01-21 2026-02-19'],
  ['--by week', '12 2025-12-01 2026-02-19'],
  ['--by month', '12 2025-03-01 2026-02-19'],
  ['--by month --until 2026-01-31', '12 2025-02-01 2026-01-31'],
  ['--by day --since 7d', '8 2026-02-12 2026-02-19'],
])('campaigns summary %s has the usual periods: %s', async (flags, said) => {
  const summary = ['campaigns', 'summary', 'Bean Club', '--profile', 'sandbox', '--json', ...flags.split(' ')]
  const rows: { from: string; until: string }[] = JSON.parse(
    (await promo(summary, { now: () => Date.parse('2026-02-19T12:00:00Z') })).stdout,
  )

  expect(`${rows.length} ${rows[0]?.from} ${rows.at(-1)?.until}`).toBe(said)
})

test.each([
  ['--since 2026-02-30', '"2026-02-30" is not a time'],
  ['--since 2026-02-01T00:00:00Z', 'is not a day'],
  ['--since 2026-02-02 --until 2026-02-01', '"2026-02-02" is after "2026-02-01"'],
  ['--since 2020-01-01 --by day', 'more than 366 days; take a longer period with --by'],
  ['--since 2999-01-01 --by day', '2999-01-01 is after today'],
  ['--chart', '--by'],
])('campaigns summary %s is refused before anything is asked', async (flags, reason) => {
  const { exitCode, stderr } = await promo(['campaigns', 'summary', 'Bean Club', ...flags.split(' ')])

  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)])
})

test('campaigns summary --chart draws the redemptions on a terminal alone', async () => {
  const summary = ['campaigns', 'summary', 'Bean Club', '--by', 'month', '--chart', '--profile', 'sandbox']
  const days = ['--since', '2026-01-01', '--until', '2026-03-31']
  const shown = await promo([...summary, ...days], { terminal: { columns: 80 } })
  const piped = await promo([...summary, ...days])

  expect(shown.stderr).toMatch(/redemptions\n2026-01-01 {2}█+ 2\n2026-02-01 {2}█+▌ 1\n2026-03-01 {2}0\n/)
  expect(Math.max(...shown.stderr.split('\n').map((line) => line.length))).toBeLessThan(80)
  expect(piped.stderr).not.toContain('█')
})
