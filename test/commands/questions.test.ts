// What a question about one write says: who and what, and the balance before and after. With --yes nothing is read for it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { promoIn, type RunOptions, temporaryFolder } from '../support/promo.ts'
import { hearing } from '../support/sent-requests.ts'
import { startedSandbox } from '../support/started-sandbox.ts'

const sandbox = ['--profile', 'sandbox']

// A question that is declined changes nothing: one home for all.
const run = promoIn(temporaryFolder())

beforeAll(async () => {
  const { stdout } = await run(['projects', 'list', '--json', '--query', '[0].id', ...sandbox])
  const project = `/management/v1/projects/${JSON.parse(stdout)}`
  await run(['api', 'PUT', project, '--body', '{"currency":"EUR"}', ...sandbox])
})

/** Runs a command line on a terminal and declines. Returns the question as one line. */
async function asked(line: readonly string[], options: RunOptions = {}, inHome = run): Promise<string> {
  const { stderr, exitCode } = await inHome([...line, ...sandbox], {
    terminal: { columns: 400 },
    env: { NO_COLOR: '1' },
    answers: [[/\(y\/N\)/, 'n\r']],
    ...options,
  })
  expect(exitCode).toBe(11)
  const [question = ''] = /^.*in project proj_\w+ of profile "sandbox"\?.*?\(y\/N\)/m.exec(stderr) ?? []
  return question.replace(/^.*?\? (?=[a-z])/, '').replace(/ in project .*/, '')
}

test.each([
  [
    ['loyalty', 'points', 'add', 'CLUB-002', '--points', '60'],
    'add 60 points to loyalty card CLUB-002 of Bruno Keller, 118 → 178',
  ],
  [
    ['loyalty', 'points', 'remove', 'CLUB-002', '--points', '18', '--campaign', 'Bean Club'],
    'remove 18 points from loyalty card CLUB-002 of Bruno Keller, 118 → 100',
  ],
  [
    ['loyalty', 'points', 'transfer', 'CLUB-002', '--to', 'CLUB-006', '--points', '18', '--campaign', 'Bean Club'],
    'move 18 points from loyalty card CLUB-002 to CLUB-006 (CLUB-002 of Bruno Keller, 118 → 100, CLUB-006 of Farid Rahman, 0 → 18)',
  ],
  [
    ['vouchers', 'balance', 'add', 'GIFT-001', '--amount', '1050'],
    'add 1,050 credits to gift card GIFT-001, 50.00 EUR → 60.50 EUR',
  ],
  [
    ['vouchers', 'balance', 'remove', 'GIFT-001', '--amount', '5000'],
    'remove 5,000 credits from gift card GIFT-001, 50.00 EUR → 0.00 EUR',
  ],
  [
    ['redemptions', 'rollback', 'r_19b8d627a800000006'],
    'roll back redemption "r_19b8d627a800000006" (GIFT-008, Farid Rahman, order northlight-2006, 63.00 EUR of credit)',
  ],
  [
    ['redemptions', 'rollback', 'r_19b8d627a800000009'],
    'roll back redemption "r_19b8d627a800000009" (CLUB-006, Farid Rahman, order northlight-2009, 500 points)',
  ],
  [['vouchers', 'delete', 'CLUB-002'], 'delete voucher "CLUB-002" (loyalty card with 118 points) of Bruno Keller'],
  [['vouchers', 'delete', 'WELCOME-001'], 'delete voucher "WELCOME-001" (5.00 EUR off)'],
  [['customers', 'delete', 'shop-1002'], 'delete customer "shop-1002" (Bruno Keller, customer2@example.com)'],
  [['campaigns', 'disable', 'Welcome'], 'disable campaign "Welcome" and its vouchers (12 vouchers, on)'],
])('%j asks who and what', async (line, question) => {
  expect(await asked(line)).toBe(question)
})

test.each([
  [
    ['loyalty', 'points', 'remove', 'CLUB-002', '--points', '5000'],
    'remove 5,000 points from loyalty card CLUB-002 of Bruno Keller, which has only 118 points',
  ],
  [
    ['loyalty', 'points', 'transfer', 'CLUB-002', '--to', 'CLUB-006', '--points', '119', '--campaign', 'Bean Club'],
    'move 119 points from loyalty card CLUB-002 to CLUB-006 (CLUB-002 of Bruno Keller, which has only 118 points, CLUB-006 of Farid Rahman, 0 → 119)',
  ],
  [
    ['vouchers', 'balance', 'remove', 'GIFT-001', '--amount', '5001'],
    'remove 5,001 credits from gift card GIFT-001, which has only 50.00 EUR',
  ],
  [
    ['loyalty', 'rewards', 'redeem', 'CLUB-002', '--reward', 'Enamel mug'],
    ' (Enamel mug for 300 points, CLUB-002 of Bruno Keller, which has only 118 points)',
  ],
  [['redemptions', 'rollback', 'northlight-2006'], 'roll back redemption "northlight-2006", which does not exist'],
  [
    ['loyalty', 'points', 'add', 'CLUB-9', '--points', '5'],
    'add 5 points to loyalty card CLUB-9, which does not exist',
  ],
  [
    ['loyalty', 'points', 'add', 'customer3@example.com', '--points', '5'],
    'try: promo customers show --profile sandbox customer3@example.com shows the codes and cards of that customer',
  ],
  [['customers', 'delete', 'shop-9'], 'delete customer "shop-9", which does not exist'],
  [['vouchers', 'delete', 'NO-SUCH-CODE'], 'delete voucher "NO-SUCH-CODE", which does not exist'],
  [['campaigns', 'disable', 'camp_9'], 'disable campaign "camp_9" and its vouchers, which does not exist'],
  [['loyalty', 'cards', 'replace', 'CLUB-004'], 'the program Bean Club has no free card'],
])('%j can only be refused, and asks nobody, with a terminal or without', async (line, why) => {
  const { stderr, exitCode } = await run([...line, ...sandbox], { terminal: { columns: 400 }, env: { NO_COLOR: '1' } })
  const unasked = await run([...line, ...sandbox])

  expect(stderr).toContain(why)
  expect(stderr).not.toContain('(y/N)')
  expect(exitCode).toBe(3)
  expect(unasked).toEnd(3, why)
})

test('the question about new gift cards of a file has their amounts in the currency of the project', async () => {
  const stdin = 'code,gift.amount\nNEW-1,5000\nNEW-2,250\n'
  const line = ['vouchers', 'create', '--type', 'GIFT_VOUCHER', '--from', '-', ...sandbox]
  const { stderr } = await run(line, {
    stdin,
    ask: async (text) => !text.includes('(NEW-1 (gift card with 50.00 EUR); NEW-2 (gift card with 2.50 EUR))'),
  })

  expect(stderr).toContain('declined')
})

test.each([
  [['Enamel mug'], 'Enamel mug for 250 points, CLUB-003 of Chloé Martin, 250 → 0', 'CLUB-003'],
  [['Pay with points', '--amount', '5000'], 'Pay with points, CLUB-002 of Bruno Keller, which has 118 points'],
  [['Pay with points', '--amount', '5000', '--points', '18'], 'Pay with points, CLUB-002 of Bruno Keller, 118 → 100'],
])(
  'the question about the reward %j names it, its price in the tier of the holder, and what remains',
  async (line, detail, card = 'CLUB-002') => {
    const question = await asked(['loyalty', 'rewards', 'redeem', card, '--reward', ...line])

    expect(question.replace(/^spend .* on reward rew_\w+/, '')).toBe(` (${detail})`)
  },
)

test('the question about a rollback says what was redeemed together, and that it is rolled back already', async () => {
  const line = 'redemptions create BEANS10 gift:GIFT-007=200 --amount 5000 --set order.source_id=web-7'.split(' ')
  const { stdout } = await run([...line, '--yes', '--json', '--query', 'parent_redemption.id', ...sandbox])
  const rollback = ['redemptions', 'rollback', '--stacked', JSON.parse(stdout)]

  const before = await asked(rollback)
  await run([...rollback, '--yes', ...sandbox])
  const after = await asked(rollback)

  expect(before).toContain('(order web-7, 7.00 EUR in all)')
  expect(after).toContain('(order web-7, 7.00 EUR in all, already rolled back)')
})

test('the question about several rows names the first three', async () => {
  const codes = temporaryFolder()
  const file = join(codes, 'more.csv')
  writeFileSync(file, 'code,amount\nGIFT-001,100\nGIFT-002,200\nGIFT-003,300\nGIFT-004,450\n')
  // No question gives up what it could say because this computer is busy.
  const patient = { sleep: () => new Promise<void>(() => {}) }

  expect(await asked(['vouchers', 'balance', 'add', '--from', file], patient)).toBe(
    'add 1,050 credits to 4 gift cards, in 4 changes (GIFT-001, 50.00 EUR → 51.00 EUR; GIFT-002, 75.00 EUR → 77.00 EUR; GIFT-003, 25.00 EUR → 28.00 EUR; and 1 more)',
  )
  expect(await asked(['vouchers', 'disable', 'GIFT-001', 'CLUB-002'], patient)).toBe(
    'disable 2 vouchers (GIFT-001 (gift card with 50.00 EUR); CLUB-002 (loyalty card with 118 points) of Bruno Keller)',
  )
})

test('the question about several rows does not wait for a service that says nothing', async () => {
  const line = ['vouchers', 'disable', 'GIFT-001', 'CLUB-002']

  expect(await asked(line, { sleep: async () => {} })).toBe('disable 2 vouchers')
})

test('with --yes nothing is read for a question; without a terminal, whether the service can only refuse', async () => {
  const line = ['loyalty', 'points', 'add', 'CLUB-002', '--points', '60', ...sandbox]

  const sure = await hearing(() => run([...line, '--yes']))
  const alone = await hearing(() => run(line))

  expect(sure.sent.map(({ path }) => path)).toEqual(['/v1/loyalties/members/CLUB-002/balance'])
  expect(alone.sent.map(({ method }) => method)).not.toContain('POST')
  expect(alone.result.stderr).not.toContain('Bruno')
  expect(alone.result.stderr).toContain('add 60 points to loyalty card CLUB-002 in project')
})

test('amounts of a project without a currency are numbers of the smallest unit', async () => {
  const line = ['vouchers', 'balance', 'add', 'GIFT-001', '--amount', '1050']

  expect(await asked(line, {}, promoIn(temporaryFolder()))).toBe(
    'add 1,050 credits to gift card GIFT-001, 5,000 → 6,050',
  )
})

test('the question that wants the name of a protected profile says who and what, too', async () => {
  const server = await startedSandbox()
  const { app_id, app_token } = server.credentials
  const add = ['profiles', 'add', 'live', '--base-url', server.url, '--app-id', app_id, '--protected']
  await run([...add, '--insecure-storage'], { stdin: app_token })

  const ran = await run('vouchers disable CLUB-002 --profile live', {
    terminal: { columns: 400 },
    env: { NO_COLOR: '1' },
    answers: [[/to go ahead:/, 'no\r']],
  })

  await server.close()
  expect(ran).toEnd(11, 'disable voucher "CLUB-002" (loyalty card with 118 points) of Bruno Keller in ')
})
