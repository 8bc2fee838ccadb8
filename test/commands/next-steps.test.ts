// Next steps lead somewhere: `try:` lines that sent people to a dead end, and the check that reads those of all tests.
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../src/cli/help/manifest.ts'
import { keysFor } from '../support/command-lines.ts'
import { problemOfNextStep } from '../support/next-steps.ts'
import { promo, promoIn, temporaryFolder } from '../support/promo.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'
import { root } from '../support/source-files.ts'

const sandbox = ['--profile', 'sandbox']

test('the version is found by the flag of other tools', async () => {
  expect((await promo('-V')).stderr).toBe('promo: unknown flag "-V" without a command\ntry: promo version\n')
})

test('a flag with two letters exchanged is the one with the same letters', async () => {
  const { stderr } = await promo('vouchers disable --form codes.csv')

  expect(stderr).toMatch(/^promo: unknown flag --form; did you mean --from\?$/m)
})

test('a filter on an unknown field is refused with the names of those that exist', async () => {
  const ran = await promo(['redemptions', 'list', '--filter', 'order_id=1', ...sandbox])

  expect(ran).toEnd(3, /order_id is not a field that redemptions can be filtered by: campaign_id, .*order\.id, /)
})

test('doctor does not advise doctor where the service cannot be reached', async () => {
  const env = { PROMO_BASE_URL: 'http://127.0.0.1:1', PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b' }

  const { stdout, exitCode } = await promo('doctor --retries 0 --json', { env })

  const { state, todo } = (JSON.parse(stdout) as { check: string; state: string; todo: string }[]).at(-1) ?? {}
  expect({ state, todo }).toEqual({
    state: 'fail',
    todo: 'check the base URL of the profile (promo profiles show NAME), HTTPS_PROXY and the network of this computer',
  })
  expect(exitCode).toBe(4)
})

/** An id that no object has, by what it is an id of; an argument that takes more than ids is given a word. */
const noIds: Record<string, string> = {
  campaign: 'camp_0',
  category: 'cat_0',
  collection: 'pc_0',
  customer: 'cust_0',
  product: 'prod_0',
  project: 'proj_0',
  reward: 'rew_0',
  rule: 'val_0',
  schema: 'ms_0',
  segment: 'seg_0',
  template: 'camp_tpl_0',
  tier: 'promo_0',
}
const aboutOne = Object.values(readManifest(root)).filter(({ id, args, flags }) => {
  const needed = Object.values(args).filter(({ required }) => required)
  const isAlone = needed.length === 1 && Object.values(flags).every(({ required }) => !required)
  return isAlone && 'profile' in flags && /:(?:get|show|download|wait|delete|summary)$/.test(id)
})

describe.each(aboutOne)('$id', ({ id, args }) => {
  test.each(['an id', 'a word'])('of %s that nothing has leads to what there is', async (kind) => {
    const [name = ''] = Object.keys(args)
    const given = (kind === 'an id' ? noIds[name] : undefined) ?? 'nothing'
    const asking = [...id.split(':'), given, ...sandbox]

    const { exitCode, stderr } = await promo(id.endsWith(':delete') ? [...asking, '--yes'] : asking)

    expect([exitCode, stderr]).toEqual([3, expect.stringMatching(/^try: promo .*(?:list|show|get|schemas)\b/m)])
  })
})

/** Objects of the demo project that have others, and ids that none of those has. */
const owners: Record<string, string> = {
  campaign: 'Bean Club',
  card: 'CLUB-001',
  product: 'house-blend',
  rule: 'val_19b8d627a800000001',
}
const noIdsWithin: Record<string, string> = {
  assignment: 'asgm_0',
  id: 'none',
  offer: 'rewa_0',
  rule: 'ern_0',
  sku: 'sku_0',
  stack: 'stack_0',
  tier: 'ltr_0',
}
const aboutTwo = Object.values(readManifest(root)).flatMap(({ id, args, flags }) => {
  const needed = Object.values(args).filter(({ required }) => required)
  const [owner = '', one = ''] = needed.map(({ name }) => name)
  const words = [owners[owner], noIdsWithin[one]].filter((word) => word !== undefined)
  // A change of members needs one, and is refused in the same way.
  const isTried =
    needed.length === 2 && words.length === 2 && 'profile' in flags && !/:(?:adjust|reprice|update)$/.test(id)
  return isTried ? [[id, 'yes' in flags ? [...words, '--yes'] : words] as const] : []
})

test.each(aboutTwo)('%s with an id that its owner has not leads to what that has', async (id, words) => {
  const { exitCode, stderr } = await promo([...id.split(':'), ...words, ...sandbox])

  expect([exitCode, stderr]).toEqual([3, expect.stringMatching(/^try: promo .*(?:list|stacks)\b/m)])
})

test('what is within another object is tried in each kind', () => {
  const kinds = [
    'earning-rules:get',
    'pending:cancel',
    'rewards:withdraw',
    'tiers:get',
    'stacks:get',
    'unassign',
    'skus:delete',
  ]
  const tried = aboutTwo.map(([id]) => id)

  expect(kinds.filter((kind) => !tried.some((id) => id.endsWith(kind)))).toEqual([])
})

const asPrinted = 'promo vouchers get --profile sandbox WELCOME-001 shows whether that is meant'
const byAnything = 'promo customers show --profile sandbox club-1 shows the customer who is known by it'
const ofOrder =
  'promo redemptions list --profile sandbox --order-id northlight-2006 shows those of an order, --voucher those of a code'

test.each([
  ['vouchers get welcome-001', asPrinted],
  ['vouchers get WELCOME%001', asPrinted],
  ['vouchers disable welcome-001', asPrinted],
  ['vouchers delete welcome-001 --yes', asPrinted],
  ['loyalty cards get welcome-001', asPrinted],
  ['loyalty points add welcome-001 --points 5 --yes', asPrinted],
  ['redemptions create welcome-001 --amount 4000 --yes', asPrinted],
  ['redemptions list --voucher welcome-001', asPrinted],
  ['publications create --voucher welcome-001 --customer source_id=a --yes', asPrinted],
  ['customers get club-1', byAnything],
  ['customers delete club-1 --yes', byAnything],
  ['redemptions get northlight-2006', ofOrder],
  ['redemptions rollback northlight-2006 --yes', ofOrder],
  [
    'redemptions create XMAS2025 --amount 4000 --yes',
    'promo vouchers get --profile sandbox XMAS2025 shows what it is: off,',
  ],
  [
    'publications create --voucher XMAS2025 --customer source_id=shop-1001 --yes',
    'promo vouchers get --profile sandbox XMAS2025 shows what it is: off,',
  ],
  [
    'redemptions rollback r_1 --yes',
    'promo redemptions list --profile sandbox shows which there are; check that it is in project ',
  ],
  ['vouchers get a/b', 'check that it is in project '],
  ['redemptions list --filter order_id=1', '--filter order.id=VALUE'],
  ['redemptions list --filter customer=1', '--filter customer_id=VALUE'],
])('what is not found as it was typed is looked for in another way after %s', async (line, step) => {
  const argv = line.split(' ').map((word) => word.replace('%', ' '))

  expect((await promo([...argv, ...sandbox])).stderr).toContain(`\ntry: ${step}`)
})

test.each([
  [
    'loyalty points remove CLUB-003 --points 50000 --yes',
    'loyalty cards get --profile sandbox CLUB-003 shows how much',
  ],
  ['vouchers balance remove GIFT-001 --amount 50000 --yes', 'vouchers get --profile sandbox GIFT-001 shows how much'],
  [
    'loyalty points transfer CLUB-003 --to CLUB-002 --points 50000 --campaign Bean%Club --yes',
    'loyalty cards get --profile sandbox CLUB-003 shows how much',
  ],
  [
    'redemptions create gift:GIFT-001=99999 --amount 4000 --yes',
    'vouchers get --profile sandbox GIFT-001 shows how much',
  ],
  [
    'loyalty rewards redeem CLUB-002 --reward Enamel%mug --yes',
    'loyalty cards get --profile sandbox CLUB-002 shows how much',
  ],
  [
    'redemptions create WELCOME-003 --amount 4000 --yes',
    'redemptions list --profile sandbox --voucher WELCOME-003 shows how',
  ],
  [
    'redemptions create BEANS10 --amount 400 --yes',
    'rules get --profile sandbox val_19b8d627a800000001 shows what it asks for',
  ],
  ['redemptions create CLUB-003 --amount 4000 --yes', 'loyalty rewards redeem --profile sandbox CODE gives a reward'],
  ['loyalty transactions list CLUB-003', 'loyalty transactions list --profile sandbox --card CLUB-003, if'],
  [
    'loyalty points add a@example.com --points 5 --yes',
    'customers show --profile sandbox a@example.com shows the codes',
  ],
])('a refusal leads to the command that goes on after %s', async (line, step) => {
  const argv = line.split(' ').map((word) => word.replace('%', ' '))

  expect(await promo([...argv, ...sandbox])).toEnd(3, `\ntry: promo ${step}`)
})

test.each([
  ['customers create shop-9', 'promo customers get shop-9 shows what is there now; if that fails, too: promo doctor'],
  [
    'events send cupping_attended --customer source_id=shop-9',
    'promo api GET /v1/customers/shop-9/activity shows what is there now; sent again, it may be',
  ],
  ['vouchers disable A', 'promo vouchers get A shows what is there now; if that fails, too: promo doctor'],
  [
    'campaigns disable Welcome',
    'promo campaigns get Welcome shows what is there now; if that fails, too: promo doctor',
  ],
  [
    'vouchers balance add G --amount 5',
    'promo vouchers transactions list G shows what is there now; sent again, it may be',
  ],
  [
    'redemptions create A --amount 5',
    'promo redemptions list --created-after 10m shows what is there now; sent again, it',
  ],
])('a lost answer to `%s` leads to the command that shows what was applied', async (line, step) => {
  await using server = await scriptedServer(({ method }) =>
    method === 'GET' ? answer(404, { code: 404, key: 'not_found', message: 'No' }) : { do: 'reset' },
  )

  const { exitCode, stderr } = await promo([...line.split(' '), '--yes', '--retries', '0'], {
    env: keysFor(server.origin),
  })

  expect([5, 6]).toContain(exitCode)
  expect(stderr).toContain(`\ntry: ${step}`)
})

test('a second rollback of a redemption leads to the first', async () => {
  const own = promoIn(temporaryFolder())
  const line = ['redemptions', 'create', 'BEANS10', 'gift:GIFT-001=500', '--amount', '5000', '--json', '--query']
  const { stdout } = await own([...line, 'parent_redemption.id', ...sandbox])
  const rollback = ['redemptions', 'rollback', '--stacked', JSON.parse(stdout), '--yes', ...sandbox]
  await own(rollback)

  const { stderr } = await own(rollback)

  expect(stderr).toContain(`\ntry: promo redemptions get --profile sandbox ${JSON.parse(stdout)} shows its rollback\n`)
})

describe('a code that is not found, where one exists that looks like it,', () => {
  const own = promoIn(temporaryFolder())
  const atTerminal = { terminal: { columns: 80 } }

  test.each([
    ['vouchers get BEANS1O', 'BEANS10'],
    ['vouchers get beans1o', 'BEANS10'],
    ['vouchers get CLUB-OO3', 'CLUB-003'],
    ['vouchers disable M0RNING', 'MORNING'],
    ['loyalty cards get CLUB-O03', 'CLUB-003'],
    ['redemptions create BEANS1O --amount 4000 --yes', 'BEANS10'],
    ['publications create --voucher BEANS1O --customer source_id=a --yes', 'BEANS10'],
    ['vouchers get SUMMER', 'Summer'],
    ['vouchers get summer', 'Summer'],
  ])('leads to that one on a terminal after %s', async (line, code) => {
    await own(['vouchers', 'create', 'Summer', '--amount-off', '500', '--if-exists', 'reuse', '--yes', ...sandbox])

    const ran = await own([...line.split(' '), ...sandbox], atTerminal)

    expect(ran).toEnd(3, `try: promo vouchers get --profile sandbox ${code} shows one that exists; "`)
  })

  test('is explained so by a validation, for vouchers alone', async () => {
    const validate = ['validate', 'redeemables', '--amount', '4000', '--explain', ...sandbox]

    const near = await own([...validate, 'BEANS1O'])
    const far = await own([...validate, 'NO-SUCH-CODE'])
    const tier = await own([...validate, 'tier:BEANS1O'])

    expect(near.stdout).toContain('  there is no such voucher; BEANS10 exists (not_found)\n')
    expect(far.stdout).toContain('  there is no such voucher (not_found)\n')
    expect(tier.stdout).not.toContain('exists')
  })

  test('costs a script no call, nor what is far from all', async () => {
    const piped = await own(['vouchers', 'get', 'BEANS1O', '--verbose', ...sandbox])
    const far = await own(['vouchers', 'get', 'NOTHING', '--verbose', ...sandbox], atTerminal)

    expect(piped.stderr.match(/^> GET/gm)).toHaveLength(1)
    expect(far.stderr.match(/^> GET/gm)?.length).toBeLessThanOrEqual(9)
    expect(far.stderr).toContain('try: check that it is in project ')
  })
})

test('a code that begins with a dash goes after the flags of a next step', async () => {
  const own = promoIn(temporaryFolder())
  const ran = (line: string) => own(`${line} --profile sandbox -- -G1`.split(' '))
  await ran('vouchers create --gift-amount 500 --yes')

  const asked = [await ran('loyalty cards get'), await ran('loyalty cards replace'), await ran('customers show')]

  expect(asked.map(({ stderr }) => /^try: (.*)$/m.exec(stderr)?.[1])).toEqual([
    'it is a gift card: promo vouchers get --profile sandbox -- -G1',
    'promo vouchers disable --profile sandbox -- -G1',
    'promo vouchers get --profile sandbox -- -G1',
  ])
})

test.each([
  [['--profile', 'sandbox'], ' --profile sandbox'],
  [['--profile=sandbox'], ' --profile sandbox'],
  [['-p', 'sandbox'], ' --profile sandbox'],
  [['-psandbox'], ' --profile sandbox'],
  [[], ''],
])(
  'a next step goes to the profile that was typed as %j, and to that of the environment by itself',
  async (typed, said) => {
    const { stderr } = await promo(['vouchers', 'get', 'welcome-001', ...typed], { env: { PROMO_PROFILE: 'sandbox' } })

    const corrected = await promo(['vouchers', 'get', '--code', 'A', ...typed])

    expect(stderr).toContain(`\ntry: promo vouchers get${said} WELCOME-001 shows`)
    expect(corrected.stderr).toContain(`\ntry: ${['promo vouchers get A', ...typed].join(' ')}\n`)
  },
)

test('a next step goes to the profile that was typed in JSON, and not where a value names a command', async () => {
  const json = await promo(['vouchers', 'get', 'welcome-001', '--json', ...sandbox])
  const value = await promo(['customers', 'show', 'promo vouchers list', ...sandbox])

  expect(JSON.parse(json.stderr).error.hint).toContain('promo vouchers get --profile sandbox WELCOME-001 shows')
  expect(value.stderr).toMatch(/known by "promo vouchers list", .*\ntry: promo customers list --profile sandbox$/m)
})

test('an unknown code with a character that nobody sees has a next step without it', async () => {
  const one = await promo(['vouchers', 'get', 'MORNING\u200b', ...sandbox])
  const redemption = await promo(['redemptions', 'create', '\u00a0MORNING', '--amount', '4000', '--yes', ...sandbox])
  const { stdout } = await promo([
    'validate',
    'redeemables',
    'MORNING\u200b',
    ...'--amount 4000 --explain'.split(' '),
    ...sandbox,
  ])

  expect(one.stderr).toContain(
    'try: promo vouchers get --profile sandbox MORNING shows whether that is meant: what was given',
  )
  expect(redemption.stderr).toContain(
    'try: promo vouchers get --profile sandbox MORNING shows whether that is meant: what',
  )
  expect(stdout).toContain('MORNING exists: what was given has a character in it that is not seen')
})

test('a validation asks for an unknown code whether it is meant as it is printed', async () => {
  const { stdout } = await promo(['validate', 'redeemables', 'morning', '--amount', '4000', '--explain', ...sandbox])

  expect(stdout).toContain('there is no such voucher; MORNING exists: most projects distinguish upper and lower case')
})

test('a command line that cannot be run always has a next step', async () => {
  const badTime = await promo(['vouchers', 'list', '--created-after', '2026-13-01', ...sandbox])
  const twice = await promo(['loyalty', 'cards', 'replace', 'CLUB-001', '--to', 'CLUB-001', '--yes', ...sandbox])

  expect(badTime.stderr).toMatch(/\ntry: promo vouchers list --help\n$/)
  expect(twice.stderr).toMatch(/\ntry: promo loyalty cards replace --help\n$/)
})

test('a customer who has another code of the campaign is given one with the flag that the refusal names', async () => {
  const run = promoIn(temporaryFolder())
  const give = (code: string, ...flags: string[]) =>
    run(['publications', 'create', '--voucher', code, '--customer', 'source_id=guest-1', ...flags, ...sandbox])
  await give('WELCOME-011', '--join-once')

  const refused = await give('WELCOME-010', '--join-once')
  const given = await give('WELCOME-010', '--no-join-once')

  expect(refused.stderr).toMatch(
    /^try: promo vouchers get --profile sandbox WELCOME-011 shows who has it; --no-join-once/m,
  )
  expect(given.exitCode).toBe(0)
})

test('a campaign without a code to give away leads to the command that adds codes', async () => {
  const run = promoIn(temporaryFolder())
  await run(['campaigns', 'create', '--name', 'Few', '--gift-amount', '100', '--count', '1', ...sandbox])
  const give = (customer: string) =>
    run(['publications', 'create', '--campaign', 'Few', '--customer', `source_id=${customer}`, ...sandbox])
  const first = await give('guest-1')

  const second = await give('guest-2')

  expect([first.exitCode, second.exitCode]).toEqual([0, 3])
  expect(second.stderr).toMatch(
    /^try: promo campaigns vouchers add --profile sandbox CAMPAIGN adds codes, where all are/m,
  )
})

test.each([
  ['promo vouchers switch-off A', 'there is no such command'],
  ['promo vouchers get A --colour', 'there is no such flag'],
  ['promo categories get A B', 'it takes one category'],
  ['promo categories get', 'it needs a category'],
  ['run it again, or promo orders', 'that is a topic'],
  ['add --colour red', 'the command has no such flag'],
  ['promo vouchers list --all --profile x', 'it is what was run'],
])('the next step "%s" would fail its test: %s', async (hint) => {
  expect(await problemOfNextStep(hint, ['vouchers', 'list', '--all'])).toBeDefined()
})

test.each([
  'promo vouchers get A --json',
  'promo vouchers get "A B"; promo vouchers list --limit 5 lists others',
  'promo campaigns --help',
  'add --columns code, or run promo doctor --profile live',
  'promo loyalty transactions export C --json --query id | xargs promo exports get',
  'run the same command again when the service is back',
  'promo jobs discard 1 gives it up; use another file, or the version of promo that created it',
])('the next step "%s" leads somewhere', async (hint) => {
  expect(await problemOfNextStep(hint, ['vouchers', 'list', '--all'])).toBeUndefined()
})
