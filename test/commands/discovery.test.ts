import { describe, expect, test } from 'vitest'
import { shells } from '../../src/cli/help/completion-scripts.ts'
import { describedCommands } from '../../src/cli/help/manifest.ts'
import { EXIT } from '../../src/errors.ts'
import { commandIds, promoIn, temporaryFolder } from '../support/promo.ts'
import { root } from '../support/source-files.ts'
import { transcripts } from '../support/transcripts.ts'

const promo = promoIn(temporaryFolder())

interface Listed {
  command: string
  effect: string
  repeat: string | null
  arguments: { name: string; description: string; required: boolean; multiple: boolean }[]
  flags: { name: string; description: string; takes_value: boolean }[]
  needs: string[][]
  examples: string[]
  calls: { id: string; method: string; path: string; repeat: string }[]
  columns: string[]
  exit_codes: number[]
}

async function listed(): Promise<Listed[]> {
  return JSON.parse((await promo('commands --json')).stdout)
}

describe('commands', () => {
  test('lists every command that is not hidden', async () => {
    const names = (await listed()).map(({ command }) => command)

    expect([...names, 'complete'].toSorted()).toEqual(commandIds.map((id) => id.replaceAll(':', ' ')).toSorted())
  })

  transcripts(promo)(`
    # lists the commands of a topic, and the columns of one of them
    $ commands redemptions --csv --no-header --columns command
    = redemptions create
    = redemptions get
    = redemptions list
    = redemptions rollback
    $ commands redemptions list --json --query [].columns[]
    > "voucher.discount.percent_off"
    $ commands redemption => 2
    ! did you mean "redemptions"?
    # a table has one row for each, without the calls
    $ commands
    > /^command +effect +summary$/m
    > /^vouchers disable +write +Switch vouchers off/m
    - /v1/
  `)

  test('describes the arguments, calls and exit codes of a command', async () => {
    const disable = (await listed()).find(({ command }) => command === 'vouchers disable')

    expect(disable).toMatchObject({
      command: 'vouchers disable',
      effect: 'write',
      arguments: [{ name: 'code', required: false, multiple: true }],
      calls: expect.arrayContaining([
        {
          id: 'vouchers.disable',
          method: 'POST',
          path: '/v1/vouchers/{code}/disable',
          credential: 'application',
          repeat: 'idempotent',
        },
        { id: 'vouchers.get', method: 'GET', path: '/v1/vouchers/{code}', credential: 'application', repeat: 'read' },
      ]),
    })
    expect(disable?.flags).toContainEqual(
      expect.objectContaining({ name: '--from', takes_value: true, value: 'FILE|-', group: 'bulk' }),
    )
    expect(disable?.exit_codes).toEqual(
      expect.arrayContaining([EXIT.ok, EXIT.refused, EXIT.unknown, EXIT.stopped, EXIT.unconfirmed, EXIT.interrupted]),
    )
  })

  test('describes every command completely enough for a program to call it', async () => {
    const codes: number[] = Object.values(EXIT)

    for (const { command, effect, repeat, exit_codes, examples, needs, ...takes } of await listed()) {
      const named = [...takes.arguments.map(({ name }) => name.toUpperCase()), ...takes.flags.map(({ name }) => name)]
      const described = [...takes.arguments, ...takes.flags].filter(({ description }) => description !== '')
      expect([command, described.length]).toEqual([command, named.length])
      expect(named).toEqual(expect.arrayContaining(needs.flat()))
      expect(effect).toMatch(/^(none|local|read|write)$/)
      // What changes only this computer may read from the service.
      expect([command, repeat === null]).toEqual([
        command,
        effect === 'none' || (effect === 'local' && repeat !== 'read'),
      ])
      expect(exit_codes).toEqual(expect.arrayContaining([EXIT.ok, EXIT.bug, EXIT.usage, EXIT.interrupted]))
      expect(codes).toEqual(expect.arrayContaining(exit_codes))
      expect(examples.length).toBeGreaterThan(1)
    }
  })

  test('describes a call as the caller needs it, without its sources', async () => {
    const members = (await listed()).flatMap(({ calls }) => calls.flatMap((call) => Object.keys(call)))

    expect([...new Set(members)]).toEqual(['id', 'method', 'path', 'credential', 'repeat'])
  })

  test('states which flags exclude or require each other, and the defaults', async () => {
    const flagsOf = new Map((await listed()).map(({ command, flags }) => [command, flags]))

    expect(flagsOf.get('templates create')).toContainEqual(
      expect.objectContaining({ name: '--tier', excludes: ['--campaign'] }),
    )
    expect(flagsOf.get('customers create')).toContainEqual(
      expect.objectContaining({ name: '--shard', requires: ['--from'] }),
    )
    expect(flagsOf.get('webhooks create')).toContainEqual(
      expect.objectContaining({
        name: '--if-exists',
        default: 'fail',
        values: ['fail', 'reuse', 'update', 'duplicate'],
      }),
    )
  })

  test('an answer may be no, a list may not; a command has columns of its own', async () => {
    const named = new Map((await listed()).map((one) => [one.command, one]))
    const ofName = (name: string) => named.get(name) as Listed

    expect(ofName('validate redeemables').exit_codes).toContain(EXIT.no)
    expect(ofName('qualify campaigns').exit_codes).toContain(EXIT.no)
    expect(ofName('vouchers list').exit_codes).not.toContain(EXIT.no)
    expect(ofName('vouchers list').columns).toEqual(expect.arrayContaining(['code', 'redemption.redeemed_quantity']))
    expect(ofName('profiles use').columns).toEqual([])
  })

  test('says what running a command once more does', async () => {
    const repeats = {
      'vouchers list': 'read',
      'vouchers disable': 'idempotent',
      'vouchers create': 'key',
      'webhooks create': 'reconcile',
      'token create': 'duplicate',
      'events send': 'once',
      api: 'once',
      'profiles use': null,
    }
    const told = (await listed()).filter(({ command }) => Object.hasOwn(repeats, command))

    expect(Object.fromEntries(told.map(({ command, repeat }) => [command, repeat]))).toEqual(repeats)
  })

  test('every command that reads or writes names a call, and one that only reads makes none that writes', async () => {
    const commands = await listed()

    // `promo api` calls whatever path it is given, a plan says what it calls, a tool of `promo mcp` is a command, a job calls what its command calls, and an undo the inverse.
    const anything = ['api', 'config apply', 'history undo', 'mcp', 'jobs resume', 'jobs retry', 'jobs undo']
    const named = commands.filter(({ command }) => !anything.includes(command))
    const silent = named.filter(({ effect, calls }) => /^(read|write)$/.test(effect) && calls.length === 0)
    const sly = commands.filter(
      ({ effect, calls }) => effect === 'read' && calls.some(({ repeat }) => repeat !== 'read'),
    )

    expect(silent.map(({ command }) => command)).toEqual([])
    expect(sly.map(({ command }) => command)).toEqual([])
  })
})

test('version names the program and its platform', async () => {
  const { stdout } = await promo('version --json')

  expect(JSON.parse(stdout)).toEqual({
    name: 'promo',
    version: '0.1.0',
    node: process.version,
    platform: process.platform,
    arch: process.arch,
  })
})

describe('autocomplete', () => {
  test.each(shells)('prints a script for %s that explains how to load it', async (shell) => {
    const { exitCode, stdout } = await promo(['autocomplete', shell])

    expect(exitCode).toBe(0)
    expect(stdout).toContain(`promo autocomplete ${shell}`)
    expect(stdout).toMatch(/promo complete '?--'? /)
  })

  transcripts(promo)(`
    # another shell is wrong usage, and the supported shells are listed
    $ autocomplete tcsh => 2
    ! bash, zsh, fish, powershell
  `)
})

describe('complete', () => {
  transcripts(promo)(`
    # prints one candidate per line, with its description after a tab
    $ complete -- vouchers dis
    = disable	Switch vouchers off: one, many, or a whole file
  `)

  test.each(describedCommands(root).map((command) => [command.id.replaceAll(':', ' '), command] as const))(
    'offers %s, all its flags, and the values that it lists',
    async (line, { args, flags, columns }) => {
      const words = line.split(' ')
      const offered = async (...typed: string[]) =>
        (await promo(['complete', '--', ...typed])).stdout.split('\n').map((one) => one.split('\t')[0])
      const taken = Object.values(flags).filter(({ type }) => type === 'option')

      expect(await offered(...words)).toContain(words.at(-1))
      expect(await offered(...words, '--')).toEqual(
        expect.arrayContaining(Object.values(flags).map(({ name }) => `--${name}`)),
      )
      for (const { name, options } of taken.filter(({ options }) => options !== undefined)) {
        expect(await offered(...words, `--${name}`, '')).toEqual([...(options ?? []), ''])
      }
      const [first] = Object.values(args)
      if (first?.options) expect(await offered(...words, '')).toEqual([...first.options, ''])
      if (flags.columns) expect(await offered(...words, '--columns', '')).toEqual(expect.arrayContaining([...columns]))
    },
  )

  test('knows stored profiles, scopes and webhook events without a request', async () => {
    const folder = temporaryFolder()
    const own = promoIn(folder)
    const secrets = { PROMO_APP_ID: 'id', PROMO_APP_TOKEN: 'token' }
    await own('profiles add live --insecure-storage --no-input', { env: secrets })

    const profiles = await own(`complete -- profiles use ''`)
    const scopes = await own('complete -- token create --scope vou')
    const events = await own('complete -- webhooks create --event voucher.e')

    expect(profiles.stdout).toBe('sandbox\t\nlive\t\n')
    expect(scopes.stdout).toBe('vouchers\t\n')
    expect(events.stdout).toBe('voucher.enabled\t\n')
  })
})
