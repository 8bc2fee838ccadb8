// A missing value: asked for on a terminal, named in an error without one.
import { beforeAll, describe, expect, test } from 'vitest'
import { describedCommands } from '../../src/cli/help/manifest.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'
import { keys } from '../support/terminal.ts'
import { transcripts } from '../support/transcripts.ts'

const promo = promoIn(temporaryFolder())
const onTerminal = { terminal: { columns: 100 } }
const onSandbox = ['--profile', 'sandbox']
const { ctrlC } = keys

const commands = describedCommands(root)
const needing = commands.filter(({ needs }) => needs.length > 0)

beforeAll(async () => {
  const { exitCode } = await promo('profiles add staging --insecure-storage --app-id app-1', {
    stdin: 'token-1',
  })
  expect(exitCode).toBe(0)
  expect((await promo('vouchers disable WELCOME-001 WELCOME-002 --yes --profile sandbox')).exitCode).toBe(0)
  expect((await promo('categories create --name Autumn --hierarchy 1 --profile sandbox')).exitCode).toBe(0)
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
  transcripts(promo)(String.raw`
    # ends a question for a text like Ctrl-C
    $ vouchers get --profile sandbox => 130
    ? /\S/ => {ctrlD}
    ! stopped at a question; nothing was sent
    # ends a question for a secret
    $ token introspect --profile sandbox => 130
    ? /\S/ => {ctrlD}
    ! stopped at a question; nothing was sent
    # ends a question for y or N
    $ vouchers delete WELCOME-001 --profile sandbox => 130
    ? /\S/ => {ctrlD}
    ! stopped at a question; nothing was sent
    # ends a question for one of a few
    $ profiles add asked => 130
    ? /\S/ => {ctrlD}
    ! stopped at a question; nothing was sent
    # ends a question for some of many
    $ webhooks create --url http://127.0.0.1:1/ --profile sandbox => 130
    ? /\S/ => {ctrlD}
    ! stopped at a question; nothing was sent
    # removes a character of a text that was begun
    $ vouchers get --profile sandbox => 3
    ? /\S/ => -xy{left}{ctrlD}{enter}
    ! vouchers.get "-x"
  `)
})

describe('no question is asked', () => {
  const argv = ['vouchers', 'get', ...onSandbox]

  test.each([
    ['with --no-input', [...argv, '--no-input'], onTerminal],
    ['where CI is set', argv, { ...onTerminal, env: { CI: 'true' } }],
    ['where stdin is no terminal', argv, { ...onTerminal, stdin: 'WELCOME-001\n' }],
    ['where stderr is no terminal', argv, {}],
  ])('%s: it is an error', async (_, words, options) => {
    expect(await promo(words, options)).toEnd(2, 'promo: missing argument CODE or --from\n')
  })

  transcripts(
    promo,
    onTerminal,
  )(`
    # when the items come from a file
    $ vouchers disable --from examples/leaked-codes.csv --dry-run --profile sandbox
    ! would disable 1,000 vouchers
    # before other mistakes are reported
    $ webhooks create --json --csv => 2
    ! cannot also be provided
  `)
})

describe('an answer', () => {
  transcripts(promo)(String.raw`
    # is used as the argument, also when it begins with a dash
    $ vouchers get --profile sandbox => 3
    ? a voucher code or a voucher id: => -x{enter}
    ! vouchers.get "-x"
    # breaks a question between words, and names the only item it is about
    $ vouchers delete WELCOME-001 --profile sandbox => 11
    wide 60
    ? cannot be undone => n{enter}
    ! /\? delete voucher "WELCOME-001" \(500 off\) in project\n {2}proj_\w+ of profile "sandbox"\? This\n {2}cannot be undone\. \(y/
    # leaves stdout to the result: the question is on stderr; an empty one is refused until one is typed
    $ vouchers get --json --query code --profile sandbox
    ? voucher id: => {enter}
    ? a value is required => WELCOME-001{enter}
    = "WELCOME-001"
    # is checked like the flag, with the reason, before the command continues
    $ webhooks create --event voucher.created --dry-run --json --query [1].body.target_url --profile sandbox
    ? the address of the receiver => shop.example{enter}
    ? must be an http or https address => {clear}https://shop.example/{enter}
    = "https://shop.example/"
    # may be several, one at a time, where several are allowed
    $ vouchers disable --dry-run --profile sandbox
    ? voucher codes or ids => WELCOME-001{enter}
    ? another one => WELCOME 002{enter}
    ? /✔ another one.*\? another one/s => {enter}
    ! would disable 2 vouchers
    # is chosen from a list where only a few values exist
    $ vouchers create NEW-1 --dry-run --profile sandbox
    ? /the type of the vouchers.*GIFT_VOUCHER/s => {down}{enter}
    ? what it holds => gift.amount=500{enter}
    ? another one => {enter}
    ! would create 1 voucher
    # is one of the stored profiles where a profile is expected
    $ profiles show --csv
    ? /sandbox: built in.*staging: https/s => {down}{enter}
    > profile,staging
    # is one of the jobs on this computer where a job is expected
    $ jobs show --json --query command
    ? /which job\?.*: vouchers disable, 2 rows, 20/s => {enter}
    > vouchers disable
    # first chooses between two ways
    $ templates create T --dry-run --json --profile sandbox
    ? /one of these is needed:.*tier: the promotion/s => {down}{enter}
    ? the promotion tier to create it from, by id or name: => promo_1{enter}
    body {"name": "T", "promotion_tier_id": "promo_1"}
    # ticks the fields to change, then sets each value
    $ templates update camp_tpl_1 --dry-run --json --profile sandbox
    ? /at least one of these is needed:.*no-description/s => {space}{down}{down}{space}{enter}
    ? the name: => Spring{enter}
    body {"name": "Spring", "description": null}
    # is yes or no for a value that is on or off
    $ webhooks update wh_1 --dry-run --json --profile sandbox
    ? /at least one of these is needed:.*active: switched on/s => {down}{down}{space}{enter}
    ? /switched on\? .*\(y\/N\)/ => {enter}
    ! nothing was sent
    # for events and scopes is searched, ticked and unticked, and confirmed
    $ token create --dry-run --json --query [0].body.scope --profile sandbox
    ? /what may the token do\?.*\[ \] api/s => vouch
    ? /\[ \] vouchers\s/ => {enter}
    ? done: vouchers => camp
    ? /camp\W+\[ \] campaigns/ => {enter}
    ? done: campaigns, vouchers => vouchers
    ? [x] vouchers => {enter}
    ? /done: campaigns\W/ => {enter}
    ! /what may the token do\? campaigns\n/
    = "campaigns"
    # can be all of them at once, in the order of the catalogue
    $ webhooks create --url https://shop.example/ --dry-run --json --query [1].body.events --profile sandbox
    ? [ ] redemption.succeeded => voucher.gift.*
    ? /\[ \] voucher\.gift\.transaction\.created.*all 2/s => {down}{down}
    ? /❯ all 2|> all 2/ => {enter}
    ? done: voucher.gift => {enter}
    json = ["voucher.gift.balance_aded", "voucher.gift.transaction.created"]
  `)

  test('is not possible where there is nothing to choose from', async () => {
    const ran = await promoIn(temporaryFolder())(['jobs', 'show'], onTerminal)

    expect(ran).toEnd(2, /^promo: there is no job on this computer\n/)
  })
})
