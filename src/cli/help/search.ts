// `promo help lost card`: the commands, guides and sections of documents whose texts have these words.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownValue } from '../../base/record.ts'
import { sharedGroups } from './command-page.ts'
import { type GuideSection, guides } from './guides.ts'
import type { TextRow } from './layout.ts'
import { commandsIn, type ManifestCommand } from './manifest.ts'
import { otherNames } from './other-names.ts'
import { commandWords } from './page.ts'
import { documentsFolder } from './topic-page.ts'

/** The most that is shown of each kind. */
const mostCommands = 12
const mostSections = 6

/** Something that can be found: what is shown of it, and its texts, the telling ones first. */
interface Found {
  row: TextRow
  texts: readonly string[]
}

/** Words of a question that say nothing of what is looked for. */
const emptyWords = new Set('a an and at do for how i in is my of or our the this to was what with'.split(' '))

/**
 * Returns what has all words in its texts, the best first.
 *
 * Where nothing has all, what has the most of them, if that is more than half; else nothing.
 */
export function searchHelp(words: readonly string[], root: string): GuideSection[] {
  const said = words.filter((word) => !emptyWords.has(word.toLowerCase()))
  const wanted = (said.length === 0 ? words : said).flatMap(stemsIn)
  if (wanted.length === 0) return []
  const folder = documentsFolder(root)
  const kinds = [
    { title: 'COMMANDS', found: commandsIn(root).map(ofCommand), most: mostCommands },
    { title: 'GUIDES', found: Object.entries(guides).map(ofGuide), most: mostSections },
    { title: `DOCUMENTS IN ${folder}`, found: folder === undefined ? [] : sectionsIn(folder), most: mostSections },
  ].map(({ found, ...kind }) => ({ ...kind, scored: found.map((one) => ({ row: one.row, ...scoreOf(one, wanted) })) }))
  const matched = Math.max(...kinds.flatMap(({ scored }) => scored.map((one) => one.matched)))
  if (matched * 2 <= wanted.length) return []
  return kinds
    .map(({ title, scored, most }) => ({ title, rows: best(scored, matched).slice(0, most) }))
    .filter(({ rows }) => rows.length > 0)
}

function best(scored: readonly { row: TextRow; matched: number; score: number }[], matched: number): TextRow[] {
  return scored
    .filter((one) => one.matched === matched)
    .toSorted((one, other) => other.score - one.score || wordsOf(one.row) - wordsOf(other.row))
    .map(({ row }) => row)
}

/** `vouchers update` comes before `loyalty programs update`. */
function wordsOf({ name }: TextRow): number {
  return name.split(' ').length
}

/** Says how many words the texts have, and counts each by the first text that has it. */
function scoreOf({ texts }: Found, wanted: readonly string[]): { matched: number; score: number } {
  const stems = texts.map(stemsIn)
  const places = wanted
    .map((stem) => stems.findIndex((one) => one.some((known) => known.startsWith(stem))))
    .filter((at) => at !== -1)
  return { matched: places.length, score: places.reduce((sum, at) => sum + 4 ** (texts.length - at), 0) }
}

/** The words of a text without their endings: `expires`, `expired` and `expire` are one. */
function stemsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.replace(/(?<=...)(?:ies|es|s|ed|ing|e|y)$/, ''))
}

function ofCommand({ id, summary, description = '', args, flags }: ManifestCommand): Found {
  const own = Object.values(flags).filter(({ hidden, helpGroup = '' }) => !hidden && !(helpGroup in sharedGroups))
  const parts = [...Object.values(args), ...own].map(({ description: text = '' }) => text)
  const name = commandWords(id)
  return {
    row: { name: `promo ${name}`, text: summary },
    texts: [name, [summary, ...(ownValue(otherNames, name) ?? [])].join('\n'), [description, ...parts].join('\n')],
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
