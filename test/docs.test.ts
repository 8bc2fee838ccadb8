// Every path, command, flag, exit code and example in the documents is true.
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { drawPicture } from '../bin/picture.ts'
import { exitCodes } from '../src/cli/help/exit-codes.ts'
import { EXIT } from '../src/errors.ts'
import { commands, problemOf } from './support/manifest.ts'
import { needing } from './support/programs.ts'
import { promo, promoIn, temporaryFolder, wordsOf } from './support/promo.ts'
import { runScript } from './support/shell.ts'
import { root } from './support/source-files.ts'
import { escaped } from './support/transcripts.ts'

const documents = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).toSorted()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('documents', () => {
  test.each(documents)('every link and path in %s exists', (document) => {
    const text = read(document)
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => join(dirname(document), target))
    // A reader of the repository does not have what the build makes.
    const made = links.filter((link) => isMade(link) && !isMade(document))
    const paths = [...text.matchAll(/`((?:src|test|docs|examples|bin|bench)\/[\w./-]+)`/g)].map(([, path = '']) => path)

    const broken = [...links.filter((link) => !link.includes('://') && !link.includes(':/')), ...paths].filter(
      (path) => !existsSync(join(root, path)),
    )

    expect([...broken, ...made]).toEqual([])
  })

  test('every citation in the code names a section of a document in this repository', () => {
    const cited = ['src', 'bin', 'test', 'bench'].flatMap((folder) =>
      globSync(`${folder}/**/*.{ts,js}`, { cwd: root }).flatMap((path) =>
        [...read(path).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, document = '', section]) => ({
          path,
          document,
          section,
        })),
      ),
    )

    const broken = cited.filter(
      ({ document, section }) =>
        !existsSync(join(root, document)) || (section !== undefined && !sectionsOf(document).has(section)),
    )

    expect(broken).toEqual([])
    expect(cited.length).toBeGreaterThan(500)
  })

  test.each(documents)('every link to a section in %s names an existing one', (document) => {
    const links = [...read(document).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, target = '', section = '']) => ({
      target: target === '' ? document : join(dirname(document), target),
      section,
    }))

    expect(links.filter(({ target, section }) => !sectionsOf(target).has(section))).toEqual([])
  })

  test('no file cites a document that is not in the repository', () => {
    const absent =
      /wire-facts|service-spec|client-facts|evaluation\.md|reliability\.md §|(?<![\w-])cli\.md|(?<!\/)toolchain\.md|design\.md/
    const citing = globSync(['*.md', '{src,bin,test,bench,docs}/**/*.{ts,js,md}'], { cwd: root })
      .filter((path) => path !== 'test/docs.test.ts')
      .filter((path) => absent.test(read(path)))

    expect(citing).toEqual([])
  })

  test.each(documents)('every command line in %s names a command and flags that exist', (document) => {
    const lines = [...read(document).matchAll(/^\$ (?:npx )?promo (.+)$/gm)].map(([, line = '']) => line)

    const wrong = lines.filter((line) => problemOf(line) !== undefined).map((line) => `${line}: ${problemOf(line)}`)

    expect(wrong).toEqual([])
  })

  test('exit codes: the table has one row for each code, and no other', () => {
    expect(exitCodes.map(({ code }) => code)).toEqual(Object.values(EXIT).toSorted((a, b) => a - b))
  })

  test('exit codes: help prints the table', async () => {
    const { stdout } = await promo(['help', 'exit-codes'], { terminal: { columns: 200 } })

    for (const { code, meaning } of exitCodes)
      expect(stdout).toMatch(new RegExp(`^  ${code} +${escaped(meaning)}`, 'm'))
  })

  test('docs/index.md leads to every page beside it', () => {
    const linked = new Set([...read('docs/index.md').matchAll(/\]\((?:\.\/)?([\w-]+\.md)\)/g)].map(([, page]) => page))

    expect(globSync('*.md', { cwd: join(root, 'docs') }).filter((page) => !linked.has(page))).toEqual(['index.md'])
  })

  test('every line for cron names a command and flags that exist', () => {
    const lines = documents.flatMap((document) =>
      [...read(document).matchAll(/^```cron\n(?:\S+ ){5}promo (.+)$/gm)].map(([, line = '']) => line),
    )

    expect(lines.map(problemOf)).toEqual([undefined])
  })

  test(
    'README has 140 lines at most, and a picture of a terminal that shows what promo prints',
    needing('script'),
    () => {
      expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(140)
      expect(read('README.md')).toContain('](docs/promo.svg)')
      expect(drawPicture()).toBe(read('docs/promo.svg'))
    },
  )

  test('CHANGELOG has one line of 120 characters at most for an entry, and 40 lines for the first version', () => {
    const [news = '', first = ''] = read('CHANGELOG.md').split('## 0.1.0\n')
    const lines = `${news}${first}`.split('\n').slice(1)

    expect(lines.filter((line) => line.length > 120)).toEqual([])
    expect(lines.filter((line) => !/^(?:- [`*\w.].*|##.*|)$/.test(line)).slice(1)).toEqual(['The first version.'])
    expect(first.split('\n').length).toBeLessThanOrEqual(40)
  })

  test("the script of CI contains README's commands verbatim", () => {
    expect(read('README.md')).toContain(
      '$ npm ci\n$ npx promo vouchers disable --from examples/leaked-codes.csv --profile sandbox --yes\n',
    )
    expect(read('.ci/run')).toMatch(/^npm ci$/m)
    const tests = read('README.md').trimEnd().split('\n').at(-1) ?? ''
    const said = [...tests.matchAll(/`(npm [^`]+)`/g)].map(([, command]) => command)
    expect(said).toEqual(['npm test', 'npm run test:slow'])
    expect([...read('.ci/run').matchAll(/^counted (npm .*)$/gm)].map(([, command]) => command)).toEqual(said)
  })
})

describe('help', () => {
  const all = Object.values(commands)

  test.each(all.map((command) => [command.id, command] as const))(
    '%s has a summary, two examples, and a description on every flag',
    (_id, { summary, examples, flags }) => {
      expect(summary).toMatch(/^[A-Z].*[^.]$/)
      expect(examples.length).toBeGreaterThanOrEqual(2)
      expect(Object.values(flags).filter(({ description }) => description === undefined)).toEqual([])
    },
  )

  test('help names no document of the repository', () => {
    expect([...read('.oclif.manifest.json').matchAll(/docs\/[\w/-]+/g)]).toEqual([])
  })

  test('each command has its section in the page of its topic', () => {
    const shown = documents
      .filter(isMade)
      .flatMap((page) => [...sectionsOf(page)].filter((id) => id.startsWith('promo-')))

    expect(shown).toEqual(
      expect.arrayContaining(all.filter(({ hidden }) => !hidden).map(({ id }) => `promo-${id.replaceAll(':', '-')}`)),
    )
  })

  test('a flag has one text in all commands, of one or two short lines, unless it means several things', () => {
    const texts = new Map<string, Set<string>>()
    for (const { name, description = '' } of all.flatMap(({ flags }) => Object.values(flags)))
      texts.set(name, (texts.get(name) ?? new Set()).add(description))

    expect([...texts].flatMap(([, each]) => [...each]).filter((text) => text.length > 72)).toEqual([])
    const several = [...texts].map(([name, { size }]) => [name, size] as const).filter(([, size]) => size > 1)
    expect(Object.fromEntries(several)).toEqual(meanings)
  })

  test('a description has at most 400 characters, in six sentences of 25 words', () => {
    const long = all.filter(({ description = '' }) => {
      const sentences = description.split(/(?<=[.!?])\s+/)
      return (
        description.length > 400 ||
        sentences.length > 6 ||
        sentences.some((sentence) => sentence.split(/\s+/).length > 25)
      )
    })

    expect(long.map(({ id, description }) => `${id}: ${description}`)).toEqual([])
  })

  test('a topic is described by what is done there, in one short line that begins with a verb', () => {
    const topics: Record<string, { description: string }> = JSON.parse(read('package.json')).oclif.topics
    const verbs =
      `Add Check Choose Combine Create Decide Define Find Follow Generate Give Group Inspect Keep List Manage Offer
      Read Redeem Run Save Send Show Simulate`.split(/\s+/)
    const texts = Object.values(topics).map(({ description }) => description)

    expect(texts.filter((text) => text.length > 65 || !verbs.includes(text.split(/\W/)[0] ?? ''))).toEqual([])
    expect(texts.length).toBeGreaterThan(50)
  })

  test('no flag takes a secret', () => {
    const suspicious = all
      .flatMap(({ id, flags }) => Object.values(flags).map(({ name, type }) => ({ id, name, type })))
      // The path of a file is not a secret, and the key of a session is only its name.
      .filter(({ name, type }) => type === 'option' && /token|secret|password|key$/.test(name))
      .filter(({ name }) => !/-file$|^session-key$/.test(name))

    expect(suspicious).toEqual([])
  })

  test(
    'an example that needs a file or an id makes it, so that it works outside a checkout too',
    needing('bash'),
    async () => {
      const examples = all.flatMap(({ examples }) => examples)
      const scripts = examples.filter((example) => !example.startsWith('promo ') || example.includes(' | '))

      // The shop of the demo is made once.
      const shop = temporaryFolder()
      await runScript('promo vouchers list --limit 1 --profile sandbox', shop)

      const ends = []
      for (const script of scripts) {
        const folder = temporaryFolder()
        cpSync(shop, folder, { recursive: true })
        const { exitCode, stderr } = await runScript(`set -o pipefail; ${script}`, folder)
        if (exitCode !== 0) ends.push([script, stderr])
      }

      expect(examples.filter((example) => example.includes('examples/'))).toEqual([])
      expect(scripts.length).toBeGreaterThan(8)
      expect(ends).toEqual([])
    },
  )

  test('the examples that change nothing work in a fresh sandbox', async () => {
    const inFolder = promoIn(temporaryFolder())
    const lines = all
      .filter(({ id }) => !['events:tail', 'webhooks:listen', 'webhooks:trigger', 'sandbox:start'].includes(id))
      .flatMap((command) => command.examples.map((line) => ({ line, isWrite: 'dry-run' in command.flags })))
      .filter(({ line }) => /^promo (?:'[^']*'|"[^"]*"|[^|;<>])*$/.test(line) && line.includes('--profile sandbox'))
      // They would write into the checkout.
      .filter(({ line }) => !/ --(?:out|html) \w|^promo ledger export /.test(line))
      .filter(({ line, isWrite }) => !isWrite || line.includes('--dry-run'))
      .map(({ line }) => line)

    await inFolder(['ledger', 'pull', '--profile', 'sandbox'])
    const ends = []
    for (const line of lines) {
      const { exitCode, stderr } = await inFolder(wordsOf(line).slice(1), { stdin: '' })
      const isAnswer =
        exitCode === EXIT.ok || (exitCode === EXIT.no && /^promo (?:qualify|check|ledger reconcile) /.test(line))
      if (!isAnswer) ends.push([line, exitCode, stderr])
    }

    expect(lines.length).toBeGreaterThan(100)
    expect(ends).toEqual([])
  })

  test('every example names a command and flags that exist', () => {
    const lines = all.flatMap(({ examples }) => examples)

    const wrong = lines
      .map((line) => problemOf(line.replace(/^.*?\bpromo /, '')))
      .filter((problem) => problem !== undefined)

    expect(wrong).toEqual([])
  })
})

/** How many things a flag means that does not mean the same in every command. */
const meanings = {
  active: 3,
  after: 2,
  all: 2,
  'allow-unknown': 2,
  amount: 2,
  before: 2,
  by: 2,
  campaign: 11,
  category: 3,
  chart: 2,
  count: 2,
  customer: 2,
  data: 4,
  'dry-run': 4,
  email: 2,
  event: 3,
  expand: 3,
  filter: 2,
  force: 3,
  format: 3,
  from: 3,
  'if-exists': 4,
  ignore: 2,
  journal: 2,
  json: 2,
  jsonl: 2,
  latency: 2,
  limit: 5,
  name: 4,
  object: 3,
  'older-than': 2,
  only: 7,
  'order-id': 2,
  out: 2,
  points: 7,
  port: 3,
  profile: 3,
  project: 2,
  rate: 3,
  seed: 2,
  since: 7,
  'source-id': 3,
  status: 4,
  tier: 2,
  to: 3,
  type: 8,
  until: 3,
  url: 2,
  verbose: 2,
  voucher: 3,
}

const sections = new Map<string, Set<string>>()

/** The anchors of a document, as GitHub makes them from its headings. */
function sectionsOf(document: string): Set<string> {
  let known = sections.get(document)
  if (known === undefined) {
    const headings = [...read(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
    known = new Set(
      headings.map((heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    )
    sections.set(document, known)
  }
  return known
}

/** Tells whether a document is made by the build, so that only a built checkout and packages have it. */
function isMade(document: string): boolean {
  return dirname(document) === join('docs', 'commands')
}
