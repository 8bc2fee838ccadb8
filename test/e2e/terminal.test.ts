// Behaviour on a terminal: questions, hidden input, the progress bar, colours, and Ctrl-C at a question.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import '../support/ends.ts'
import { runPromo } from '../support/child.ts'
import { needing } from '../support/programs.ts'
import { temporaryFolder } from '../support/promo.ts'
import { keys, promoOnTerminal } from '../support/terminal.ts'

const bold = '\u001b[1m'

describe('profiles add on a terminal', () => {
  test('asks for missing values, and never shows the typed token', needing('script'), async () => {
    const folder = temporaryFolder()
    await using terminal = promoOnTerminal(['profiles', 'add', 'live', '--insecure-storage'], folder)

    await terminal.sees(/where does the project live\?/)
    terminal.types(keys.enter)
    await terminal.sees(/the application id/)
    terminal.types(`app-1${keys.enter}`)
    await terminal.sees(/the application secret token/)
    terminal.types(`hush-hush-token${keys.enter}`)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toContain('stored profile live')
    expect(terminal.shown()).toContain('app-1')
    expect(terminal.shown()).not.toContain('hush')
    expect((await runPromo(['profiles', 'show', 'live', '--json'], folder)).stdout).toContain('"eu"')
    expect(readFileSync(join(folder, 'config', 'credentials.json'), 'utf8')).toContain('hush-hush-token')
  })

  test.each([
    ['Ctrl-C', keys.ctrlC],
    ['Ctrl-D', keys.ctrlD],
  ])('%s at a question stores nothing, and exits 130', needing('script'), async (_, key) => {
    const folder = temporaryFolder()
    await using terminal = promoOnTerminal(['profiles', 'add', 'live', '--insecure-storage'], folder)

    await terminal.sees(/where does the project live\?/)
    terminal.types(key)
    expect(await terminal.exitCode).toBe(130)
    expect(terminal.shown()).toMatch(/promo: stopped at a question; nothing was sent\r?\n$/)
    expect(terminal.shown()).not.toContain('Warning')
    expect((await runPromo(['profiles', 'show', 'live'], folder)).exitCode).toBe(4)
  })
})

describe('a missing value on a terminal', () => {
  const onSandbox = ['--dry-run', '--json', '--profile', 'sandbox']
  const { enter, down, ctrlC } = keys

  test('is typed where any text is valid, and chosen from a list where few values are', needing('script'), async () => {
    await using terminal = promoOnTerminal(['vouchers', 'create', ...onSandbox], temporaryFolder())

    await terminal.sees(/the new code:/)
    terminal.types(`ASKED-1${enter}`)
    await terminal.sees(/another one/)
    terminal.types(enter)
    await terminal.sees(/the type of the vouchers:.*LOYALTY_CARD/s)
    terminal.types(down + enter)
    await terminal.sees(/what it holds, like gift\.amount=5000/)
    terminal.types(`gift.amount=500${enter}`)
    await terminal.sees(/gift\.amount=500.*another one/s)
    terminal.types(enter)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toContain('/v1/vouchers/ASKED-1')
    expect(terminal.shown()).toContain('"type": "GIFT_VOUCHER"')
  })

  test('is searched and ticked where many values are valid', needing('script'), async () => {
    const argv = ['webhooks', 'create', '--url', 'https://shop.example/', ...onSandbox]
    await using terminal = promoOnTerminal(argv, temporaryFolder())

    await terminal.sees(/\[ \] redemption\.succeeded/)
    terminal.types('disab')
    await terminal.sees(/disab.*\[ \] voucher\.disabled/s)
    terminal.types(enter)
    await terminal.sees(/done: voucher\.disabled/)
    terminal.types(enter)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toMatch(/"events": \[\s+"voucher\.disabled"\s+\]/)
  })

  test('is not shown if it is a secret', needing('script'), async () => {
    await using terminal = promoOnTerminal(['token', 'revoke', ...onSandbox], temporaryFolder())

    await terminal.sees(/the token:/)
    terminal.types(`hush-hush-token${enter}`)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).not.toContain('hush')
  })

  test('can be cancelled with Ctrl-C: exit 130', needing('script'), async () => {
    await using terminal = promoOnTerminal(['token', 'create', '--profile', 'sandbox'], temporaryFolder())

    await terminal.sees(/what may the token do\?.*\[ \] api/s)
    terminal.types(ctrlC)
    expect(await terminal.exitCode).toBe(130)
    expect(terminal.shown()).toContain('stopped at a question; nothing was sent')
  })

  test('is an error where stdin is a pipe', async () => {
    const ran = await runPromo(['token', 'create', '--profile', 'sandbox'], temporaryFolder())

    expect([ran.exitCode, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toBe(
      'promo: missing --scope\ntry: promo token create --profile sandbox --scope "campaigns vouchers"\n',
    )
  })
})

describe('two vouchers on a terminal', () => {
  const folder = temporaryFolder()
  const argv = ['vouchers', 'disable', 'WELCOME-001', 'WELCOME-002', '--profile', 'sandbox', '--verbose']
  const isActive = async () => {
    const { stdout } = await runPromo(['vouchers', 'get', 'WELCOME-001', '--profile', 'sandbox', '--json'], folder)
    return JSON.parse(stdout).active
  }

  test('need confirmation; Enter alone means no: nothing is sent, exit 11', needing('script'), async () => {
    await using terminal = promoOnTerminal(argv, folder)

    await terminal.sees(/disable 2 vouchers \(WELCOME-001 .*in .*?\?.*\(y\/N\)/s)
    terminal.types(keys.enter)
    expect(await terminal.exitCode).toBe(11)
    expect(terminal.shown()).toContain('declined; nothing was sent')
    expect(terminal.shown()).not.toContain('> POST')
  })

  test('Ctrl-C at the question sends nothing, and exits 130', needing('script'), async () => {
    await using terminal = promoOnTerminal(argv, folder)

    await terminal.sees(/disable 2 vouchers .*?\?/s)
    terminal.types(keys.ctrlC)
    expect(await terminal.exitCode).toBe(130)
    expect(terminal.shown()).not.toContain('> POST')
    expect(await isActive()).toBe(true)
  })

  test('are disabled after y', needing('script'), async () => {
    await using terminal = promoOnTerminal(argv, folder)

    await terminal.sees(/disable 2 vouchers .*?\?/s)
    terminal.types(`y${keys.enter}`)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toContain('disabled 2 vouchers')
    expect(await isActive()).toBe(false)
  })

  test('are refused without a question where stdin is not a terminal: exit 11, and how to proceed', async () => {
    expect(await runPromo(argv, folder)).toEnd(11, 'add --yes')
  })
})

describe('progress', () => {
  const argv = ['vouchers', 'disable', '--from', 'examples/leaked-codes.csv', '--yes', '--profile', 'sandbox']

  test('is a bar on a terminal, removed before the summary', needing('script'), async () => {
    await using terminal = promoOnTerminal(argv, temporaryFolder())

    await terminal.sees(/\[#+\.+\] \d+\/1000, /)
    await terminal.sees(/disabled 1,000 vouchers/)

    expect(terminal.shown()).toContain('\r\u001b[Kdisabled 1,000 vouchers')
    expect(await terminal.exitCode).toBe(0)
  })

  test('is not shown with --quiet or in a pipe', needing('script'), async () => {
    const folder = temporaryFolder()
    await using terminal = promoOnTerminal([...argv, '--quiet'], folder)

    const exitCode = await terminal.exitCode
    const piped = await runPromo(argv.with(3, join(import.meta.dirname, '../../examples/leaked-codes.csv')), folder)

    expect(exitCode).toBe(0)
    expect(terminal.shown()).toBe('')
    expect(piped.stderr).not.toContain('\u001b')
  })
})

describe('colours', needing('script'), () => {
  const folder = temporaryFolder()
  const argv = ['vouchers', 'list', '--code', 'WELCOME-001', '--columns', 'code,active', '--profile', 'sandbox']
  const shownBy = async (more: string[], options = {}) => {
    await using terminal = promoOnTerminal([...argv, ...more], folder, options)
    expect(await terminal.exitCode).toBe(0)
    return terminal.shown()
  }

  test('mark the header of a table on a terminal', async () => {
    expect(await shownBy([])).toContain(`${bold}code`)
  })

  test.each([
    ['--no-color', ['--no-color'], {}],
    ['NO_COLOR', [], { env: { NO_COLOR: '1' } }],
    ['a dumb terminal', [], { env: { TERM: 'dumb' } }],
    ['a pipe before the terminal', [], { after: '| cat' }],
    ['CSV', ['--csv'], {}],
  ])('are omitted for %s', async (_, more, options) => {
    const shown = await shownBy(more, options)

    expect(shown).toContain('WELCOME-001')
    expect(shown).not.toContain('\u001b')
  })
})

describe('help that is longer than the terminal', needing('script'), () => {
  const long = ['vouchers', 'disable', '--help']
  const lastLine = /--no-input +never ask/

  test('is shown by PAGER, which sees no secret and may end early', async () => {
    const folder = temporaryFolder()
    const env = { PAGER: 'sed -u "s/^/paged: $PROMO_APP_TOKEN/;2q"', PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'hush' }
    await using terminal = promoOnTerminal(long, folder, { env })

    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toContain('paged: ')
    expect(terminal.shown()).not.toMatch(/hush|USAGE/)
  })

  test('is shown by less without PAGER, where Ctrl-C ends nothing', needing('less'), async () => {
    await using terminal = promoOnTerminal(['help', 'vouchers', 'disable'], temporaryFolder())

    await terminal.sees(/USAGE/)
    expect(terminal.shown()).not.toMatch(lastLine)
    terminal.types(keys.ctrlC)
    terminal.types(keys.ctrlC)
    // What is typed while less handles the signal is dropped.
    const typing = setInterval(() => terminal.types('G'), 100)
    await terminal.sees(lastLine)
    clearInterval(typing)
    terminal.types('q')
    expect(await terminal.exitCode).toBe(0)
  })

  test.each<[string, string[], Record<string, string>]>([
    ['with --no-pager', [...long, '--no-pager'], {}],
    ['with --no-pager of help', ['help', ...long.slice(0, 2), '--no-pager'], {}],
    ['where PAGER is empty', long, { PAGER: '' }],
    ['where there is no such pager', long, { PAGER: 'nonesuch' }],
    ['where there is no such pager for a shell', long, { PAGER: 'nonesuch -R' }],
    ['on a dumb terminal', long, { PAGER: 'sed s/^/paged/', TERM: 'dumb' }],
    ['where it fits', [...long.slice(0, 2), '-h'], { PAGER: 'sed s/^/paged/' }],
  ])('is written to the terminal %s', async (_name, argv, env) => {
    await using terminal = promoOnTerminal(argv, temporaryFolder(), { env })

    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).toMatch(argv.includes('-h') ? /promo help vouchers / : lastLine)
    expect(terminal.shown()).not.toContain('paged')
  })

  test('is no matter of a pager in a pipe', async () => {
    const { stdout } = await runPromo(long, temporaryFolder(), { PAGER: 'sed s/^/paged/' })

    expect(stdout).toMatch(lastLine)
    expect(stdout).not.toContain('paged')
  })
})
