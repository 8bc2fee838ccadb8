// Every path that a user names, in a flag, an argument or a variable, found in the manifest: whatever it leads to, the run
// ends by itself, or when it is stopped, and what is wrong is said.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCopy } from '../../src/ledger/copy.ts'
import { variables } from '../../src/profiles/environment.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { commands } from '../support/manifest.ts'
import { untilOpen } from '../support/opened.ts'
import { needing } from '../support/programs.ts'
import { promo, type Ran, temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'
import { sampled } from '../support/size.ts'

const folder = temporaryFolder()
const places = { PROMO_CONFIG_DIR: join(folder, 'config'), PROMO_STATE_DIR: join(folder, 'state') }
const headers = join(folder, 'delivery.headers')
const body = join(folder, 'delivery.body')
/** A FIFO in this process is known to be open on Linux only. */
const seesFifos = existsSync('/proc/self/fd')
const kinds = ['a FIFO without a writer', 'a device', 'a folder', 'a path that does not exist'] as const
type Kind = (typeof kinds)[number]

let server: Awaited<ReturnType<typeof scriptedServer>>
beforeAll(async () => {
  writeFileSync(headers, 'x-voucherify-signature: t=1,v1=0\n')
  writeFileSync(body, '{}')
  server = await scriptedServer(() => notFound)
  // A copy, for the commands that read it.
  const project = { id: 'proj_1', service: server.origin }
  openCopy(join(places.PROMO_STATE_DIR, 'ledger', 'proj_1.db'), { writes: true, project }).close()
  // A job, for the commands about one.
  await promo('vouchers disable A B --yes', { env: { ...places, ...keysFor(server.origin) } })
})
afterAll(async () => await server[Symbol.asyncDispose]())

/** The words that go with a path where the least command line does not suit: by command, or by command and flag. */
const ownWords: Record<string, string> = {
  'api --body': 'POST /v1/vouchers',
  api: 'GET /v1/vouchers',
  'campaigns:vouchers:import FILE': 'camp_1',
  'config:apply --out': 'test/fixtures/one-category --dry-run',
  'config:link': 'rules twin val_1',
  'config:mv': 'rules twin other',
  'config:schema': 'rules',
  'config:unlink': 'rules twin',
  'config:validate --out': 'test/fixtures/one-category',
  'history:undo': 'latest',
  'ledger:export --out': `--parquet ${join(temporaryFolder(), 'files')}`,
  'ledger:query': 'values(1)',
  'jobs:discard': 'latest --dry-run',
  'jobs:discard JOB': '--dry-run',
  'jobs:report': 'latest',
  'jobs:retry': 'latest --only failed',
  'jobs:retry JOB': '--only failed',
  'jobs:show': 'latest',
  'jobs:undo': 'latest',
  'ledger:reconcile ORDERS': '',
  'ledger:reconcile': '--orders promo',
  'products:import FILE': '',
  'profiles:show': 'sandbox',
  'publications:create --from': '--campaign camp_1',
  'sandbox:clock:advance': '1ms',
  'sandbox:clock:set': '2099-01-01',
  'publications:create --except': '--campaign camp_1',
  'referrals:holders:remove --except': 'R --role REFEREE',
  'sandbox:faults:add': '--call x',
  'sandbox:snapshot:load': 'monday',
  'sandbox:snapshot:save': 'monday',
  'skus:import FILE': '',
  'validate:redeemables --expect': '--from examples/carts.jsonl',
  'vouchers:import FILE': '',
  'webhooks:resend BODY': '--url http://127.0.0.1:9/',
  'webhooks:resend': `${body} --url http://127.0.0.1:9/`,
  'webhooks:trigger': 'voucher.created --url http://127.0.0.1:9/',
  'webhooks:verify BODY': `--headers ${headers}`,
  'webhooks:verify --headers': body,
  'webhooks:verify': `${body} --headers ${headers}`,
}

/** What a flag or an argument does with its path. */
type Use = 'is read' | 'is replaced' | 'is a folder' | 'is a data file'
interface NamedPath {
  id: string
  /** `--from`, or the argument as it is shown. */
  name: string
  use: Use
  /** Returns the command lines to try: items and a file of items exclude each other. */
  linesWith: (path: string) => string[][]
}

const useOf = (name: string, helpValue: string): Use =>
  helpValue.includes('DIR')
    ? 'is a folder'
    : (({ out: 'is replaced', html: 'is replaced', data: 'is a data file' } as const)[name as 'out' | 'data'] ??
      'is read')

const found: NamedPath[] = Object.values(commands).flatMap(({ id, flags, args }) => {
  const least = (lines[id]?.[0]?.[0] ?? '').replace(/ ?--retries 1/, '')
  const common = ['yes' in flags ? '--yes' : '', 'retries' in flags ? '--retries 0' : '']
  const wordsFor = (name: string) => (ownWords[`${id} ${name}`] ?? ownWords[id] ?? least).split(' ')
  const lineOf = (...words: string[]) =>
    [...id.split(':'), ...words, ...common.join(' ').split(' ')].filter((word) => word !== '')
  const ofFlags = Object.values(flags).flatMap(({ name, helpValue = '' }): NamedPath[] => {
    if (!/\b(FILE|DIR)\b/.test(helpValue)) return []
    const words = wordsFor(`--${name}`)
    const withoutItems = words.slice(
      Math.max(
        0,
        words.findIndex((word) => word.startsWith('-')),
      ),
    )
    // What is left out is left out of what a filter chooses.
    const chosen = 'created-before' in flags ? ['--created-before', '2020-01-01'] : []
    const flagFor = (path: string) => [
      ...(name === 'except' ? chosen : []),
      `--${name}`,
      `${helpValue.includes('@FILE') ? '@' : ''}${path}`,
    ]
    const linesWith = (path: string) =>
      [words, words[0]?.startsWith('-') ? words : withoutItems, words.slice(0, 1), []].map((some) =>
        lineOf(...some, ...flagFor(path)),
      )
    return [{ id, name: `--${name}`, use: useOf(name, helpValue), linesWith }]
  })
  const ofArguments = Object.values(args ?? {}).flatMap(({ name, description = '' }): NamedPath[] => {
    if (!/\b(file|folder)\b/.test(description)) return []
    const [first = '', ...rest] = wordsFor(name.toUpperCase())
    const isAfter = first !== '' && !first.startsWith('-')
    const use = ['job', 'dir'].includes(name) ? 'is a folder' : 'is read'
    const linesWith = (path: string) => [isAfter ? lineOf(first, path, ...rest) : lineOf(path, first, ...rest)]
    return [{ id, name: name.toUpperCase(), use, linesWith }]
  })
  return [...ofFlags, ...ofArguments]
})

function placeOf(kind: Kind): string {
  if (kind === kinds[0]) return fifo()
  if (kind === 'a device') return '/dev/zero'
  const place = temporaryFolder()
  return kind === 'a folder' ? place : join(place, 'missing', 'path')
}

const fifos: string[] = []

/** Makes them by the hundred: to start a program takes longer than a test. */
function fifo(): string {
  if (fifos.length === 0) {
    fifos.push(...Array.from({ length: 100 }, () => join(temporaryFolder(), 'fifo')))
    execFileSync('mkfifo', fifos)
  }
  return fifos.pop() as string
}

/** Runs a command line and stops it once it has the FIFO open and waits, or is a server that listens. */
async function tried(argv: string[], path: string, env: Record<string, string>): Promise<Ran> {
  let stop = (_reason: 'SIGTERM') => {}
  let isOver = false
  const running = promo(argv, {
    env: { ...places, ...env },
    stdin: '',
    onStart: (stopIt) => {
      stop = stopIt
    },
    ...(/^(sandbox start|webhooks listen)/.test(argv.join(' ')) && {
      // On one of the two, they say that they listen.
      onStdout: (_text, stopIt) => stopIt('SIGTERM'),
      onStderr: (text, stopIt) => text.includes('listening') && stopIt('SIGTERM'),
    }),
  }).finally(() => {
    isOver = true
  })
  const waits = path.endsWith('/fifo') && (await untilOpen(path, 'self', () => isOver))
  // Stopped where it waits, and not where the wait begins.
  for (let turns = 0; turns < 20; turns += 1) await turn()
  if (waits) stop('SIGTERM')
  const ran = await running
  expect(ran.stderr).not.toMatch(/bug in promo|\n {4}at /)
  return ran
}

const ofMeaning = variables.filter(({ meaning }) => /\b(folder|file|path)\b/.test(meaning)).map(({ name }) => name)
/** The families `PROMO_…_FILE` and the switch about a file's owner are no paths themselves. */
const otherVariables = ofMeaning.filter((name) => !name.includes('…') && name !== 'PROMO_ALLOW_INSECURE_CONFIG')
const secretVariables = variables
  .map(({ name }) => name)
  .filter((name) => /^PROMO_(?!PROJECT|SANDBOX).*_(ID|TOKEN|SECRET)$/.test(name))

const ends: Record<Use, Record<Kind, readonly number[]>> = {
  'is read': {
    'a FIFO without a writer': [143],
    'a device': [2],
    'a folder': [2],
    'a path that does not exist': [2],
  },
  'is replaced': {
    'a FIFO without a writer': [2],
    'a device': [2],
    'a folder': [2],
    'a path that does not exist': [10],
  },
  'is a folder': {
    'a FIFO without a writer': [0, 2, 4, 9, 10],
    'a device': [0, 2, 4, 9, 10],
    'a folder': [0, 2, 3, 4, 5, 7, 8, 9, 10, 143],
    'a path that does not exist': [0, 2, 3, 4, 5, 7, 9, 10, 143],
  },
  'is a data file': {
    'a FIFO without a writer': [2, 3, 4, 10],
    'a device': [2, 3, 4, 10],
    'a folder': [2, 3, 4, 10],
    'a path that does not exist': [0, 2, 3, 4, 10, 143],
  },
}

test('there are such flags and arguments', () => {
  expect(found.length).toBeGreaterThan(150)
})

describe.each(kinds.filter((kind) => seesFifos || kind !== kinds[0]))('%s', (kind) => {
  const some = sampled(found, kinds.length, kinds.indexOf(kind))

  test.each(some.map((named) => [named.id.replaceAll(':', ' '), named.name, named] as const))(
    'given to %s in %s ends the run, with words',
    needing('mkfifo'),
    async (_command, _name, { linesWith, name, use }) => {
      const path = placeOf(kind)
      const said: string[] = []
      for (const argv of linesWith(path)) {
        const { exitCode, stderr } = await tried(argv, path, {
          ...keysFor(server.origin),
          PROMO_WEBHOOK_SECRET: 'whsec',
        })
        said.push(`${argv.join(' ')}: ${exitCode} ${stderr}`)
        expect(stderr).not.toContain('mv /dev/zero')
        const isNamed = stderr.includes(path) || stderr.includes(`${name} names a`)
        if (!ends[use][kind].includes(exitCode) || !(isNamed || exitCode === 143 || use.startsWith('is a '))) continue
        if (exitCode === 2) expect(stderr).toMatch(/^try: /m)
        return
      }
      expect.fail(said.join('\n'))
    },
  )

  test.each(secretVariables)('named by %s_FILE ends the run, with words', needing('mkfifo'), async (variable) => {
    const path = placeOf(kind)
    for (const argv of [['whoami'], ['vouchers', 'get', 'C'], ['webhooks', 'verify', body, '--headers', headers]]) {
      const { [variable]: _, ...others } = keysFor(server.origin)
      const { exitCode, stderr } = await tried(argv, path, { ...others, [`${variable}_FILE`]: path })
      expect([exitCode, stderr]).toEqual([kind === kinds[0] ? 143 : 4, expect.any(String)])
      if (kind !== kinds[0]) expect(stderr).toContain(`${variable}_FILE names a`)
    }
  })

  test.each(otherVariables)('named by %s ends the run', needing('mkfifo'), async (variable) => {
    const path = placeOf(kind)
    for (const line of ['whoami', 'history', 'jobs list', 'profiles list', 'vouchers disable A B --yes --retries 0']) {
      const { exitCode, stderr } = await tried(line.split(' '), path, { ...keysFor(server.origin), [variable]: path })
      expect([0, 2, 3, 4, 7, 10], `${line}: ${stderr}`).toContain(exitCode)
    }
  })
})

const nothing = ['an empty file', '/dev/null']

describe.each(nothing)('%s', (kind) => {
  const read = sampled(
    found.filter(({ use }) => use === 'is read'),
    nothing.length,
    nothing.indexOf(kind),
  )

  test.each(read.map((named) => [named.id.replaceAll(':', ' '), named.name, named] as const))(
    'given to %s in %s is refused with a next step',
    async (_command, _name, { linesWith }) => {
      const path = kind === '/dev/null' ? kind : join(temporaryFolder(), 'empty')
      if (path !== kind) writeFileSync(path, '', { mode: 0o600 })
      const said: string[] = []
      for (const argv of linesWith(path)) {
        const { exitCode, stderr } = await tried(argv, path, {
          ...keysFor(server.origin),
          PROMO_WEBHOOK_SECRET: 'whsec',
        })
        said.push(`${argv.join(' ')}: ${exitCode} ${stderr}`)
        // No body is one, and no headers are some: they are not genuine.
        const isOfFile = stderr.includes(path) || /is empty|names a/.test(stderr)
        if (exitCode === 12 || (exitCode === 2 && isOfFile && /^try: /m.test(stderr))) return
      }
      expect.fail(said.join('\n'))
    },
  )
})
