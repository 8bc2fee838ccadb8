// Wrong usage: one line with the problem and the next step, exit 2, and nothing sent.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describedCommands, readManifest } from '../../src/cli/help/manifest.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const promo = promoIn(temporaryFolder())
const onSandbox = ['--profile', 'sandbox']

describe('the help of a command', () => {
  test('begins with its purpose, usage and examples; flags follow', async () => {
    const { stdout } = await promo('templates setup-tier --help')

    const headers = stdout.split('\n').filter((line) => /^[A-Z]+( FLAGS)?$/.test(line))
    expect(stdout).toMatch(
      /^Create a promotion tier from a template\n\nUSAGE\n {2}\$ promo templates setup-tier TEMPLATE --campaign ID --name VALUE \[flags\]\n/,
    )
    expect(headers.slice(0, 5)).toEqual(['USAGE', 'DESCRIPTION', 'EXAMPLES', 'ARGUMENTS', 'FLAGS'])
    expect(stdout.match(/Create a promotion tier/g)).toHaveLength(1)
  })

  test('shows the flags of bulk work before the common flags', async () => {
    const { stdout } = await promo('vouchers update --help')

    const groups = stdout.match(/^([A-Z]+ )?FLAGS$/gm)
    expect(groups?.slice(0, 4)).toEqual(['FLAGS', 'FILTER FLAGS', 'BODY FLAGS', 'BULK FLAGS'])
    expect(groups?.slice(4).toSorted()).toEqual(['GLOBAL FLAGS', 'OUTPUT FLAGS', 'SERVICE FLAGS'])
  })

  test('shows that an argument may be repeated', async () => {
    expect((await promo('vouchers disable --help')).stdout).toContain('$ promo vouchers disable [CODE...] [flags]\n')
  })
})

test.each([[['--order', '-voucher_code', '-v']], [['-v', '--order=-voucher_code']]])(
  'an order that begins with the letter of a flag is an order (%j)',
  async (words) => {
    expect(await promo(['publications', 'list', ...words, ...onSandbox])).toEnd(0, 'order=-voucher_code')
  },
)

describe('wrong flags and arguments', () => {
  test.each([
    [
      'redemptions list --columns percent_off',
      'there is no column "percent_off"; did you mean "voucher.discount.percent_off" or "promotion_tier.action.discount.percent_off"?',
      "promo commands redemptions list --json --query '[].columns[]' lists all",
    ],
    [
      'redemptions list --columns customr',
      'there is no column "customr"; did you mean "customer"?',
      "promo commands redemptions list --json --query '[].columns[]' lists all",
    ],
    [
      'loyalty points add CLUB-001 --points 5 --yes --columns line',
      'there is no column "line" in this result: another one of the command has it, as of one row or of many\n',
      "promo commands loyalty points add --json --query '[].columns[]' lists all",
    ],
    [
      'loyalty points add CLUB-001 60',
      'missing --points or --from',
      'promo loyalty points add CLUB-001 --profile sandbox --points 60',
    ],
    [
      'loyalty points remove C-1 C-2 5',
      'missing --points or --from',
      'promo loyalty points remove C-1 C-2 --profile sandbox --points 5',
    ],
    // Codes may be numbers, too.
    [
      'loyalty points add 4711 4712',
      'missing --points or --from',
      'promo loyalty points add 4711 4712 --profile sandbox --points 50',
    ],
    [
      'vouchers balance add GIFT-001 500',
      'missing --amount or --from',
      'promo vouchers balance add GIFT-001 --profile sandbox --amount 500',
    ],
    [
      'loyalty points transfer C-1 C-2 5',
      'missing --to or --from; --points or --from',
      'promo loyalty points transfer C-1 --profile sandbox --to C-2 --points 5',
    ],
    [
      'loyalty rewards reprice "Bean Club" Mug 250',
      'unexpected argument "250"',
      'promo loyalty rewards reprice --help',
    ],
    ['help exit-code', 'no help about "exit-code"; did you mean "exit-codes"?', 'promo help exit-codes'],
    ['help voucher', 'unknown command "voucher"; did you mean "vouchers"?', 'promo vouchers --help'],
    [
      'campaigns create --ends 2027-01-01',
      'unknown flag --ends; did you mean --expires?',
      'promo campaigns create --expires 2027-01-01 --profile sandbox',
    ],
    [
      'vouchers create A --percent 10',
      'unknown flag --percent; did you mean --percent-off?',
      'promo vouchers create A --percent-off 10 --profile sandbox',
    ],
    ...['vouchers update A', 'campaigns create', 'promotions tiers update promo_1', 'vouchers create'].map(
      (line): [string, string, string] => [
        `${line} --expires tomorrow`,
        '--expires: "tomorrow" is not a time; write it like 2026-12-31 or 2026-12-31T23:59:00Z',
        `promo ${line.replace(/ [A-Z]$| promo_1$/, '')} --help`,
      ],
    ),
    [
      'campaigns summary Welcome --created-after 90d',
      'unknown flag --created-after; did you mean --since?',
      'promo campaigns summary Welcome --since 90d --profile sandbox',
    ],
    [
      'vouchers list --count=3',
      'unknown flag --count; did you mean --limit?',
      'promo vouchers list --limit 3 --profile sandbox',
    ],
    [
      'customers show --email a@b.c --tz UTC',
      'unknown flag --email',
      'promo customers show a@b.c --tz UTC --profile sandbox',
    ],
    [
      'campaigns create --per-customer 1',
      'unknown flag --per-customer; "promo rules create" has it',
      'promo rules create --help',
    ],
    ['orders list --order 2001', 'to be one of: ', 'promo orders list --help'],
    [
      'redemptions list --order "northlight 2006"',
      'did you mean --order-id?',
      "promo redemptions list --order-id 'northlight 2006' --profile sandbox",
    ],
    ['redemptions list --order newest', 'to be one of: ', 'promo redemptions list --help'],
    ['vouchers list -limit 5', 'unknown flag -l; did you mean --limit?', 'promo vouchers list --help'],
    ['vouchers list limit=5', 'unexpected argument "limit=5"; did you mean --limit?', 'promo vouchers list --help'],
    [
      'vouchers get --code MORNING',
      'unknown flag --code: CODE is an argument of this command',
      'promo vouchers get MORNING --profile sandbox',
    ],
    [
      'loyalty cards list "--campaign=Bean Club" --limit 2',
      'unknown flag --campaign: CAMPAIGN is an argument of this command',
      "promo loyalty cards list 'Bean Club' --limit 2 --profile sandbox",
    ],
    [
      'campaigns disable "Bean Club" --at=2027-03-01T00:00',
      "cron has: 0 0 1 3 * promo campaigns disable 'Bean Club' --profile sandbox --yes --no-input; or it gets dates of its own",
      "promo campaigns update 'Bean Club' --profile sandbox --expires 2027-03-01T00:00:00Z",
    ],
    [
      'campaigns resume Welcome --at 2027-03-01T00:00',
      'did you mean "campaigns enable"? the service has no timer for this; cron has: 0 0 1 3 * promo campaigns enable Welcome --profile',
      'promo campaigns update Welcome --profile sandbox --starts 2027-03-01T00:00:00Z',
    ],
    [
      'campaigns disable "Bean Club" --at midnight',
      "cron has: MINUTE HOUR DAY MONTH * promo campaigns disable 'Bean Club' --profile sandbox --yes --no-input; or it gets",
      'promo campaigns update --help',
    ],
    ['--profile x vouchers', 'flags go after the command', 'promo vouchers --help'],
    [
      'vouchers list --frmat json',
      'unknown flag --frmat; did you mean --format?',
      'promo vouchers list --format json --profile sandbox',
    ],
    ['vouchers list --page 2', 'unknown flag --page\n', 'promo vouchers list --help'],
    ['vouchers list --token=abcdef', 'unknown flag --token', 'promo vouchers list --help'],
    ['webhooks list --to x', 'unknown flag --to\n', 'promo webhooks list --help'],
    // Other tools have these words for flags of several meanings, and a few letters resemble everything.
    ['vouchers list --from codes.csv', 'unknown flag --from\n', 'promo vouchers list --help'],
    ['vouchers list --from=2026-01-05', 'unknown flag --from\n', 'promo vouchers list --help'],
    ['redemptions list --to=a@b.example', 'unknown flag --to\n', 'promo redemptions list --help'],
    ['vouchers get A --count 3', 'unknown flag --count\n', 'promo vouchers get --help'],
    ['vouchers get A --tpe x', 'unknown flag --tpe\n', 'promo vouchers get --help'],
    [
      'vouchers list --customer-metadata-from-orders x',
      'unknown flag --customer-metadata-from-orders\n',
      'promo vouchers list --help',
    ],
    ['vouchers list --sk_live_abcdefghij0123456789', 'looks like a secret', 'promo vouchers list --help'],
    ['vouchers list --abcdefghijklmnopqrstuvwxyz', 'looks like a secret', 'promo vouchers list --help'],
    ['version -p live', 'unknown flag -p: this command takes no profile', 'promo version'],
    ['jobs list --profile=live', 'unknown flag --profile: this command takes no profile', 'promo jobs list'],
    [
      'config validate "my shop" --profile live',
      'unknown flag --profile: this command takes no profile',
      "promo config validate 'my shop'",
    ],
    ['vouchers get', 'missing argument CODE', 'promo vouchers get WELCOME-001 --profile sandbox'],
    [
      'history CLUB-001 --limit 2',
      'unexpected argument "CLUB-001"',
      'promo history --subject CLUB-001 --limit 2 --profile sandbox',
    ],
    ['categories get A B', 'unexpected argument "B"', 'promo categories get --help'],
    ['categories create A B', 'unexpected argument "B"', 'promo categories create --help'],
    ['categories list abcdefghijklmnopqrstuvwxyz', 'looks like a secret', 'promo categories list --help'],
    ['rules create --from x.csv', 'unknown flag --from', 'promo rules create --help'],
    ['vouchers list --limit 0', '--limit: "0" is not a whole number from 1 to 1000000000', ''],
    [`vouchers list --limit ''`, '--limit: "" is not a whole number from 1 to 1000000000', ''],
    ['vouchers list --limit 3 --all', '--limit=3 cannot also be provided when using --all', ''],
    ['vouchers list --format JSON', '--format=JSON to be one of: table, json, jsonl, csv, xlsx, yaml', ''],
    ['vouchers list --format jsn', 'table, json, jsonl, csv, xlsx, yaml, text; did you mean json?', ''],
    ['api GTE /v1/vouchers', 'expected GTE to be one of: GET, POST, PUT, DELETE; did you mean GET?', ''],
    ['vouchers list --timeout 30', '--timeout: "30" is not a duration; write it like 500ms, 30s or 2m', ''],
    ['vouchers list --columns a,,b', '--columns: "a,,b" contains an empty name; write it like a,b.c', ''],
    ['vouchers list --tz Mars', '--tz: "Mars" is not a time zone; write it like UTC or Europe/Warsaw', ''],
    [
      'vouchers create',
      'missing argument CODE or --from; --set, --body, --campaign, --from or one of 6 more flags\n',
      'promo vouchers create TENOFF --percent-off 10 --expires 2027-12-31 --uses 1 --profile sandbox',
    ],
    [`customers list --email ''`, '--email is empty: is it a variable that is not set?', 'promo customers list --help'],
    ['orders list --created-after soon', '--created-after: "soon" is not a time; write it like', ''],
    [
      'vouchers disable',
      'missing argument CODE, --from or a filter like --campaign',
      'promo vouchers disable WELCOME-001 --profile sandbox',
    ],
    [
      'vouchers disable A --column x',
      'one of the following must be provided when using --column: --from, --except',
      '',
    ],
  ])('%s', async (line, message, hint) => {
    const ran = await promo(/^(?:help|--profile) /.test(line) ? line : `${line} --profile sandbox`)

    expect(ran.exitCode).toBe(2)
    expect(ran.stdout).toBe('')
    expect(ran.stderr.toLowerCase()).toContain(message.toLowerCase())
    if (hint !== '') expect(ran.stderr).toContain(`try: ${hint}\n`)
    expect(ran.stderr).not.toMatch(/\n {4}at /)
  })

  describe.each([
    ['looks like a secret', 'f3b0c442-98fc-1c14-9afb-f4c8996fb924', 'f3b0c442'],
    ['is an address with a password', 'http://user:canary-4711@shop.example/hook', 'canary'],
  ])('a word that %s is not repeated where the line does not fit', (_, word, secret) => {
    // A wrong value of a flag is named: it is where values belong.
    const complaint = /^promo: (?:missing|unexpected|unknown)/

    test.each(describedCommands(root))('$id', async ({ id, args, flags, needs }) => {
      // Something that is needed is missing beside each of them, so nothing is done; a next step goes to the same profile.
      const texts = Object.values(flags).filter(
        ({ name, type }) =>
          type === 'option' && name !== 'profile' && needs.some((ways) => !ways.includes(`--${name}`)),
      )
      const lines = [
        ...texts.map(({ name }) => [`--${name}`, word]),
        [...Object.keys(args), 'more', word],
        [`--${word}`],
        [`--nope=${word}`],
        ['--nope', word],
      ]

      const said = await Promise.all(lines.map((line) => promo([...id.split(':'), ...line], { stdin: '' })))

      const complaints = said.map(({ stderr }) => stderr).filter((stderr) => complaint.test(stderr))
      expect(complaints.length).toBeGreaterThan(1)
      expect(complaints.filter((stderr) => stderr.includes(secret))).toEqual([])
    })

    test('as a command', async () => {
      for (const line of [[word], ['vouchers', word], ['vouchers', 'balance', word], [word, 'vouchers']])
        expect((await promo(line)).stderr).not.toContain(secret)
    })
  })

  test('an error is one JSON object where a JSON format was requested', async () => {
    const { exitCode, stderr } = await promo('vouchers list --jsonl --limit 0')

    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { kind: 'usage', exit_code: 2, hint: 'promo vouchers list --help' },
    })
  })

  test('no profile is an error that names both ways to get one', async () => {
    expect(await promo('vouchers list')).toEnd(4, 'promo profiles add', '--profile sandbox')
  })
})

describe('a write that needs a confirmation which cannot be requested', () => {
  test('says what would be done and where, and how to go ahead', async () => {
    expect(await promo('vouchers delete WELCOME-001 WELCOME-002 --profile sandbox')).toEnd(
      11,
      /^promo: delete 2 vouchers in project proj_\w+ of profile "sandbox"\? This cannot be undone\. There is no terminal to ask on\ntry: add --yes to go ahead\n$/m,
    )
  })

  test('says of a protected profile that it is one', async () => {
    const env = { PROMO_APP_ID: 'abcd1234', PROMO_APP_TOKEN: 'token-of-the-test' }
    await promo('profiles add till --region eu --protected --insecure-storage', { env })

    expect(await promo('vouchers disable A --yes --profile till')).toEnd(
      11,
      'promo: disable voucher "A" in profile "till"? The profile is protected, and there is no terminal to ask on\n' +
        'try: add --yes --confirm till to go ahead\n',
    )
  })
})

test.each([
  ['promotions disable promo_1', 'disable a promotion tier "promo_1" in profile "counter"? The profile is protected'],
  ['profiles remove counter', 'remove profile "counter" and its secrets? This cannot be undone.'],
])('the question of %s names what it is about', async (line, question) => {
  const env = { PROMO_APP_ID: 'abcd1234', PROMO_APP_TOKEN: 'token-of-the-test' }
  await promo('profiles add counter --region eu --protected --insecure-storage', { env })

  expect(await promo(line.startsWith('profiles') ? line : `${line} --profile counter`)).toEnd(11, question)
})

describe('a creation', () => {
  const here = promoIn(temporaryFolder())
  const parents: Readonly<Record<string, string>> = { loyalty: 'Bean Club', promotions: 'Terrace season' }
  const creations = Object.entries(readManifest(root)).flatMap(([id, { args, flags }]) => {
    const isNamed = id.endsWith(':create') && flags.name !== undefined && id !== 'projects:create'
    return isNamed
      ? [[id.replaceAll(':', ' '), 'campaign' in args ? parents[id.split(':')[0] as string] : undefined]]
      : []
  })

  test.each(creations)(
    '%s with a name alone is made, or says what is missing before it is sent',
    async (words, parent) => {
      const argv = [...(words as string).split(' '), ...(parent === undefined ? [] : [parent]), '--name', 'Alone']

      const { exitCode, stderr } = await here([...argv, '--yes', ...onSandbox])

      expect([0, 2], stderr).toContain(exitCode)
      if (exitCode === 2) expect(stderr).toMatch(/^promo: missing .*\ntry: promo /)
    },
  )

  test('of an earning rule with --every gives points for the amount of an order', async () => {
    const flags = ['--event', 'order.paid', '--points', '2', '--every', '1000', '--json']
    const { stdout } = await here(['loyalty', 'earning-rules', 'create', 'Bean Club', ...flags, ...onSandbox])

    expect(JSON.parse(stdout).loyalty).toEqual({
      type: 'PROPORTIONAL',
      calculation_type: 'ORDER_TOTAL_AMOUNT',
      order: { total_amount: { every: 1000, points: 2 } },
    })
  })
})

describe('a list whose name is that of a topic', () => {
  test.each([['metadata schemas'], ['promotions stacks'], ['history']])(
    '%s is found with "list", too',
    async (words) => {
      const listed = await promo([...words.split(' '), '--csv', ...onSandbox])
      const named = await promo([...words.split(' '), 'list', '--csv', ...onSandbox])

      expect([named.exitCode, named.stdout]).toEqual([0, listed.stdout])
    },
  )
})

test.each([
  ['categories create --name "a b"', `promo categories create --name 'a b' --profile sandbox --hierarchy 3`],
  ['jobs retry 20261121-k3v9qd --yes', 'promo jobs retry 20261121-k3v9qd --yes --only temporary'],
  ['webhooks resend a.body', 'promo webhooks resend a.body --url http://127.0.0.1:3000/hooks'],
])('what is missing in %s is added to it in the next step', async (line, hint) => {
  const { exitCode, stderr } = await promo(line.startsWith('categories') ? `${line} --profile sandbox` : line)

  expect([exitCode, stderr.split('\ntry: ')[1]]).toEqual([2, expect.stringContaining(hint)])
})

test('promotion tiers and stacks are listed for one campaign', async () => {
  const of = async (list: string, campaign: string) => {
    const line = ['promotions', list, '--campaign', campaign, '--csv', '--columns', 'name', '--no-header']
    return (await promo([...line, ...onSandbox])).stdout
  }

  expect(await of('list', 'Terrace season')).toBe('Ten percent from 40 euros\nThree euros for readers\n')
  expect(await of('stacks', 'Terrace season')).toBe('Terrace and newsletter\n')
})

test('a call that needs a project names the command that keeps it in the profile', async () => {
  const env = { PROMO_MANAGEMENT_ID: 'm1', PROMO_MANAGEMENT_TOKEN: 'management-of-the-test' }
  await promo('profiles add desk --base-url http://127.0.0.1:1 --insecure-storage', { env })

  const { exitCode, stderr } = await promo('webhooks list --profile desk')
  const withoutFlag = await promo(`config pull ${join(temporaryFolder(), 'shop')} --profile desk`)
  const keys = { PROMO_BASE_URL: 'http://127.0.0.1:1', PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b' }
  const inEnvironment = await promoIn(temporaryFolder())(['config', 'pull', join(temporaryFolder(), 'shop')], {
    env: keys,
  })

  // A command that has no --project does not name it.
  expect(withoutFlag.stderr).toContain('try: keep it: promo profiles update desk --project-id ID\n')
  expect(inEnvironment.stderr).toContain('try: set PROMO_PROJECT_ID\n')
  expect(exitCode).toBe(4)
  expect(stderr).toContain('try: add --project ID, or keep it: promo profiles update desk --project-id ID\n')
})

describe('a next step with a name that a shell would split', () => {
  const env = { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b' }

  test.each([
    [
      'exports create redemptions --campaign-id "Bean Club"',
      "try: promo exports create redemptions --filter 'campaign_id=Bean Club'\n",
    ],
    ['api GET v1/vouchers?limit=1&page=2', "try: promo api GET '/v1/vouchers?limit=1&page=2'\n"],
  ])('%s is quoted', async (line, hint) => {
    const { exitCode, stderr } = await promo(line, { env })

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(hint)])
  })

  test('a taken code is quoted', async () => {
    const here = promoIn(temporaryFolder())
    const create = (amount: number) => {
      const flags = ['--type', 'GIFT_VOUCHER', '--set', `gift.amount=${amount}`, '--if-exists', 'reuse', '--yes']
      return here(['vouchers', 'create', 'LATTE ART/1', ...flags, '--json', '--profile', 'sandbox'])
    }

    await create(100)
    expect((await create(200)).stderr).toContain(`"hint":"promo vouchers get --profile sandbox 'LATTE ART/1'"`)
  })
})
