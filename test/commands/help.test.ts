// Help on streams and terminals: its width, its marks, and what a page lists.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { commands } from '../support/manifest.ts'
import { promo, promoIn, temporaryFolder } from '../support/promo.ts'

const guides = ['exit-codes', 'formats', 'environment']
const pages = [
  [],
  ['vouchers'],
  ...guides.map((guide) => ['help', guide]),
  ...Object.keys(commands).map((id) => id.split(':')),
]

/** The text without the marks of a terminal. */
const plain = stripVTControlCharacters

describe('width', () => {
  test.each([40, 60, 120])(
    'on a terminal of %i columns no line is longer, except examples and the names of flags',
    async (columns) => {
      const long: string[] = []
      for (const words of pages) {
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
    const narrow = await promo(['vouchers', 'list', '--help'], { terminal: { columns: 20 } })
    const forty = await promo(['vouchers', 'list', '--help'], { terminal: { columns: 40 } })

    expect(narrow.stdout).toBe(forty.stdout)
  })

  test('a pipe gets lines of 80 columns', async () => {
    const piped = await promo(['vouchers', 'list', '--help'])
    const eighty = await promo(['vouchers', 'list', '--help'], { terminal: { columns: 80 } })

    expect(plain(eighty.stdout)).toBe(piped.stdout)
  })
})

describe('marks', () => {
  test('titles are bold and values underlined on a terminal', async () => {
    const { stdout } = await promo(['vouchers', 'list', '--help'], { terminal: { columns: 80 } })

    expect(stdout).toContain('\u001b[1mUSAGE\u001b[22m\n')
    expect(stdout).toContain('--limit=\u001b[4mN\u001b[24m  ')
  })

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['TERM=dumb', { TERM: 'dumb' }],
  ])('with %s there are none', async (_name, env) => {
    const { stdout } = await promo(['vouchers', 'list', '--help'], { terminal: { columns: 80 }, env })

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
    const { stdout } = await promo(['events', 'tail', '--help'], { terminal: { columns: 200 } })

    expect(plain(stdout)).toMatch(/ --interval=30s +the time between two looks, at least 1s \(default 30s\)$/m)
    expect(twice).toEqual([])
  })

  test('every line of the examples of a page that is typed begins with a prompt', async () => {
    const { stdout } = await promo(['vouchers', 'disable', '--help'])

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
    const { stdout } = await promo(['loyalty'])
    const names = Object.keys(commands).filter((id) => id.startsWith('loyalty:'))

    expect([...stdout.matchAll(/^ {2}(loyalty [a-z-]+ [a-z-]+)(?: {2}|$)/gm)].map(([, name]) => name)).toEqual(
      names.map((id) => id.replaceAll(':', ' ')).toSorted(),
    )
    expect(names.length).toBeGreaterThan(11)
  })

  test('the page of the program lists topics and commands, aliases too, but nothing hidden', async () => {
    const { stdout } = await promo(['--help'])

    expect(stdout).toMatch(/\n {2}vouchers +Create, read/)
    expect(stdout).toMatch(/\n {2}login +Store a profile/)
    expect(stdout).not.toContain('loyalty:cards')
    expect(stdout).not.toContain('\n  complete ')
  })
})

describe('promo alone', () => {
  test('greets a new user with the next command in three lines, and no one after that command', async () => {
    const home = temporaryFolder()
    const own = promoIn(home)
    // As bin/run.js leaves it before any command is found.
    mkdirSync(join(home, 'state/compiled'), { recursive: true, mode: 0o700 })
    const first = await own([])
    const next = /promo vouchers list .+/.exec(first.stdout)?.[0] ?? ''

    const followed = await own(next.split(' ').slice(1))
    const again = await own([])

    expect(first.stdout.split('\n\n')[0]?.split('\n')).toEqual([
      'New here? This needs no account: promo vouchers list --profile sandbox --limit 3',
      'Your own project after that:     promo profiles add live',
      'One command explained:           promo help vouchers disable',
    ])
    expect(followed.exitCode).toBe(0)
    expect(again.stdout).toBe(first.stdout.slice(first.stdout.indexOf('The command-line')))
  })

  test('greets no one who brings keys, or asks for help', async () => {
    const own = promoIn(temporaryFolder())

    expect((await own(['--help'])).stdout).not.toContain('New here?')
    expect((await own([], { env: { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b' } })).stdout).not.toContain('New here?')
  })
})
