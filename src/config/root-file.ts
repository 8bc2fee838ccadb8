// promo.yaml: what a folder manages, and how.
import { readdirSync } from 'node:fs'
import { isFileName } from '../base/files/path-below.ts'
import { nearest } from '../base/nearest.ts'
import { isRecord } from '../base/record.ts'
import { fileKinds, kindNamed } from '../model/kinds.ts'
import { isPlain } from '../model/value.ts'
import { lineAt, type OpenFile, type Problem, plainOf } from './yaml-file.ts'

/** The file that says what a folder manages. */
export const rootFile = 'promo.yaml'

/** What promo.yaml says. */
export interface RootSettings {
  /** The kinds that are managed here; undefined in a folder without promo.yaml. */
  kinds: readonly string[] | undefined
  /** Catalogues that are managed completely. */
  whole: readonly string[]
  /** Kinds of which the files are only a part: what has no file is none of the folder's business. */
  partial: readonly string[]
  /** Members that the service returned and this version of promo does not know, by kind. */
  unknown: Readonly<Record<string, readonly string[]>>
  /** The ids of projects, by the names of their files of values. */
  environments: ReadonlyMap<string, string>
  /** The severities of rules of `promo check`, by their ids. */
  checks: Readonly<Record<string, string>>
}

/** Reads promo.yaml; undefined: there is none. */
export function readRootFile(read: OpenFile | undefined, problems: Problem[]): RootSettings {
  const plain = read === undefined ? {} : plainOf(read, problems)
  const environments = Object.entries(isRecord(plain.environments) ? plain.environments : {}).flatMap(
    ([name, value]) => (isRecord(value) && typeof value.project === 'string' ? [[name, value.project] as const] : []),
  )
  const unknown = Object.entries(isRecord(plain.unknown) ? plain.unknown : {})
  return {
    kinds: read && kindsOf(plain, read, problems),
    whole: textsIn(plain.whole),
    partial: textsIn(plain.partial),
    unknown: Object.fromEntries(unknown.map(([name, list]) => [name, textsIn(list)])),
    environments: new Map(environments),
    checks: isRecord(plain.checks) ? (plain.checks as Record<string, string>) : {},
  }
}

function kindsOf(plain: Record<string, unknown>, read: OpenFile, problems: Problem[]): string[] {
  const report = (path: readonly (string | number)[], message: string) =>
    problems.push({ file: rootFile, line: lineAt(read, path), message })
  if (plain.format !== 1) {
    report(['format'], 'format must be 1; another version of promo wrote this folder')
    return []
  }
  for (const name of Object.keys(plain)) {
    if (name === 'format' || Object.hasOwn(settingForms, name)) continue
    report([name], `"${name}" is unknown; it has format, kinds, partial, environments, whole, checks and unknown`)
  }
  for (const [name, [says, isSo]] of Object.entries(settingForms)) {
    // If a malformed setting were ignored, the plan would treat it as absent.
    if (Object.hasOwn(plain, name) && !isSo(plain[name])) report([name], `${name} is ${says}`)
  }
  for (const name of Object.keys(isRecord(plain.environments) ? plain.environments : {})) {
    if (isFileName(`${name}.yaml`)) continue
    const message = `${JSON.stringify(name)} cannot be the name of an environment: its values are values/NAME.yaml`
    report(['environments', name], message)
  }
  for (const list of ['kinds', 'partial']) {
    for (const [index, name] of textsIn(plain[list]).entries()) {
      if (!fileKinds.includes(name)) report([list, index], `"${name}" is no kind; kinds are ${fileKinds.join(', ')}`)
    }
  }
  const kinds = textsIn(plain.kinds)
  return fileKinds.filter((name) => kinds.includes(name))
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')
const isMapOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  isPlain(value) && Object.values(value).every(isItem)

const severityWords: readonly unknown[] = ['error', 'warning', 'info', 'off']

/** What promo.yaml has beside its format. */
const settingForms: Record<string, [says: string, isSo: (value: unknown) => boolean]> = {
  kinds: ['a list of kinds: [rules, campaigns]', isTexts],
  whole: ['a list of kinds: [products]', isTexts],
  partial: ['a list of kinds: [rules, campaigns]', isTexts],
  unknown: ['a mapping of kinds to lists of members', isMapOf(isTexts)],
  environments: [
    'a mapping of names to projects: {live: {project: proj_1}}',
    isMapOf((item) => isPlain(item) && typeof item.project === 'string'),
  ],
  checks: [
    'a mapping of rules of promo check to error, warning, info or off: {campaign-without-end: off}',
    isMapOf((item) => severityWords.includes(item)),
  ],
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/** Returns a line for each file or folder whose name is that of a kind, or nearly, which promo.yaml does not have read. */
export function unreadIn(root: string, kinds: readonly string[]): string[] {
  return readdirSync(root, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const name = entry.isFile() ? entry.name.replace(/\.ya?ml$/, '') : entry.name
      const isText = entry.isFile() && name !== entry.name
      const meant = isText || entry.isDirectory() ? nearest(name, fileKinds) : undefined
      if (meant === undefined || entry.name === rootFile) return []
      const { isSingle } = kindNamed(meant)
      const place = isSingle ? `${meant}.yaml` : meant
      if (entry.name !== place)
        return [`"${entry.name}" is not read: ${meant} are read from ${place}${isSingle ? '' : '/'}`]
      return kinds.includes(meant) ? [] : [`"${entry.name}" is not read: ${rootFile} does not list it among its kinds`]
    })
}
