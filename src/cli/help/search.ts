// `promo help lost card`: the commands, guides and sections of documents whose texts have all of these words.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownValue } from '../../base/record.ts'
import { sharedGroups } from './command-page.ts'
import { type GuideSection, guides } from './guides.ts'
import type { TextRow } from './layout.ts'
import { commandsIn, type ManifestCommand } from './manifest.ts'
import { otherNames } from './other-names.ts'
import { typed } from './page.ts'
import { documentsFolder } from './topic-page.ts'

/** The most that is shown of each kind. */
const mostCommands = 12
const mostSections = 6

/** Something that can be found: what is shown of it, and its texts, the telling ones first. */
interface Found {
  row: TextRow
  texts: readonly string[]
}

/** Returns what has all words in its texts, the best first; nothing for words that nothing has. */
export function searchHelp(words: readonly string[], root: string): GuideSection[] {
  const wanted = words.flatMap(stemsIn)
  if (wanted.length === 0) return []
  const folder = documentsFolder(root)
  return [
    { title: 'COMMANDS', rows: best(commandsIn(root).map(ofCommand), wanted, mostCommands) },
    { title: 'GUIDES', rows: best(Object.entries(guides).map(ofGuide), wanted, mostSections) },
    {
      title: `DOCUMENTS IN ${folder}`,
      rows: folder === undefined ? [] : best(sectionsIn(folder), wanted, mostSections),
    },
  ].filter(({ rows }) => rows.length > 0)
}

function best(all: readonly Found[], wanted: readonly string[], most: number): TextRow[] {
  return all
    .map(({ row, texts }) => ({ row, score: scoreOf(texts, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ row }) => row)
}

/** Each word counts by the first text that has it; zero where no text has one of them. */
function scoreOf(texts: readonly string[], wanted: readonly string[]): number {
  const stems = texts.map(stemsIn)
  const scores = wanted.map((stem) => {
    const at = stems.findIndex((one) => one.some((known) => known.startsWith(stem)))
    return at === -1 ? 0 : 4 ** (texts.length - at)
  })
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/** The words of a text without their endings: `expires`, `expired` and `expire` are one. */
function stemsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.replace(/(?<=...)(?:ies|es|s|ed|ing|e|y)$/, ''))
}

function ofCommand({ id, summary, description = '', args, flags }: ManifestCommand): Found {
  const own = Object.values(flags).filter(({ hidden, helpGroup = '' }) => !hidden && !(helpGroup in sharedGroups))
  const parts = [...Object.values(args), ...own].flatMap(({ name, description: text = '' }) => [name, text])
  const name = typed(id)
  return {
    row: { name: `promo ${name}`, text: summary },
    texts: [name, summary, [description, ...(ownValue(otherNames, name) ?? []), ...parts].join('\n')],
  }
}

function ofGuide([name, guide]: [string, readonly GuideSection[]]): Found {
  const rows = guide.flatMap((section) => section.rows.map((row) => `${row.name} ${row.text}`))
  const titles = guide.map(({ title }) => title.toLowerCase()).join(', ')
  return { row: { name: `promo help ${name}`, text: titles }, texts: [name, rows.join('\n')] }
}

/** Documents that are not for users, and the list of all commands. */
const otherDocuments = /^(?:architecture|commands|glossary|reliability|toolchain|service\/choices)\.md$/

/** Returns the sections of the documents for users. */
function sectionsIn(folder: string): Found[] {
  const files = globSync('{*,service/*}.md', { cwd: folder }).filter(
    (file) => !otherDocuments.test(file.replaceAll('\\', '/')),
  )
  return files.toSorted().flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split(/^(?=#{1,4} )/m)
      .map((section) => {
        const [heading = '', ...body] = section.split('\n')
        const title = heading.replace(/^#+ /, '')
        return { row: { name: file, text: title }, texts: [title, body.join('\n')] }
      }),
  )
}
