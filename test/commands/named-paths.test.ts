// Every path that a user names, in a flag, an argument or a variable, found in the manifest: whatever it leads to, the run
// ends by itself, or when it is stopped, and what is wrong is said.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variables } from '../../src/profiles/environment.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { commands } from '../support/manifest.ts'
import { needing } from '../support/programs.ts'
import { promo, type Ran, temporaryFolder } from '../support/promo.ts'
import { scriptedServer } from '../support/scripted-server.ts'

const folder = temporaryFolder()
const headers = join(folder, 'delivery.headers')
const body = join(folder, 'delivery.body')
const kinds = ['a FIFO without a writer', 'a device', 'a folder', 'a path that does not exist'] as const
type Kind = (typeof kinds)[number]

let server: Awaited<ReturnType<typeof scriptedServer>>
beforeAll(async () => {
  writeFileSync(headers, 'x-voucherify-signature: t=1,v1=0\n')
  writeFileSync(body, '{}')
  server = await scriptedServer(() => notFound)
})
afterAll(async () => await server[Symbol.asyncDispose]())

/** The least words of those commands that call no service, or read a file besides. */
const wordsOfOthers: Record<string, string> = {
  'webhooks:resend': `${body} --to http://127.0.0.1:9/`,
  'webhooks:verify': `${body} --headers ${headers}`,
  'webhooks:listen': '--print-url',
  api: '/v1/vouchers',
  'vouchers:import': '',
  'campaigns:vouchers:import': 'camp_1',
}

/** What a flag or an argument does with its path. */
type Use = 'is read' | 'is replaced' | 'is a folder' | 'is a data file'
interface NamedPath {
  id: string
  /** Given the path, the words of the command line; several where it cannot be known which are taken. */
  lines: (path: string) => string[][]
  name: string
  use: Use
}

const found: NamedPath[] = Object.values(commands).flatMap(({ id, flags, args }) => {
  const words = (wordsOfOthers[id] ?? lines[id]?.[0]?.[0] ?? '').split(' ').filter((word) => word !== '')
  const fromFlag = words.findIndex((word) => word.startsWith('-'))
  const withoutItems = fromFlag === -1 ? [] : words.slice(fromFlag)
  const yes = 'yes' in flags ? ['--yes'] : []
  const retries = 'retries' in flags ? ['--retries', '0'] : []
  const ofFlags = Object.values(flags)
    .filter(({ helpValue = '' }) => /\b(FILE|DIR)\b/.test(helpValue))
    .map(({ name, helpValue = '' }): NamedPath => {
      const sign = helpValue.includes('@FILE') ? '@' : ''
      return {
        id,
        name: `--${name}`,
        use: helpValue.includes('DIR')
          ? 'is a folder'
          : name === 'out'
            ? 'is replaced'
            : name === 'data'
              ? 'is a data file'
              : 'is read',
        lines: (path) =>
          [words, withoutItems, words.slice(0, 1)].map((some) => [
            ...without(some, `--${name}`),
            `--${name}`,
            `${sign}${path}`,
            ...yes,
            ...retries,
          ]),
      }
    })
  const ofArguments = Object.values(args ?? {})
    .filter(({ description = '' }) => /\bfile\b|\bfolder\b/.test(description))
    .map(({ name }): NamedPath => {
      return {
        id,
        name: name.toUpperCase(),
        use: name === 'job' ? 'is a folder' : 'is read',
        lines: (path) => [
          [...words.filter((word) => word !== body), ...yes, ...retries].toSpliced(id.startsWith('campaigns') ? 1 : 0, 0, path),
        ],
      }
    })
  return [...ofFlags, ...ofArguments]
})

function without(words: string[], flag: string): string[] {
  const at = words.indexOf(flag)
  return at === -1 ? words : words.toSpliced(at, 2)
}

function placeOf(kind: Kind): string {
  const place = temporaryFolder()
  if (kind === 'a device') return '/dev/zero'
  if (kind === 'a folder') return place
  if (kind === 'a path that does not exist') return join(place, 'missing', 'path')
  execFileSync('mkfifo', [join(place, 'fifo')])
  return join(place, 'fifo')
}

/** Runs a command line, and stops it once it has the FIFO open and waits. */
async function tried(argv: string[], path: string, kind: Kind, env: Record<string, string> = {}): Promise<Ran> {
  let stop = (_reason: 'SIGTERM') => {}
  let isOver = false
  const running = promo(argv, {
    env: { ...keysFor(server.origin), PROMO_WEBHOOK_SECRET: 'whsec', ...env },
    stdin: '',
    onStart: (stopIt) => {
      stop = stopIt
    },
  }).finally(() => {
    isOver = true
  })
  const writer = kind === kinds[0] ? await readerOf(path, () => isOver) : undefined
  // It has to wait where waiting takes place, not where it begins.
  for (let turns = 0; turns < 20; turns += 1) await turn()
  if (writer !== undefined || argv.includes('listen') || argv.includes('start')) stop('SIGTERM')
  const ran = await running
  if (writer !== undefined) closeSync(writer)
  return ran
}

/** Resolves once a process reads the FIFO; undefined when none does. */
async function readerOf(path: string, isOver: () => boolean): Promise<number | undefined> {
  while (!isOver()) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch {
      await turn()
    }
  }
  return undefined
}

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
    'a FIFO without a writer': [2, 9, 10],
    'a device': [2, 9, 10],
    'a folder': [0, 2, 4, 5, 7, 8, 9, 10, 143],
    'a path that does not exist': [0, 2, 4, 5, 7, 9, 10, 143],
  },
  'is a data file': {
    'a FIFO without a writer': [2, 3, 4, 10],
    'a device': [2, 3, 4, 10],
    'a folder': [2, 3, 4, 10],
    'a path that does not exist': [0, 2, 3, 4, 10, 143],
  },
}

test('there are such flags and arguments', () => {
  expect(found.length).toBeGreaterThan(100)
})

describe.each(kinds)('%s', (kind) => {
  test.each(found.map((named) => [named.id.replaceAll(':', ' '), named.name, named] as const))(
    'given to %s in %s ends the run, with words',
    needing('mkfifo'),
    async (_command, _name, { id, lines: linesOf, use }) => {
      const path = placeOf(kind)
      const all: string[] = []
      for (const words of linesOf(path)) {
        const argv = [...id.split(':'), ...words]
        const { exitCode, stderr } = await tried(argv, path, kind)
        all.push(`${argv.join(' ')}: ${exitCode} ${stderr}`)
        expect(stderr).not.toMatch(/bug in promo|\n {4}at /)
        if (ends[use][kind].includes(exitCode) && (stderr.includes(path) || exitCode === 143 || use === 'is a folder' || use === 'is a data file')) return
      }
      expect.fail(all.join('\n'))
    },
  )
})

const secretVariables = variables.map(({ name }) => name).filter((name) => /_(ID|TOKEN|SECRET)$/.test(name) && name !== 'PROMO_PROJECT_ID')
const otherVariables = variables.filter(({ name, meaning }) => /\b(folder|file|path)\b/.test(meaning) && !name.includes('…') && name !== 'PROMO_ALLOW_INSECURE_CONFIG')

describe.each(kinds)('%s', (kind) => {
  test.each(secretVariables)('named by %s_FILE ends the run, with words', needing('mkfifo'), async (variable) => {
    const path = placeOf(kind)
    for (const argv of [['whoami'], ['vouchers', 'get', 'C'], ['webhooks', 'list']]) {
      const own = Object.fromEntries(Object.entries(keysFor(server.origin)).filter(([name]) => name !== variable))
      const { exitCode, stderr } = await promoWith(argv, path, kind, { ...own, [`${variable}_FILE`]: path })
      expect([exitCode, stderr]).toEqual([kind === kinds[0] ? 143 : 4, expect.any(String)])
      if (kind !== kinds[0]) expect(stderr).toContain(`${variable}_FILE names a`)
    }
  })

  test.each(otherVariables.map(({ name }) => name))('named by %s ends the run', needing('mkfifo'), async (variable) => {
    const path = placeOf(kind)
    for (const argv of [['whoami'], ['history'], ['jobs', 'list'], ['profiles', 'list'], ['vouchers', 'disable', 'A', 'B', '--yes']]) {
      const { exitCode, stderr } = await promoWith(argv, path, kind, { ...keysFor(server.origin), [variable]: path })
      expect([0, 2, 3, 4, 7, 10], `${argv.join(' ')}: ${stderr}`).toContain(exitCode)
      expect(stderr).not.toMatch(/bug in promo|\n {4}at /)
    }
  })
})

async function promoWith(argv: string[], path: string, kind: Kind, env: Record<string, string>): Promise<Ran> {
  let stop = (_reason: 'SIGTERM') => {}
  let isOver = false
  const running = promo(argv, {
    env,
    stdin: '',
    onStart: (stopIt) => {
      stop = stopIt
    },
  }).finally(() => {
    isOver = true
  })
  const writer = kind === kinds[0] ? await readerOf(path, () => isOver) : undefined
  for (let turns = 0; turns < 20; turns += 1) await turn()
  if (writer !== undefined) stop('SIGTERM')
  const ran = await running
  if (writer !== undefined) closeSync(writer)
  return ran
}
