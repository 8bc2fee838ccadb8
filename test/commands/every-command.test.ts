// What holds for every command that calls the service: found by what it declares, tried with its least command line.
import { beforeAll, describe, expect, test } from 'vitest'
import type { CommandClass } from '../../src/cli/command.ts'
import { referenceIn } from '../../src/cli/flags/kinds.ts'
import { detailReads } from '../../src/cli/prompt/detail.ts'
import { type Class, operations } from '../faults/retry-table-operations.ts'
import { keysFor, lines, notFound } from '../support/command-lines.ts'
import { allCommands, classOf, nowhere, promoIn, temporaryFolder } from '../support/promo.ts'
import { type Asked, scriptedServer } from '../support/scripted-server.ts'
import { isRequestOf } from '../support/sent-requests.ts'

const promo = promoIn(temporaryFolder())

const calling = await Promise.all(Object.keys(lines).map(async (id) => ({ id, Class: await classOf(id) })))
const named = (which: (Class: CommandClass) => boolean) =>
  calling.filter(({ Class }) => which(Class)).map(({ id, Class }) => [id.replaceAll(':', ' '), id, Class] as const)
const flagOf = (Class: CommandClass, name: string) => name in Class.flags

/** The words of a command's first line, after its name. */
const wordsOf = (id: string) => (lines[id]?.[0]?.[0] ?? '').split(' ').filter((word) => word !== '')

/** Runs a command line against a service that answers as its first line expects, and returns what was asked of it. */
async function tried(id: string, words: readonly string[], more: { stdin?: string; isProtected?: boolean } = {}) {
  const goesOn = lines[id]?.[0]?.[1]
  await using server = await scriptedServer((asked, index) => goesOn?.(asked, index) ?? notFound)
  const env = keysFor(server.origin)
  const profile = more.isProtected ? ['--profile', 'live'] : []
  const ran = await promo([...id.split(':'), ...words, ...profile], { env, stdin: more.stdin ?? 'token' })
  return { ...ran, asked: server.asked }
}

const isReadOf = (Class: CommandClass, { method, url }: Asked) => {
  const path = url.split('?')[0] ?? ''
  return (
    Class.calls !== 'any' && Class.calls.some((call) => call.repeat === 'read' && isRequestOf(call, { method, path }))
  )
}

/** The requests among these that change something, by what the command declares of its calls. */
function changesIn(asked: readonly Asked[], Class: CommandClass): string[] {
  const isDetail = ({ method, url }: Asked) =>
    detailReads.some((call) => isRequestOf(call, { method, path: url.split('?')[0] ?? '' }))
  return asked
    .filter((request) => !isReadOf(Class, request) && !isDetail(request))
    .map(({ method, url }) => `${method} ${url}`)
}

const changesTheService = ({ effect, calls }: CommandClass) =>
  effect === 'write' && calls !== 'any' && calls.some(({ repeat }) => repeat !== 'read')

describe.each(named(changesTheService))('%s', (_, id, Class) => {
  test('sends nothing to a protected project before it has asked', async () => {
    const { exitCode, stderr, asked } = await tried(id, wordsOf(id), { isProtected: true })

    // What is read for the question may show that the service can only refuse (3), or fail (5): nobody is asked then.
    expect([[3, 5, 11].includes(exitCode), changesIn(asked, Class)], stderr).toEqual([true, []])
  })
})

describe.each(named((Class) => changesTheService(Class) && flagOf(Class, 'dry-run')))('%s', (_, id, Class) => {
  test('shows what it would send in a dry run, and changes nothing', async () => {
    const { exitCode, stderr, asked } = await tried(id, [...wordsOf(id), '--dry-run'])

    expect([exitCode, changesIn(asked, Class)], stderr).toEqual([0, []])
  })
})

/** How often a call is sent whose answers are all lost, and how the command ends. */
const afterLosses: Record<Class, readonly [sent: number, exitCode: number]> = {
  read: [3, 5],
  key: [3, 5],
  idempotent: [3, 5],
  duplicate: [2, 5],
  reconcile: [1, 6],
  once: [1, 6],
}

test('a write whose answers are lost is sent again exactly where one more does no harm', async () => {
  // They look for the webhook: webhooks.test.ts.
  const others = named(changesTheService).filter(([, id]) => id !== 'webhooks:create' && id !== 'events:tail')

  const ran = await Promise.all(
    others.map(async ([line, id, Class]) => {
      const goesOn = lines[id]?.[0]?.[1]
      await using server = await scriptedServer((asked, index) =>
        isReadOf(Class, asked) ? (goesOn?.(asked, index) ?? notFound) : { do: 'reset' },
      )
      const argv = [...line.split(' '), ...wordsOf(id).join(' ').replace('--retries 1', '').split(' ').filter(Boolean)]
      const { exitCode } = await promoIn(temporaryFolder())([...argv, '--yes'], {
        env: keysFor(server.origin),
        stdin: 'token',
        sleep: async () => {},
      })
      const [first] = server.asked.filter((asked) => !isReadOf(Class, asked))
      const path = first?.url.split('?')[0] ?? ''
      const operation = operations.find(({ endpoint }) => isRequestOf(endpoint, { method: first?.method ?? '', path }))
      // A customer with a source id is created once, however often it is asked for.
      const repeat = id === 'customers:create' ? 'idempotent' : operation?.class
      const [sent, endsOne] = afterLosses[repeat ?? 'read']
      // A command that takes many rows reports the outcome of a row, also of a single one: it is unknown.
      const ends = flagOf(Class, 'from') ? 6 : endsOne
      return [
        `${line} (${repeat}): sent ${changesIn(server.asked, Class).length} times, exit ${exitCode}`,
        `${line} (${repeat}): sent ${sent} times, exit ${ends}`,
      ]
    }),
  )

  expect(ran.map(([is]) => is)).toEqual(ran.map(([, wanted]) => wanted))
})

// A profile is no file: `sandbox copy --from PROFILE`.
describe.each(named((Class) => flagOf(Class, 'from') && 'column' in Class.flags))('%s', (_, id, Class) => {
  // The rows take the place of the flag that excludes --from, and of the argument that is not needed with it.
  const isRival = (word = '') => Class.flags[word.slice(2)]?.exclusive?.includes('from') ?? false
  const rows = Object.entries(Class.args).findIndex(([name]) => Class.asks?.[name]?.unless?.includes('from'))
  const firstFlag = wordsOf(id).findIndex((word) => word.startsWith('-'))
  const isRow = (at: number) => at === rows || (rows !== -1 && at > rows && at < firstFlag)
  const words = wordsOf(id).filter((word, at, all) => !isRow(at) && !isRival(word) && !isRival(all[at - 1]))

  test.each([
    ['is empty', ''],
    ['has no column that it needs', 'something\nelse\n'],
    ['is not text', 'code\n\ud800\0\n'],
  ])('sends nothing for a file that %s', async (_, stdin) => {
    const { exitCode, stderr, asked } = await tried(id, [...words, '--from', '-'], { stdin })

    expect([exitCode, asked], stderr).toEqual([2, []])
    expect(stderr).toContain('standard input')
  })

  test('refuses flags that contradict each other before it opens a file', async () => {
    expect(await tried(id, [...words, '--from', nowhere, '--rate', 'fast'])).toEnd(2, 'the rate "fast"')
  })
})

describe.each(named((Class) => flagOf(Class, 'body')))('%s', (_, id) => {
  test.each([
    ['is not JSON', '{"name":}', 'column 9'],
    ['names a member twice', '{"name":"a","name":"b"}', 'given twice'],
    ['has a member that no call takes', '{"nmae":"a"}', 'nmae'],
    ['would reach a prototype', '{"__proto__":{"a":1}}', '__proto__'],
    ['is a list', '[1]', 'object'],
  ])('sends nothing for a body that %s', async (_, body, says) => {
    const { exitCode, stderr, asked } = await tried(id, [...wordsOf(id), '--body', body])

    expect([exitCode, asked], stderr).toEqual([2, []])
    expect(stderr).toContain(says)
  })

  test('refuses flags that contradict each other before it opens the body', async () => {
    const ran = await tried(id, [...wordsOf(id), '--body', `@${nowhere}`, '--json', '--columns', 'id'])

    expect(ran).toEnd(2, '--columns shapes a table or CSV')
  })
})

/** Where the arguments of the first line are that become part of an address, by their place among its words. */
async function addressesOf(id: string): Promise<number[]> {
  const words = wordsOf(id)
  const flags = words.findIndex((word) => word.startsWith('--'))
  const places: number[] = []
  for (const at of words.slice(0, flags === -1 ? undefined : flags).keys()) {
    const { asked } = await tried(id, [...words.with(at, 'probe-1'), ...yesOf(id)])
    if (asked.some(({ url }) => url.split(/[/?]/).includes('probe-1'))) places.push(at)
  }
  return places
}

const yesOf = (id: string) =>
  Object.entries({ yes: ['--yes'], confirm: ['--confirm', 'live'] }).flatMap(([flag, words]) =>
    flagOf(classes.get(id) as CommandClass, flag) ? words : [],
  )
const classes = new Map(calling.map(({ id, Class }) => [id, Class]))
// Both find a customer by any text, among others by the start of a name.
const searching = ['customers:find', 'customers:show'].map((id) => classes.get(id))
const withAddress = (Class: CommandClass) =>
  !searching.includes(Class) &&
  Object.keys(Class.args).length > 0 &&
  Class.calls !== 'any' &&
  Class.calls.some(({ path }) => path.includes('{'))

describe.each(named(withAddress))('%s', (_, id, Class) => {
  test('sends nothing for an argument that would be another address', async () => {
    for (const at of await addressesOf(id)) {
      // What may be a name, too, is looked for among all names: nothing is sent to an address with it.
      const isName = referenceIn in (Object.values(Class.args)[at] ?? {})
      for (const value of ['.', '..', '', ' x', 'a\nb']) {
        const { exitCode, stderr, asked } = await tried(id, [...wordsOf(id).with(at, value), ...yesOf(id)])

        const sent = isName ? asked.filter(({ url }) => !/^\/v1\/[a-z-]+(?:\?|$)/.test(url)) : asked
        expect([value, exitCode, sent], stderr).toEqual([value, isName && value !== '' ? 3 : 2, []])
      }
    }
  })
})

/** The flags whose text becomes a member of a body, which may be empty. */
const isMember = (flag: object | undefined) => flag !== undefined && 'mayBeEmpty' in flag

describe.each(named(() => true))('%s', (_, id, Class) => {
  const words = wordsOf(id)
  const firstFlag = words.findIndex((word) => word.startsWith('--'))
  const argumentsGiven = firstFlag === -1 ? words.length : firstFlag
  // Several words of one argument are rows, which are refused with their places.
  const isEachNamed = argumentsGiven <= Object.keys(Class.args).length

  test('refuses an argument that is empty by its name, and sends nothing', async () => {
    for (const [at, name] of isEachNamed ? Object.keys(Class.args).slice(0, argumentsGiven).entries() : []) {
      const { exitCode, stderr, asked } = await tried(id, [...words.with(at, ''), ...yesOf(id)])

      expect([exitCode, asked], stderr).toEqual([2, []])
      expect(stderr).toMatch(new RegExp(`^promo: (?:argument ${name.toUpperCase()} is empty|expected "" to be one of)`))
    }
  })

  test('refuses what ends in a carriage return by its name, and sends nothing', async () => {
    for (const [at, name] of isEachNamed ? Object.keys(Class.args).slice(0, argumentsGiven).entries() : []) {
      const { exitCode, stderr, asked } = await tried(id, [...words.with(at, `${words[at]}\r`), ...yesOf(id)])

      expect([exitCode, asked], stderr).toEqual([2, []])
      expect(stderr).toMatch(new RegExp(`^promo: (?:argument ${name.toUpperCase()} ends in|expected .* to be one of)`))
    }
    for (const [name, flag] of Object.entries(Class.flags)) {
      if (flag.type === 'boolean') continue
      const at = words.indexOf(`--${name}`)
      // Names with commas between them are read without the blanks around them.
      if (at === -1 || words[at + 1]?.includes(',')) continue
      const { exitCode, stderr, asked } = await tried(id, [...words.with(at + 1, `${words[at + 1]}\r`), ...yesOf(id)])

      expect([name, exitCode, asked], stderr).toEqual([name, 2, []])
      expect(stderr).toMatch(new RegExp(`--${name}\\b`))
    }
  })

  test('refuses a flag that is empty by its name, and sends nothing, unless it is a text that is kept', async () => {
    for (const [name, flag] of Object.entries(Class.flags)) {
      if (flag.type === 'boolean' || isMember(flag)) continue
      const at = words.indexOf(`--${name}`)
      const given = at === -1 ? [...words, `--${name}`, ''] : words.with(at + 1, '')
      // What rules it out is named first.
      const rivals = new Set([...(flag.exclusive ?? []), ...(flag.exactlyOne ?? [])])
      if (at === -1 && words.some((word) => rivals.has(word.slice(2)))) continue
      const { exitCode, stderr, asked } = await tried(id, [...given, ...yesOf(id)])

      expect([name, exitCode, asked], stderr).toEqual([name, 2, []])
      expect(stderr).toMatch(new RegExp(`--${name}\\b`))
    }
  })
})

test('a command that calls no service refuses an empty argument, too', async () => {
  const refused: Record<string, string> = {}
  for (const { id, Class } of await allCommands()) {
    const { args, hidden } = Class
    if (id in lines || hidden || Object.keys(args).length === 0) continue
    const { exitCode, stderr } = await promo([...id.split(':'), ...Object.keys(args).map(() => '')], { stdin: '' })
    refused[id] = `${exitCode} ${stderr}`
  }

  expect(Object.keys(refused).length).toBeGreaterThan(20)
  const others = Object.values(refused).filter(
    (said) => !/^2 promo: (?:.* is empty|missing |expected "" to be)/.test(said),
  )
  expect(others).toEqual([])
})

beforeAll(async () => {
  const { exitCode, stderr } = await promo(
    ['profiles', 'add', 'live', '--insecure-storage', '--protected', '--app-id', 'a'],
    { stdin: 't' },
  )
  expect(exitCode, stderr).toBe(0)
})
