// A missing value: asked for on a terminal, named in an error without one.
import { beforeAll, describe, expect, test } from 'vitest'
import { describedCommands } from '../../src/cli/help/manifest.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'
import { keys } from '../support/terminal.ts'

const promo = promoIn(temporaryFolder())
const onTerminal = { terminal: { columns: 100 } }
const left = '\u001b[D'
const onSandbox = ['--profile', 'sandbox']
const { down, enter, ctrlC, ctrlD, space } = keys

const commands = describedCommands(root)
const needing = commands.filter(({ needs }) => needs.length > 0)

beforeAll(async () => {
  const { exitCode } = await promo(['profiles', 'add', 'staging', '--insecure-storage', '--app-id', 'app-1'], {
    stdin: 'token-1',
  })
  expect(exitCode).toBe(0)
  const job = await promo(['vouchers', 'disable', 'WELCOME-001', 'WELCOME-002', '--yes', ...onSandbox])
  expect(job.exitCode).toBe(0)
  const change = await promo(['categories', 'create', '--name', 'Autumn', '--hierarchy', '1', ...onSandbox])
  expect(change.exitCode).toBe(0)
})

describe('a command with a required value', () => {
  test('is found in the manifest, with every argument and flag it requires', () => {
    const required = commands.flatMap(({ id, args, flags }) => [
      ...Object.values(args).flatMap(({ name, required }) => (required ? [`${id} ${name.toUpperCase()}`] : [])),
      ...Object.values(flags).flatMap(({ name, required }) => (required ? [`${id} --${name}`] : [])),
    ])
    const needed = needing.flatMap(({ id, needs }) => needs.flatMap((ways) => ways.map((way) => `${id} ${way}`)))

    expect(required.length).toBeGreaterThan(30)
    expect(needed).toEqual(expect.arrayContaining(required))
  })

  test.each(needing.map(({ id, needs }) => [id.replaceAll(':', ' '), needs] as const))(
    '%s names it without a terminal, shows an example, and sends nothing',
    async (words, needs) => {
      const { exitCode, stdout, stderr } = await promo(words.split(' '), { stdin: '' })

      const [message = '', hint] = stderr.split('\n')
      expect([exitCode, stdout]).toEqual([2, ''])
      // What fills a narrower need fills a wider one, and of many flags the first four say what is meant.
      const isWider = (ways: readonly string[]) =>
        needs.some((other) => other.length < ways.length && other.every((way) => ways.includes(way)))
      const named = needs
        .filter((ways) => !isWider(ways))
        .flatMap((ways) => (ways.length > 6 ? ways.slice(0, 4) : ways))
      for (const way of named) expect(message).toMatch(new RegExp(`(^|\\s)${way}([\\s,;]|$)`))
      expect(hint).toMatch(new RegExp(`^try: .*promo ${words} .`))
    },
  )

  test.each(needing.map(({ id }) => id.replaceAll(':', ' ')))(
    '%s asks on a terminal; Ctrl-C exits 130 and sends nothing',
    async (words) => {
      const { exitCode, stdout, stderr } = await promo(words.split(' '), { ...onTerminal, answers: [[/\S/, ctrlC]] })

      expect([exitCode, stdout]).toEqual([130, ''])
      expect(stderr).toContain('stopped at a question; nothing was sent')
      // What is advice about words of a command line is none about an answer.
      expect(stderr).not.toContain('after --')
    },
  )
})

describe('Ctrl-D', () => {
  test.each([
    ['a text', ['vouchers', 'get', ...onSandbox]],
    ['a secret', ['token', 'introspect', ...onSandbox]],
    ['y or N', ['vouchers', 'delete', 'WELCOME-001', ...onSandbox]],
    ['one of a few', ['profiles', 'add', 'asked']],
    ['some of many', ['webhooks', 'create', '--url', 'http://127.0.0.1:1/', ...onSandbox]],
  ])('ends a question for %s like Ctrl-C', async (_, words) => {
    const ran = await promo(words, { ...onTerminal, answers: [[/\S/, ctrlD]] })

    expect(ran).toEnd(130, 'stopped at a question; nothing was sent')
  })

  test('removes a character of a text that was begun', async () => {
    const typed = `-xy${left}${ctrlD}${enter}`

    const { stderr } = await promo(['vouchers', 'get', ...onSandbox], { ...onTerminal, answers: [[/\S/, typed]] })

    expect(stderr).toContain('vouchers.get "-x"')
  })
})

describe('no question is asked', () => {
  const argv = ['vouchers', 'get', ...onSandbox]

  test.each([
    ['with --no-input', [...argv, '--no-input'], onTerminal],
    ['where CI is set', argv, { ...onTerminal, env: { CI: 'true' } }],
    ['where stdin is no terminal', argv, { ...onTerminal, stdin: 'WELCOME-001\n' }],
    ['where stderr is no terminal', argv, {}],
  ])('%s: it is an error', async (_, words, options) => {
    const ran = await promo(words, options)

    expect(ran).toEnd(2, 'promo: missing argument CODE or --from\n')
  })

  test('when the items come from a file', async () => {
    const argv = ['vouchers', 'disable', '--from', 'examples/leaked-codes.csv', '--dry-run', ...onSandbox]

    const ran = await promo(argv, onTerminal)

    expect(ran).toEnd(0, 'would disable 1,000 vouchers')
  })

  test('before other mistakes are reported', async () => {
    const ran = await promo(['webhooks', 'create', '--json', '--csv'], onTerminal)

    expect(ran).toEnd(2, 'cannot also be provided')
  })
})

describe('an answer', () => {
  test('is used as the argument, also when it begins with a dash', async () => {
    const ran = await promo(['vouchers', 'get', ...onSandbox], {
      ...onTerminal,
      answers: [[/a voucher code or a voucher id:/, `-x${enter}`]],
    })

    expect(ran).toEnd(3, 'vouchers.get "-x"')
  })

  test('breaks a question between words, and names the only item it is about', async () => {
    const ran = await promo(['vouchers', 'delete', 'WELCOME-001', ...onSandbox], {
      terminal: { columns: 60 },
      answers: [[/cannot be undone/, `n${enter}`]],
    })

    expect(ran).toEnd(
      11,
      /\? delete voucher "WELCOME-001" \(500 off\) in project\n {2}proj_\w+ of profile "sandbox"\? This\n {2}cannot be undone\. \(y/,
    )
  })

  test('leaves stdout to the result: the question is on stderr', async () => {
    const { exitCode, stdout } = await promo(['vouchers', 'get', '--json', '--query', 'code', ...onSandbox], {
      ...onTerminal,
      answers: [[/voucher id:/, `WELCOME-001${enter}`]],
    })

    expect([exitCode, stdout]).toEqual([0, '"WELCOME-001"\n'])
  })

  test('that is empty is refused until one is typed', async () => {
    const { exitCode } = await promo(['vouchers', 'get', '--json', ...onSandbox], {
      ...onTerminal,
      answers: [
        [/voucher id:/, enter],
        [/a value is required/, `WELCOME-001${enter}`],
      ],
    })

    expect(exitCode).toBe(0)
  })

  test('is checked like the flag, with the reason, before the command continues', async () => {
    const argv = ['webhooks', 'create', '--event', 'voucher.created', '--dry-run', '--json', ...onSandbox]

    const { exitCode, stdout } = await promo(argv, {
      ...onTerminal,
      answers: [
        [/the address of the receiver/, `shop.example${enter}`],
        [/must be an http or https address/, `\u0015https://shop.example/${enter}`],
      ],
    })

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)[1]).toMatchObject({ body: { target_url: 'https://shop.example/' } })
  })

  test('may be several, one at a time, where several are allowed', async () => {
    const ran = await promo(['vouchers', 'disable', '--dry-run', ...onSandbox], {
      ...onTerminal,
      answers: [
        [/voucher codes or ids/, `WELCOME-001${enter}`],
        [/another one/, `WELCOME 002${enter}`],
        [/✔ another one.*\? another one/s, enter],
      ],
    })

    expect(ran).toEnd(0, 'would disable 2 vouchers')
  })

  test('is chosen from a list where only a few values exist', async () => {
    const ran = await promo(['vouchers', 'create', 'NEW-1', '--dry-run', ...onSandbox], {
      ...onTerminal,
      answers: [
        [/the type of the vouchers.*GIFT_VOUCHER/s, down + enter],
        [/what it holds/, `gift.amount=500${enter}`],
        [/another one/, enter],
      ],
    })

    expect(ran).toEnd(0, 'would create 1 voucher')
  })

  test('is one of the stored profiles where a profile is expected', async () => {
    const { exitCode, stdout } = await promo(['profiles', 'show', '--csv'], {
      ...onTerminal,
      answers: [[/sandbox: built in.*staging: https/s, down + enter]],
    })

    expect(exitCode).toBe(0)
    expect(stdout).toContain('profile,staging')
  })

  test('is one of the jobs on this computer where a job is expected', async () => {
    const { exitCode, stdout } = await promo(['jobs', 'show', '--json', '--query', 'command'], {
      ...onTerminal,
      answers: [[/which job\?.*: vouchers disable, 2 rows, 20/s, enter]],
    })

    expect(exitCode).toBe(0)
    expect(stdout).toContain('vouchers disable')
  })

  test('is not possible where there is nothing to choose from', async () => {
    const ran = await promoIn(temporaryFolder())(['jobs', 'show'], onTerminal)

    expect(ran).toEnd(2, /^promo: there is no job on this computer\n/)
  })

  test('first chooses between two ways', async () => {
    const { exitCode, stdout } = await promo(['templates', 'create', 'T', '--dry-run', '--json', ...onSandbox], {
      ...onTerminal,
      answers: [
        [/one of these is needed:.*tier: the promotion/s, down + enter],
        [/the promotion tier to create it from, by id or name:/, `promo_1${enter}`],
      ],
    })

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)[0].body).toEqual({ name: 'T', promotion_tier_id: 'promo_1' })
  })

  test('ticks the fields to change, then sets each value', async () => {
    const argv = ['templates', 'update', 'camp_tpl_1', '--dry-run', '--json', ...onSandbox]

    const { exitCode, stdout } = await promo(argv, {
      ...onTerminal,
      answers: [
        [/at least one of these is needed:.*no-description/s, `${space}${down}${down}${space}${enter}`],
        [/the name:/, `Spring${enter}`],
      ],
    })

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)[0].body).toEqual({ name: 'Spring', description: null })
  })

  test('is yes or no for a value that is on or off', async () => {
    const argv = ['webhooks', 'update', 'wh_1', '--dry-run', '--json', ...onSandbox]

    const { stderr } = await promo(argv, {
      ...onTerminal,
      answers: [
        [/at least one of these is needed:.*active: switched on/s, `${down}${down}${space}${enter}`],
        [/switched on\? .*\(y\/N\)/, enter],
      ],
    })

    expect(stderr).toContain('nothing was sent')
  })
})

describe('events and scopes', () => {
  test('are searched, ticked and unticked, and confirmed', async () => {
    const { exitCode, stdout, stderr } = await promo(['token', 'create', '--dry-run', '--json', ...onSandbox], {
      ...onTerminal,
      answers: [
        [/what may the token do\?.*\[ \] api/s, 'vouch'],
        [/\[ \] vouchers\s/, enter],
        [/done: vouchers/, 'camp'],
        [/camp\W+\[ \] campaigns/, enter],
        [/done: campaigns, vouchers/, 'vouchers'],
        [/\[x\] vouchers/, enter],
        [/done: campaigns\W/, enter],
      ],
    })

    expect(exitCode).toBe(0)
    expect(stderr).toContain('what may the token do? campaigns\n')
    expect(JSON.parse(stdout)[0].body.scope).toBe('campaigns')
  })

  test('can all be selected at once, in the order of the catalogue', async () => {
    const argv = ['webhooks', 'create', '--url', 'https://shop.example/', '--dry-run', '--json', ...onSandbox]

    const { exitCode, stdout } = await promo(argv, {
      ...onTerminal,
      answers: [
        [/\[ \] redemption\.succeeded/, 'voucher.gift.*'],
        [/\[ \] voucher\.gift\.transaction\.created.*all 2/s, down + down],
        [/❯ all 2|> all 2/, enter],
        [/done: voucher\.gift/, enter],
      ],
    })

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)[1].body.events).toEqual(['voucher.gift.balance_aded', 'voucher.gift.transaction.created'])
  })
})
