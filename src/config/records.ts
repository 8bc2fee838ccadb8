// What promo keeps in a folder beside the files of people: the ids of objects, and what it wrote there last, per project.

import { createHash } from 'node:crypto'
import { lstatSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { cannotWrite, openElsewhere } from '../base/files/cannot-write.ts'
import { isHeldOpen } from '../base/files/held.ts'
import { readKept } from '../base/files/kept-file.ts'
import { pathBelow } from '../base/files/path-below.ts'
import { removeLeftovers, replaceFile } from '../base/files/temporary.ts'
import { makeFolder } from '../base/folder.ts'
import { readJson } from '../base/nesting.ts'
import { isRecord } from '../base/record.ts'
import { PromoError } from '../errors.ts'

/** Records of one project in a folder: a sorted line for each name. */
export interface Records {
  /** The id of each object, by its address. */
  ids: Map<string, string>
  /** The SHA-256 of each file as the last pull left it. */
  pulled: Map<string, string>
}

const idsFile = (projectId: string) => ['.promo', 'ids', `${projectId}.json`]
const pulledFile = (projectId: string) => ['.promo', 'pulled', `${projectId}.json`]

/** The path, in a folder, of the JSON Schema of the files of a kind. */
export function schemaFile({ name }: { name: string }): string {
  return `.promo/schemas/${name}.json`
}

/** Reads the records of a project. Throws `input` (exit 2) for a file that is damaged. */
export function readRecords(root: string, projectId: string): Records {
  return { ids: textMap(root, idsFile(projectId)), pulled: textMap(root, pulledFile(projectId)) }
}

/** Writes the ids of a project, whole or not at all. */
export function writeIds(root: string, projectId: string, ids: ReadonlyMap<string, string>): void {
  writeWhole([[pathBelow(root, ...idsFile(projectId)), jsonOf(ids)]])
}

/** Writes what a pull left in the files. */
export function writePulled(root: string, projectId: string, pulled: ReadonlyMap<string, string>): void {
  writeWhole([[pathBelow(root, ...pulledFile(projectId)), jsonOf(pulled)]])
}

/** The SHA-256 of the text of a file. */
export function textChecksum(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const mostMib = 64

function textMap(root: string, names: readonly string[]): Map<string, string> {
  const path = pathBelow(root, ...names)
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) continue
    throw new PromoError('input', `"${folder}" is a link: what promo records would be elsewhere`)
  }
  const read = readKept(path, mostMib)
  if (read === undefined) return new Map()
  let isConflict = false
  try {
    if ('fault' in read) throw new SyntaxError(read.fault)
    const text = read.bytes.toString('utf8')
    isConflict = /^<{7} /m.test(text)
    const json: unknown = readJson(text)
    if (isRecord(json) && Object.values(json).every((value) => typeof value === 'string')) {
      return new Map(Object.entries(json) as [string, string][])
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
  }
  if (isConflict) {
    throw new PromoError('input', `"${path}" has an unresolved merge conflict`, {
      hint: 'keep the lines of both sides: each is a key and its id',
    })
  }
  throw new PromoError('input', `"${path}" is damaged: it is not an object of texts`, {
    hint: 'restore it from version control; without it objects are recognized by their names',
  })
}

function jsonOf(map: ReadonlyMap<string, string>): string {
  const sorted = [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`
}

/** Says whether a file has this text; what cannot be read has another, and whoever writes it says why. */
export function holds(path: string, text: string): boolean {
  try {
    const read = readKept(path, mostMib)
    return read !== undefined && 'bytes' in read && read.bytes.toString('utf8') === text
  } catch {
    return false
  }
}

/**
 * Replaces files, by their paths, by texts, each whole or not at all, and makes their folders.
 *
 * Throws `io` (exit 10), also where the folder or the file is a link: what was written would be elsewhere.
 */
export function writeWhole(files: Iterable<readonly [path: string, text: string]>, mode = 0o644): void {
  const folders = new Set<string>()
  for (const [path, text] of files) {
    const folder = dirname(path)
    orRefused(path, () => {
      makeFolder(folder, 0o777)
      for (const one of [folder, path]) {
        if (lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink()) {
          throw new PromoError('io', `cannot write "${path}": "${one}" is a link`)
        }
      }
      if (!folders.has(folder)) removeLeftovers(folder)
      folders.add(folder)
      replaceFile(path, text, mode)
    })
  }
}

/** Moves a file to another name. Throws `io` (exit 10). */
export function moveFile(from: string, to: string): void {
  orRefused(to, () => renameSync(from, to), `cannot move "${from}" to "${to}"`)
}

/** Removes a file. Throws `io` (exit 10). */
export function removeFile(path: string): void {
  orRefused(path, () => rmSync(path), `cannot remove "${path}"`)
}

function orRefused(path: string, act: () => void, what?: string): void {
  try {
    act()
  } catch (error) {
    throw !(error instanceof PromoError) && isHeldOpen(error)
      ? openElsewhere(path, error, what)
      : cannotWrite(path, error, what)
  }
}
