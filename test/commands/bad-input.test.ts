// Bad input: each kind with its exit code, its message, and the request it sends, if any.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { rowFormats } from '../../src/bulk/input/row-file.ts'
import { type ManifestFlag, readManifest } from '../../src/cli/help/manifest.ts'
import { allCommands, promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const onSandbox = ['--profile', 'sandbox']
const file = (name: string, content: string | Uint8Array = '') => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

interface Case {
  /** The behaviour a user can observe. */
  what: string
  /** The typed command line. */
  argv: string[]
  exit: number
  /** The text on stderr. */
  says?: string | RegExp
  /** The request that is sent; absent if none is. */
  sends?: string
  stdin?: string
  env?: Record<string, string>
}

type Row = Omit<Case, 'what'>
const wordsOf = (argv: string | string[]) => (typeof argv === 'string' ? argv.split(' ') : argv)
const under = (what: string, ...rows: Row[]): Case[] => rows.map((row) => ({ what, ...row }))
const refused = (argv: string | string[], says: string | RegExp, stdin?: string): Row => {
  return { argv: wordsOf(argv), exit: 2, says, ...(stdin !== undefined && { stdin }) }
}
const sent = (exit: number, argv: string | string[], sends: string, more: Partial<Row> = {}): Row => {
  return { argv: wordsOf(argv), exit, sends, ...more }
}

const create = (...more: string[]) => ['vouchers', 'create', 'X', '--yes', ...more]
const gift = (body: string) => create('--body', body)
const event = (name: string) => ['events', 'send', name, '--customer', 'source_id=a', '--yes']
const holders = (...more: string[]) => ['referrals', 'holders', 'add', 'Refer a friend', 'FRIEND-1', '--yes', ...more]
const long = (count: number, character = 'x') => character.repeat(count)
const nested = (levels: number) => `{"metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`

const codes: Case[] = [
  ...under(
    'a code is encoded, and sent unchanged',
    ...[
      ['a/b', 'a%2Fb'],
      ['a b', 'a%20b'],
      ['a?b', 'a%3Fb'],
      ['a#b', 'a%23b'],
      ['a%b', 'a%25b'],
      ['a\\b', 'a%5Cb'],
      ['ü', '%C3%BC'],
      ['🎁', '%F0%9F%8E%81'],
      ['%2e%2e', '%252e%252e'],
      ['+', '%2B'],
    ].map(([code = '', as]) => sent(3, ['vouchers', 'disable', code, '--yes'], `POST /v1/vouchers/${as}/disable`)),
  ),
  ...under(
    'a code that is a path step is refused',
    ...['.', '..'].flatMap((code) => [
      refused(['vouchers', 'disable', code, '--yes'], 'argument 1: is a path step'),
      refused(['vouchers', 'get', code], `the code "${code}" cannot be part of an address`),
    ]),
  ),
  ...under(
    'a code that looks like a path stays one code',
    sent(3, 'vouchers get a/../../x', 'GET /v1/vouchers/a%2F..%2F..%2Fx'),
    sent(3, 'vouchers get x/disable', 'GET /v1/vouchers/x%2Fdisable'),
  ),
  ...under(
    'an empty code is refused',
    refused(['vouchers', 'disable', '', '--yes'], 'argument CODE is empty'),
    refused(['vouchers', 'disable', 'A', '  ', '--yes'], 'argument 2: is only white space'),
    refused(['vouchers', 'get', ''], 'argument CODE is empty'),
  ),
  ...under(
    'a code that looks like a flag goes after --',
    refused('vouchers disable -x', 'a value that starts with - goes after --'),
    sent(3, 'vouchers get -- --help', 'GET /v1/vouchers/--help'),
    sent(3, 'vouchers disable --from - --yes', 'POST /v1/vouchers/-x/disable', { stdin: 'code\n-x\n' }),
  ),
  ...under(
    'a code that is too long is refused',
    refused(['vouchers', 'disable', long(10_000), '--yes'], 'is longer than 1,024 characters'),
    refused(['vouchers', 'get', long(1025)], 'is longer than 1,024 characters'),
  ),
  ...under(
    'half of a surrogate pair is refused',
    refused(
      'vouchers disable --from - --input-format jsonl --yes',
      'contains half of a surrogate pair',
      '{"code":"\\ud800"}\n',
    ),
  ),
  ...under(
    'codes that only look the same are pointed out',
    sent(3, 'vouchers disable --from - --yes', 'POST /v1/vouchers/u%CC%88/disable', {
      stdin: 'code\nü\nu\u0308\n',
      says: 'warning: 1 key is written in several ways that look the same',
    }),
  ),
  ...under(
    'control characters are shown as escapes',
    ...[
      ['a\u202eb', 'a%E2%80%AEb', '"a\\u202eb"'],
      ['a\x1b[31mb', 'a%1B%5B31mb', 'with id a\\x1b[31mb'],
      ['a\bb', 'a%08b', '\\x08b'],
      ['a\x7fb', 'a%7Fb', '\\x7fb'],
      ['a\x9bb', 'a%C2%9Bb', '\\x9bb'],
    ].map(([code = '', as, says = '']) => sent(3, ['vouchers', 'get', code], `GET /v1/vouchers/${as}`, { says })),
  ),
  ...under(
    'a tab, a line break or a NUL is refused',
    ...['a\tb', 'a\nb', 'a\rb', 'a\0b'].flatMap((code) => [
      refused(['vouchers', 'disable', code, '--yes'], 'contains a tab, a line break or a NUL'),
      refused(['vouchers', 'get', code], 'the code has a tab, a line break or a NUL in it'),
    ]),
  ),
  ...under(
    'white space around a code is refused',
    ...[' A', 'A '].flatMap((code) => [
      refused(['vouchers', 'disable', code, '--yes'], 'has white space around it; remove it'),
      refused(['vouchers', 'get', code], `the code "${code}" has white space around it`),
    ]),
  ),
  ...under(
    'a template that was not filled in is pointed out',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a script sends when it does not fill in its template.
    ...['undefined', 'null', 'NaN', '[object Object]', '${CODE}'].map((code) =>
      sent(3, ['vouchers', 'disable', code, '--yes'], `POST /v1/vouchers/${encodeURIComponent(code)}/disable`, {
        says: `warning: argument 1: "${code}" looks like a template that was not filled in`,
      }),
    ),
  ),
]

const bodies: Case[] = [
  ...under(
    'a body that is not JSON is refused with its line and column',
    refused(gift('{"type":"GIFT_VOUCHER",}'), '--body, line 1, column 24'),
    refused(gift(`@${file('two.json', '{\n"type" 1}')}`), 'two.json, line 2, column 8'),
    refused(
      'vouchers create --from - --input-format jsonl --yes',
      /1 of 2 rows of standard input is bad; nothing was sent\n {2}line 2, column 13: /,
      '{"code":"A","gift":{"amount":5}}\n{"code":"B",}\n',
    ),
  ),
  ...under(
    'a byte order mark is removed',
    sent(
      0,
      ['vouchers', 'create', 'BOM', '--body', `@${file('bom.json', '\ufeff{"gift":{"amount":5}}')}`],
      'POST /v1/vouchers/BOM',
    ),
  ),
  ...under('a body nested too deep is refused', refused(gift(nested(70)), 'nested deeper than 64 levels')),
  ...under(
    'a body that is too large is refused',
    refused(
      gift(`@${file('large.json', `{"gift":{"amount":5},"metadata":{"a":"${long(1_100_000)}"}}`)}`),
      'the body is larger than 1 MiB',
    ),
  ),
  ...under(
    'a repeated member is refused',
    refused(gift('{"type":"A","type":"B"}'), 'the member "type" is given twice'),
  ),
  ...under(
    'no member reaches a prototype',
    refused(gift('{"__proto__":{"polluted":1}}'), 'a member named "__proto__"'),
    refused(create('--set', '__proto__.polluted=1'), 'is not a path of names'),
    sent(
      0,
      'vouchers create PROTO --body {"gift":{"amount":5},"metadata":{"constructor":{"prototype":1}}}',
      'POST /v1/vouchers/PROTO',
    ),
  ),
  ...under(
    'a number that cannot be stored exactly, or is not an integer, is refused',
    ...['9007199254740993', '1e400'].map((number) =>
      refused(
        gift(`{"gift":{"amount":${number}}}`),
        '--body, line 1, column 19: this number is too large to be kept exactly',
      ),
    ),
    refused(create('--set', 'gift.amount=9007199254740993'), 'must be at most 9007199254740991'),
    refused(create('--set', 'gift.amount=1e400'), '"gift.amount" takes a whole number'),
    refused(
      create('--set', 'gift.amount=50.00'),
      '"gift.amount" takes a whole number, not "50.00"; amounts are in the smallest unit of the currency: 5000',
    ),
    refused(
      'vouchers create --from - --yes',
      'line 2: "gift.amount" takes a whole number, not "5.00"',
      'code,gift.amount\nA,5.00\n',
    ),
    refused(gift('{"gift":{"amount":1.5}}'), 'gift.amount must be a whole number'),
  ),
  ...under(
    'a value that is not a JSON number is refused',
    ...['NaN', 'Infinity', '5 /* x */', '5,'].map((number) =>
      refused(gift(`{"gift":{"amount":${number}}}`), /--body, line 1, column \d+: .* is expected here/),
    ),
  ),
  ...under(
    'a date that does not exist, or is out of order, is refused',
    ...[
      '2026-02-30',
      '2026-01-01T24:61:00Z',
      '2026-01-01T10:00:00',
      '12',
      '+275760-09-13T00:00:00Z',
      '2026-12-31T23:59:60Z',
    ].flatMap((date) => [
      refused(
        create('--set', `expiration_date=${date}`),
        'expiration_date must be like 2026-12-31 or 2026-12-31T23:59:00Z',
      ),
      refused(
        ['loyalty', 'transactions', 'list', 'Bean Club', '--since', date],
        `"${date}" is not a time; write it like 2026-01-05`,
      ),
    ]),
    ...['2026-01-01', '2026-01-31'].map((end) =>
      refused(
        create('--set', 'start_date=2026-02-01', '--set', `expiration_date=${end}`),
        'expiration_date must be after start_date',
      ),
    ),
    refused(
      create('--set', 'validity_timeframe={"duration":"P1D","interval":"P2D"}'),
      'validity_timeframe needs a start_date to count from',
    ),
  ),
  ...under(
    'an invalid day of the week is refused',
    ...[
      ['[7]', '[0] must be at most 6'],
      ['["1"]', '[0] must be a number'],
      ['[1.5]', '[0] must be a whole number'],
      ['[1,1]', ' must name each day once'],
    ].map(([days, says]) => refused(create('--set', `validity_day_of_week=${days}`), `validity_day_of_week${says}`)),
  ),
  ...under(
    'an event name has 1 to 300 characters',
    refused(event(''), 'argument EVENT is empty'),
    refused(event(long(301, '🎁')), 'event must NOT have more than 300 characters'),
    sent(3, event(long(300, '🎁')), 'POST /v1/events'),
  ),
  ...under(
    'a list that is empty, too long or has duplicates is refused',
    refused(holders(), 'missing --holder or --from'),
    refused(holders('--holder', 'source_id=a', '--holder', 'source_id=a'), 'a holder is named twice'),
    refused('validate redeemables', 'missing argument REDEEMABLE'),
    refused(
      ['validate', 'redeemables', ...Array.from({ length: 31 }, (_, at) => `C${at}`)],
      'redeemables must have at most 30 items',
    ),
    refused('validate redeemables A A', 'the voucher "A" comes twice'),
    refused('validate redeemables stack:s A', 'must name a promotion stack alone'),
  ),
  ...under(
    'a template has one source',
    refused('templates create T', 'missing --campaign or --tier'),
    refused('templates create T --campaign c --tier t', '--campaign=c cannot also be provided when using --tier'),
    refused(['templates', 'create', 'T', '--campaign', '', '--yes'], '--campaign is empty'),
  ),
  ...under(
    'a word with the wrong case is refused with the right one',
    refused(create('--type', 'gift_voucher'), 'did you mean GIFT_VOUCHER?'),
    refused(gift('{"type":"gift_voucher"}'), 'type must be one of DISCOUNT_VOUCHER, GIFT_VOUCHER'),
    refused('vouchers list --order Code', 'did you mean code?'),
  ),
]

const numbers = ['0', '-1', '1.5', '1e2', '0x10', '', '١٠', '101']
const settings: Case[] = [
  ...under(
    'a number out of bounds is refused',
    ...numbers.map((text) =>
      refused(
        ['vouchers', 'list', `--page-size=${text}`],
        `--page-size: "${text}" is not a whole number from 1 to 100`,
      ),
    ),
    refused('qualify campaigns --limit 51', 'whole number from 1 to 50'),
  ),
  ...under(
    'two sources of rows are refused',
    refused('vouchers disable A --from x.csv', 'give vouchers as arguments or by --from, not both'),
  ),
  ...under(
    'an invalid rate or concurrency is refused',
    ...['0/s', '-1/s', 'x', '10'].map((rate) =>
      refused(
        ['vouchers', 'disable', 'A', '--rate', rate, '--yes'],
        `the rate "${rate}" is not like 10/s, 600/m or 5000/h`,
      ),
    ),
    ...['0', '65', '1000'].map((count) =>
      refused(['vouchers', 'disable', 'A', '--concurrency', count], `"${count}" is not a whole number from 1 to 64`),
    ),
  ),
  ...under(
    'a file that is an argument is no value of --from',
    ...Object.entries(readManifest(root))
      .filter(([, { args, flags }]) => Object.hasOwn(args ?? {}, 'file') && !Object.hasOwn(flags ?? {}, 'from'))
      .map(([id]) =>
        refused(
          [...id.split(':'), '--from', 'codes.csv'],
          'unknown flag --from: the file is an argument of this command',
        ),
      ),
  ),
  ...under(
    'an unknown flag is refused with a similar one',
    refused('vouchers list --frmat json', 'did you mean --format?'),
  ),
]

describe.each([
  ['codes, ids and names', codes],
  ['bodies, numbers and dates', bodies],
  ['flags', settings],
])('%s', (_, cases) => {
  beforeAll(() => promo('sandbox reset --yes'))

  test.each(cases.map((each) => [`${each.what}: ${shown(each.argv)}`, each] as const))('%s', async (_name, each) => {
    const { exitCode, stderr } = await promo([...withVerbose(each.argv)], {
      ...each,
      env: { PROMO_PROFILE: 'sandbox' },
    })

    const sent = [...stderr.matchAll(/^> (\w+) http:\/\/127\.0\.0\.1:\d+(.*)$/gm)].map(([, how, to]) => `${how} ${to}`)
    expect(stderr).toMatch(typeof each.says === 'string' ? literal(each.says) : (each.says ?? ''))
    expect(exitCode).toBe(each.exit)
    if (each.sends === undefined) expect(sent).toEqual([])
    else expect(sent).toContain(each.sends)
    expect(stderr).not.toMatch(/\n {4}at /)
  })
})

test('no member of a body reaches the prototype of other objects', () => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('an event spelt as in the catalogue is sent as the service spells it', async () => {
  const argv = ['webhooks', 'create', '--url', 'https://x.example', '--event', 'voucher.loyalty_card.points_added']

  const { stdout } = await promo([...argv, '--dry-run', '--json', ...onSandbox])

  expect(JSON.parse(stdout)).toMatchObject([
    { method: 'GET' },
    { body: { events: ['voucher.loyalty_card.points_aded'] } },
  ])
})

test('a hundred and one holders are sent in several requests of at most a hundred', async () => {
  const hundredOne = Array.from({ length: 101 }, (_, at) => ['--holder', `source_id=x${at}`]).flat()

  const { stdout } = await promo([...holders(...hundredOne, '--dry-run', '--json'), ...onSandbox])

  const counts = (JSON.parse(stdout) as { body: { holders: unknown[] } }[]).map(({ body }) => body.holders.length)
  expect(Math.max(...counts)).toBeLessThanOrEqual(100)
  expect(counts.reduce((sum, count) => sum + count)).toBe(101)
})

describe('every command of the manifest', () => {
  const samples: Record<string, string> = {
    columns: 'a',
    tz: 'UTC',
    timeout: '5s',
    only: 'rules',
    out: 'x',
    since: '1d',
    until: '1d',
    'created-after': '1d',
    'created-before': '1d',
    'updated-after': '1d',
    'updated-before': '1d',
    month: '2026-09',
  }
  const given = ({ name, type, options }: ManifestFlag) =>
    type === 'boolean' ? [`--${name}`] : [`--${name}=${options?.[0] ?? samples[name] ?? '1'}`]
  const all = Object.values(readManifest(root)).map(
    ({ id, flags }) => [id.replaceAll(':', ' '), Object.values(flags)] as const,
  )

  test.each(all)('%s refuses two flags that exclude each other', async (command, flags) => {
    for (const flag of flags) {
      for (const other of flag.exclusive ?? []) {
        const rival = flags.find(({ name }) => name === other) as ManifestFlag
        const { exitCode, stderr } = await promo([...command.split(' '), ...given(flag), ...given(rival)])

        expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/cannot also be provided when using/)])
      }
    }
  })

  test.each(all)('%s refuses a repeated value', async (command, flags) => {
    for (const flag of flags.filter(({ type, multiple }) => type === 'option' && !multiple)) {
      const { exitCode, stderr } = await promo([...command.split(' '), ...given(flag), ...given(flag)])

      expect([flag.name, exitCode, stderr]).toEqual([flag.name, 2, expect.stringMatching(/can only be specified once/)])
    }
  })

  test.each(all)('%s names an unknown flag, and not its value', async (command) => {
    const { exitCode, stderr } = await promo([...command.split(' '), '--app-tokn=sk_live_4711'])

    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^promo: unknown flag --app-tokn/)])
    expect(stderr).not.toContain('4711')
  })
})

describe('environment', () => {
  const pair = { PROMO_APP_ID: 'abcd1234', PROMO_APP_TOKEN: 'abcdefgh1' }
  const nowhere = { PROMO_BASE_URL: 'http://127.0.0.1:1' }

  test.each<[Record<string, string>, string]>([
    [{ PROMO_PROFILE: '' }, 'PROMO_PROFILE is empty'],
    [{ ...pair, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED=0'],
    [{ ...pair, PROMO_APP_TOKEN: '' }, 'PROMO_APP_TOKEN is empty'],
    [{ PROMO_APP_ID: 'x' }, 'PROMO_APP_ID is set and PROMO_APP_TOKEN is not'],
    [{ PROMO_APP_TOKEN: 'x' }, 'PROMO_APP_TOKEN is set and PROMO_APP_ID is not'],
    [{ ...pair, PROMO_APP_TOKEN: 'abc\ndefgh1' }, 'PROMO_APP_TOKEN holds a space or a line break'],
    [{ ...pair, PROMO_APP_TOKEN: 'abc defgh1' }, 'PROMO_APP_TOKEN holds a space or a line break'],
    [{ ...pair, PROMO_APP_TOKEN: 'abcdefghü' }, 'PROMO_APP_TOKEN holds a character outside of printable ASCII'],
    [{ ...pair, PROMO_APP_TOKEN: '"abcdefgh1"' }, 'PROMO_APP_TOKEN holds a quotation mark'],
    [{ ...pair, PROMO_APP_TOKEN: 'Bearer abcdefgh1' }, 'PROMO_APP_TOKEN starts with the word Bearer'],
    [{ ...pair, PROMO_BASE_URL: 'example.com' }, 'PROMO_BASE_URL does not start with https://'],
    [{ ...pair, PROMO_BASE_URL: 'ftp://x.example' }, 'PROMO_BASE_URL does not start with https://'],
    [{ ...pair, PROMO_BASE_URL: 'https://u:p@x.example' }, 'PROMO_BASE_URL holds a user name or a password'],
    [{ ...pair, PROMO_BASE_URL: 'https://x.example?a=1' }, 'PROMO_BASE_URL has a query'],
    [{ ...pair, PROMO_BASE_URL: 'https://x.example#a' }, 'PROMO_BASE_URL has a fragment'],
    [{ ...pair, PROMO_BASE_URL: 'https://x.example/v1' }, 'PROMO_BASE_URL has a path after x.example'],
    [{ ...pair, PROMO_BASE_URL: 'http://127.0.0.1.evil.com' }, 'is plain http to 127.0.0.1.evil.com'],
    [{ ...pair, PROMO_BASE_URL: 'http://[::ffff:127.0.0.1]' }, 'is plain http to [::ffff:7f00:1]'],
    [{ ...pair, PROMO_BASE_URL: 'http://0x7f.1' }, 'PROMO_BASE_URL '],
    [{ ...pair, PROMO_BASE_URL: 'https://h:99999' }, 'its host or its port is wrong'],
  ])('%j is refused, and nothing is sent', async (env, says) => {
    const { exitCode, stderr } = await promo('vouchers list -v', { env: { ...nowhere, ...env } })

    expect(stderr).toContain(says)
    expect(exitCode).toBe(4)
    expect(stderr).not.toMatch(/^> /m)
    expect(stderr).not.toContain('defgh')
  })

  test('one line break at the end of a token is dropped', async () => {
    const env = { ...nowhere, ...pair, PROMO_APP_TOKEN: 'abcdefgh1\n' }

    expect(await promo('vouchers list -v --retries 0', { env })).toEnd(5, /^> GET /)
  })

  test('a host that imitates another is shown as it is', async () => {
    const env = { ...pair, PROMO_BASE_URL: 'https://аррӏе.com' }

    expect((await promo('whoami', { env })).stdout).toContain('https://xn--80ak6aa92e.com')
  })

  test('time zone and locale change no byte of output for programs', async () => {
    const outputs = []
    for (const env of [{ LANG: 'C' }, { TZ: 'Pacific/Kiritimati' }, { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }]) {
      for (const format of ['--csv', '--jsonl']) {
        const { stdout } = await promo(`loyalty transactions list "Bean Club" ${format} --profile sandbox`, { env })
        outputs.push(stdout)
      }
    }

    expect(outputs[0]).toMatch(/^created_at,/)
    expect(new Set(outputs).size).toBe(2)
  })

  test.each([
    ['NO_COLOR', { env: { NO_COLOR: '1' }, terminal: { columns: 80 } }],
    ['TERM=dumb', { env: { TERM: 'dumb' }, terminal: { columns: 80 } }],
    ['no terminal', {}],
  ])('with %s there is no escape sequence', async (_, options) => {
    const { stdout, stderr } = await promo('vouchers list --limit 2 --profile sandbox', options)

    expect(stdout).toContain('code')
    expect(stdout + stderr).not.toContain('\x1b')
  })

  test('a terminal of unknown width gets complete lines', async () => {
    const { stdout } = await promo('vouchers list --limit 1 --profile sandbox', { terminal: { columns: 0 } })

    expect(stdout).not.toContain('…')
  })
})

describe('the settings', () => {
  let place: string
  let own: ReturnType<typeof promoIn>
  const config = () => join(place, 'config/config.json')
  const credentials = () => join(place, 'config/credentials.json')
  const env = { PROMO_APP_ID: 'abcd1234', PROMO_APP_TOKEN: 'abcdefgh1' }
  const add = (name: string) =>
    own(['profiles', 'add', name, '--base-url', 'http://127.0.0.1:1', '--insecure-storage', '--no-input'], { env })

  beforeAll(async () => {
    place = temporaryFolder()
    own = promoIn(place)
    await add('live')
  })

  test.each([
    ['cut short', '{"version":1,"prof', 'line 1: it is not JSON from here on'],
    ['of another kind', '[]', 'line 1: it is not a JSON object'],
    ['of a later version', '{"version":9}', 'line 1: it was written by a newer promo'],
    ['empty', '', 'line 1: it is not JSON from here on'],
    ['nested', `{"version":1,"profiles":${'['.repeat(64)}${']'.repeat(64)}}`, 'line 1: it is nested too deeply'],
    ['with a byte order mark', '\ufeff{"version":1}', 'line 1: it starts with a byte order mark'],
    ['of two megabytes', `{"version":1,"x":"${long(2_000_000)}"}`, 'line 1: it is larger than 1 MiB'],
  ])('a file %s is refused with its path and line, and stays as it is', async (_, content, says) => {
    const good = readFileSync(config())
    writeFileSync(config(), content)

    const read = await own('vouchers list --profile live -v')
    const changed = await add('other')

    const left = readFileSync(config(), 'utf8')
    writeFileSync(config(), good)
    expect([read.exitCode, changed.exitCode]).toEqual([4, 4])
    expect(read.stderr).toContain(`"${config()}" cannot be used and was left as it is: ${says}`)
    expect(read.stderr).not.toMatch(/^> /m)
    expect(left).toBe(content)
  })

  test.each([
    ['a file', 0o644, 0o600, credentials],
    ['a folder', 0o777, 0o700, () => join(place, 'config')],
  ])('secrets in %s that other users may enter are not read', async (_, open, closed, path) => {
    chmodSync(path(), open)

    const { exitCode, stderr } = await own('vouchers list --profile live -v')

    chmodSync(path(), closed)
    expect(exitCode).toBe(4)
    expect(stderr).toContain(`try: chmod ${closed.toString(8)} ${path()}`)
    expect(stderr).not.toMatch(/^> /m)
  })

  test('a symbolic link is read, and never written through', async () => {
    const elsewhere = join(place, 'elsewhere.json')
    writeFileSync(elsewhere, readFileSync(config()))
    execFileSync('rm', [config()])
    symlinkSync(elsewhere, config())

    const read = await own('profiles list')
    const changed = await own('profiles use live')

    execFileSync('mv', [elsewhere, config()])
    expect(read.stdout).toContain('live')
    expect(changed).toEnd(4, 'is a symbolic link, and promo does not write through one')
  })

  test('a location that cannot be written is reported with a way out', async () => {
    const ran = await promo('profiles use sandbox', {
      env: { PROMO_CONFIG_DIR: join(file('not-a-folder'), 'x') },
    })

    expect(ran).toEnd(10, 'try: set PROMO_CONFIG_DIR and PROMO_STATE_DIR to folders you can write to')
  })

  test('twenty profiles added at the same time are all stored', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `p${at}`)

    const added = await Promise.all(names.map(add))
    const { stdout } = await own('profiles list --json')

    expect(added.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0))
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  })

  test.each(['../x', '__proto__', long(300), 'a=b', 'a\nb', '-x'])('%j is not a valid profile name', async (name) => {
    const added = await own(['profiles', 'add', '--region', 'eu', '--insecure-storage', '--no-input', '--', name], {
      env,
    })
    const used = await own(['vouchers', 'list', '-v', `--profile=${name}`])

    expect([added.exitCode, used.exitCode]).toEqual([2, 4])
    expect(added.stderr).toContain('a profile name is 1 to 64 letters, digits')
    expect(used.stderr).not.toMatch(/^> /m)
  })
})

describe('the file of --out', () => {
  const list = ['vouchers', 'list', '--csv', '--limit', '1', '-v', ...onSandbox]

  test.each([
    ['a folder', () => folder, 'it is a folder'],
    ['a device', () => '/dev/null', 'it is not a regular file'],
    [
      'a symbolic link',
      () => {
        const link = join(folder, 'link.csv')
        symlinkSync(file('real.csv', 'kept'), link)
        return link
      },
      'it is a symbolic link',
    ],
  ])('%s is refused before anything is asked', async (_, path, says) => {
    const { exitCode, stderr } = await promo([...list, '--out', path()])

    expect(exitCode).toBe(2)
    expect(stderr).toContain(says)
    expect(stderr).not.toMatch(/^> /m)
  })

  test('a path through the parent folder names the same file', async () => {
    mkdirSync(join(folder, 'sub'))

    expect(await promo([...list, '--out', join(folder, 'sub', '..', 'around.csv')])).toEnd(0)
    expect(readFileSync(join(folder, 'around.csv'), 'utf8')).toMatch(/^id,code,/)
  })

  test.each([
    ['--from', (input: string) => ['vouchers', 'disable', '--from', input, '--yes']],
    ['--body', (input: string) => ['vouchers', 'create', 'X', '--body', `@${input}`]],
    ['--expect', (input: string) => ['validate', 'redeemables', '--from', '-', '--expect', input]],
    ['vouchers import', (input: string) => ['vouchers', 'import', input, '--yes']],
    ['campaigns vouchers import', (input: string) => ['campaigns', 'vouchers', 'import', 'BEANS', input, '--yes']],
    ['--token-file', (input: string) => ['token', 'introspect', '--token-file', input]],
    ['--data', (input: string) => ['sandbox', 'status', '--data', input]],
    ['webhooks verify', (input: string) => ['webhooks', 'verify', input, '--signature', 'a']],
    ['--headers', (input: string) => ['webhooks', 'verify', `${input}.body`, '--headers', input]],
    ['webhooks resend', (input: string) => ['webhooks', 'resend', 'x.body', input, '--url', 'http://127.0.0.1:9']],
    [
      'the headers of webhooks resend',
      (input: string) => ['webhooks', 'resend', input.replace('.headers', '.body'), '--url', 'http://127.0.0.1:9'],
    ],
  ])('the file of %s is not replaced by the result', async (name, argv) => {
    const own = name.includes('headers of') ? "it's.headers" : "it's.csv"
    const input = file(own, 'code\nA\n')
    const roundabout = join(folder, 'sub', '..', own)
    const line = [...argv(input), '--csv', '--out', roundabout]
    const [topic = ''] = line

    const ran = await promo(['webhooks', 'sandbox'].includes(topic) ? line : [...line, ...onSandbox])

    expect(ran).toEnd(2, 'would overwrite the input', `try: --out '${folder}/it'\\''s.`)
    expect(readFileSync(input, 'utf8')).toBe('code\nA\n')
  })

  test.each(Object.keys(rowFormats))('a file of rows with the name %s is no item', async (form) => {
    const { exitCode, stderr } = await promo([
      'vouchers',
      'disable',
      file(`rows${form}`, 'A'),
      '--dry-run',
      ...onSandbox,
    ])

    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is a file here, and no item\ntry: --from ')])
  })

  test('a file of rows that is given as an item is refused with --from, and a code that looks like one is sent', async () => {
    const list = file("it's codes.csv", 'code\nA\n')

    const refused = await promo(['vouchers', 'disable', list, '--yes', '-v', ...onSandbox])
    const created = await promo(['vouchers', 'create', list, '--percent-off', '5', '--yes', ...onSandbox])
    const sent = await promo('vouchers disable no-such-file.csv --dry-run --profile sandbox')

    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      `promo: ${JSON.stringify(list)} is a file here, and no item\ntry: --from '${folder}/it'\\''s codes.csv'\n`,
    ])
    expect([created.exitCode, created.stderr]).toEqual([2, refused.stderr])
    const { exitCode, stderr } = await promo('vouchers enable - --yes --profile sandbox')
    expect([exitCode, stderr]).toEqual([2, 'promo: "-" is standard input, and no item\ntry: --from -\n'])
    expect([sent.exitCode, sent.stdout]).toEqual([0, expect.stringContaining('/v1/vouchers/no-such-file.csv/disable')])
  })

  test('every argument that names a file is declared as one', async () => {
    for (const { id, Class } of await allCommands()) {
      const named = Object.entries(Class.args).filter(([, { description }]) =>
        /^(a|the)( CSV)? file\b/.test(description ?? ''),
      )

      expect([id, Class.fileArgs]).toEqual([id, named.map(([name]) => name)])
    }
  })
})

function withVerbose(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return end === -1 ? [...argv, '-v'] : [...argv.slice(0, end), '-v', ...argv.slice(end)]
}

function shown(argv: readonly string[]): string {
  const text = JSON.stringify(argv.join(' ')).slice(1, -1)
  return text.length > 90 ? `${text.slice(0, 89)}…` : text
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}
