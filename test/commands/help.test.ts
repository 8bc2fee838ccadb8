// Help on streams and terminals: its width, its marks, and what a page lists.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sharedGroups } from '../../src/cli/help/command-page.ts'
import { purposes } from '../../src/cli/help/topic-page.ts'
import { runPromo } from '../support/child.ts'
import { commands } from '../support/manifest.ts'
import { promo, promoIn, temporaryFolder } from '../support/promo.ts'
import { sampled } from '../support/size.ts'
import { root } from '../support/source-files.ts'

const guides = ['exit-codes', 'flags', 'formats', 'environment']
const pages = [
  [],
  ['vouchers'],
  ...guides.map((guide) => ['help', guide]),
  ...Object.keys(commands).map((id) => id.split(':')),
]

/** The text without the marks of a terminal. */
const plain = stripVTControlCharacters

describe('width', () => {
  const widths = [40, 60, 120]
  test.each(widths.map((columns, at) => [columns, sampled(pages, widths.length, at)] as const))(
    'on a terminal of %i columns no line is longer, except examples and the names of flags',
    async (columns, some) => {
      const long: string[] = []
      for (const words of some) {
        const { stdout } = await promo(words[0] === 'help' && words.length > 1 ? words : [...words, '--help'], {
          terminal: { columns },
        })
        const [before = '', examples = ''] = plain(stdout).split('\nEXAMPLES\n')
        const rest = examples.split(/\n(?=[A-Z ]+\n)/).slice(1)
        const lines = [...before.split('\n'), ...rest.join('\n').split('\n')]
        long.push(...lines.filter((line) => line.length > columns && !/^ +--\S+$/.test(line)))
      }

      expect(long).toEqual([])
    },
  )

  test('a narrow terminal gets lines of 40 columns', async () => {
    const narrow = await promo('vouchers list --help', { terminal: { columns: 20 } })
    const forty = await promo('vouchers list --help', { terminal: { columns: 40 } })

    expect(narrow.stdout).toBe(forty.stdout)
  })

  test('a pipe gets lines of 80 columns', async () => {
    const piped = await promo('vouchers list --help')
    const eighty = await promo('vouchers list --help', { terminal: { columns: 80 } })

    expect(plain(eighty.stdout)).toBe(piped.stdout)
  })
})

describe('marks', () => {
  test('titles are bold and values underlined on a terminal', async () => {
    const { stdout } = await promo('vouchers list --help', { terminal: { columns: 80 } })

    expect(stdout).toContain('\u001b[1mUSAGE\u001b[22m\n')
    expect(stdout).toContain('--limit=\u001b[4mN\u001b[24m  ')
  })

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('with %s there are none', async (_name, env) => {
    const { stdout } = await promo('vouchers list --help', { terminal: { columns: 80 }, env })

    expect(stdout).toBe(plain(stdout))
  })
})

describe('pages', () => {
  test('a description is broken by the width of the page alone', () => {
    const broken = Object.values(commands).filter(({ description = '' }) => /[^\n]\n[^\n]/.test(description))

    expect(broken.map(({ id }) => id)).toEqual([])
  })

  test('the default of a flag is told once, as it is typed', async () => {
    const twice = Object.values(commands).flatMap(({ id, flags }) =>
      Object.values(flags)
        .filter((flag) => flag.default !== undefined && /\(default\b/.test(flag.description ?? ''))
        .map(({ name }) => `${id} --${name}`),
    )
    const { stdout } = await promo('events tail --help', { terminal: { columns: 200 } })

    expect(plain(stdout)).toMatch(/ --interval=30s +the time between two polls \(at least 1s, default 30s\)$/m)
    expect(twice).toEqual([])
  })

  test('every line of the examples of a page that is typed begins with a prompt', async () => {
    const { stdout } = await promo('vouchers disable --help')

    expect(stdout).toContain('\n  $ (echo code; seq -f GIFT-%03g 1 8) > codes.csv; promo vouchers disable ')
  })

  test('the page of a command describes every flag that is not hidden', async () => {
    const missing: string[] = []
    for (const { id, flags } of Object.values(commands)) {
      const { stdout } = await promo([...id.split(':'), '--help'])
      const names = Object.values(flags).filter(({ hidden }) => !hidden)
      missing.push(
        ...names
          .filter(({ name, allowNo }) => !stdout.includes(` --${allowNo ? '[no-]' : ''}${name}`))
          .map(({ name }) => `${id} --${name}`),
      )
    }

    expect(missing).toEqual([])
  })

  test('every topic and every part of one has a page with a description of its own', async () => {
    const ids = Object.keys(commands).map((id) => id.split(':'))
    const parts = ids.flatMap((words) => words.slice(1).map((_, at) => words.slice(0, at + 1)))
    // The words of a command run it: `history` shows what `history prune` would remove.
    const topics = [
      ...new Set(parts.filter((words) => !Object.hasOwn(commands, words.join(':'))).map((words) => words.join(' '))),
    ]
    const shown = await Promise.all(topics.map((topic) => promo(topic.split(' '))))
    const helped = await Promise.all(topics.map((topic) => promo(['help', ...topic.split(' ')])))

    const firstLines = shown.map(({ stdout }) => stdout.split('\n')[0])
    expect(topics).toContain('loyalty cards')
    expect(firstLines.every((line) => /^[A-Z].{9}/.test(line ?? '') && line !== 'USAGE')).toBe(true)
    expect(new Set(firstLines).size).toBe(topics.length)
    expect(helped.map(({ stdout }) => stdout)).toEqual(shown.map(({ stdout }) => stdout))
    expect(shown[topics.indexOf('loyalty cards')]?.stdout).toContain('$ promo loyalty cards COMMAND')
  })

  test('the page of a topic lists all its commands, those of its parts among them', async () => {
    const { stdout } = await promo('loyalty')
    const names = Object.keys(commands).filter((id) => id.startsWith('loyalty:'))

    expect([...stdout.matchAll(/^ {2}(loyalty [a-z-]+ [a-z-]+)(?: {2}|$)/gm)].map(([, name]) => name)).toEqual(
      names.map((id) => id.replaceAll(':', ' ')).toSorted(),
    )
    expect(names.length).toBeGreaterThan(11)
  })

  test('the page of the program names every topic and every command without one, on one screen', async () => {
    const shown = Object.values(commands).filter(({ hidden }) => !hidden)
    const names = shown.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => name.split(':')[0] as string))
    const { stdout } = await promo('--help')

    expect(Object.values(purposes).flat().toSorted()).toEqual([...new Set(names)].toSorted())
    expect(names.filter((name) => !new RegExp(` ${name}(?: |$)`, 'm').test(stdout))).toEqual([])
    expect(stdout.match(/^ {2}\$ promo .*/gm)).toHaveLength(4)
    expect(stdout).toContain(`documents                    ${join(root, 'docs')}\n`)
    expect(stdout.split('\n').length).toBeLessThanOrEqual(45)
  })

  test.each(['-v', '--version'])('promo %s shows the version, and -v of a command its requests', async (flag) => {
    expect((await runPromo([flag], temporaryFolder())).stdout).toMatch(/^promo\/\d/)
    expect(Object.values(commands).some(({ flags }) => flags.verbose?.char === 'v')).toBe(true)
  })
})

describe('the short page of a command', () => {
  test.each([80, 120])('fits on 40 lines of %i columns and names all of its own flags', async (columns) => {
    const wrong: string[] = []
    for (const { id, flags, args, examples } of Object.values(commands)) {
      const { stdout } = await promo([...id.split(':'), '-h'], { terminal: { columns }, env: { NO_COLOR: '1' } })
      const height = stdout
        .trimEnd()
        .split('\n')
        .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0)
      const own = Object.values(flags).filter(({ hidden, helpGroup = '' }) => !hidden && !(helpGroup in sharedGroups))
      const [, more = ''] = stdout.split('\nMORE\n')
      if (height > 40) wrong.push(`${id}: ${height} lines`)
      if (examples.filter((example) => stdout.includes(`\n  $ ${example}\n`)).length !== 2)
        wrong.push(`${id}: examples`)
      if (!/^ {2}--help +all \d+ flags: [a-z, \n]+ {2}promo help flags/.test(more)) wrong.push(`${id}: ${more}`)
      wrong.push(...own.filter(({ name }) => !stdout.includes(name)).map(({ name }) => `${id} --${name}`))
      wrong.push(
        ...Object.keys(args)
          .filter((name) => !stdout.includes(name.toUpperCase()))
          .map((name) => `${id} ${name}`),
      )
      if (flags.profile !== undefined && !stdout.includes('--profile')) wrong.push(`${id} --profile`)
      // Each value has a name, or is one of a few words.
      if (/<value>|…\.\.\./.test(stdout)) wrong.push(`${id}: a value without a name`)
    }

    expect(wrong).toEqual([])
  })

  test('with -h and --help the page is whole', async () => {
    const whole = await promo('vouchers disable --help')

    expect((await promo('vouchers disable -h --help')).stdout).toBe(whole.stdout)
    expect((await promo('help vouchers disable')).stdout).toBe(whole.stdout)
  })

  test('a text that does not fit ends with a clause, and brackets are closed', async () => {
    expect((await promo('vouchers disable -h')).stdout).toMatch(/ --prove-change +read each item first$/m)
  })
})

describe('help about some words', () => {
  test.each([
    ['lost card', 'promo loyalty cards replace'],
    ['frobnicated cards', undefined],
    ['expire', 'promo loyalty points expiring'],
    ['Expired points!', 'promo loyalty points expiring'],
    ['refund', 'promo redemptions rollback'],
    ['merge customers', 'recipes.md'],
    ['undo my last mistake', 'promo history undo'],
    ['pause a campaign at midnight', 'recipes.md'],
    ['how do I forget somebody', 'promo customers forget'],
    ['certificate authorities', 'promo help environment'],
    ['spreadsheet delimiter', 'promo help formats'],
    ['scheduler task', 'promo help flags'],
  ])('%s finds %s first', async (words, first) => {
    const { exitCode, stdout, stderr } = await promo(['help', ...words.split(' ')])

    expect(/\n {2}(.+?)(?: {2}|$)/m.exec(stdout)?.[1]).toBe(first)
    expect(exitCode).toBe(first === undefined ? 2 : 0)
    expect(stderr).toMatch(first === undefined ? /^promo: unknown command "frobnicated"/ : /^$/)
  })

  test('shows each kind of what was found, and no line too long', async () => {
    const { stdout } = await promo('help expire', { terminal: { columns: 80 }, env: { NO_COLOR: '1' } })

    expect(stdout).toMatch(/^COMMANDS$/m)
    // Its flag has the word.
    expect(stdout).toContain('  promo vouchers update ')
    expect(stdout).toContain(`\nDOCUMENTS IN ${join(root, 'docs')}\n`)
    expect(stdout.split('\n').length).toBeLessThanOrEqual(45)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

describe('promo alone', () => {
  test('greets a new user with the next command in its last line, and no one after that command', async () => {
    const home = temporaryFolder()
    const own = promoIn(home)
    // As bin/run.js leaves it before any command is found.
    mkdirSync(join(home, 'state/compiled'), { recursive: true, mode: 0o700 })
    const first = await own([])
    const next = /promo vouchers list .+/.exec(first.stdout)?.[0] ?? ''

    const followed = await own(next.split(' ').slice(1))
    const again = await own([])

    const greeting = 'New here? No account needed: promo vouchers list --profile sandbox --limit 3'
    expect(first.stdout.endsWith(`\n\n${greeting}\n`)).toBe(true)
    expect(followed.exitCode).toBe(0)
    expect(`${again.stdout}\n${greeting}\n`).toBe(first.stdout)
  })

  test('greets no one who brings keys, or asks for help', async () => {
    const own = promoIn(temporaryFolder())

    expect((await own('--help')).stdout).not.toContain('New here?')
    expect((await own([], { env: { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b' } })).stdout).not.toContain('New here?')
  })
})
