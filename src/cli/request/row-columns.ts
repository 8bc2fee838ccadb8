// --map and --ignore-columns: which columns of a file a command reads, and what they are called there. Where a file is a list
// that promo wrote, what the request does not take is left out without being asked.

import type { z } from 'zod'
import { memoize } from '../../base/memoized.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { ColumnRules } from '../../bulk/input/columns.ts'
import { foldTitle } from '../../bulk/input/key-column.ts'
import { csvMember, memberColumns } from '../../contract/bulk.ts'
import { usageError } from '../../errors.ts'
import { openPathsOf, pathsOf } from './body.ts'
import { majorColumns } from './imported-cells.ts'
import { type ListedKey, readerOfLists } from './listed-key.ts'
import { type MemberFlags, memberPath } from './member-flags.ts'

/** What the rows of a command may say. */
export interface RowColumns {
  /** Columns that no body has. */
  also?: readonly string[]
  /** The part of the body that a row describes; absent: all of it. */
  of?: z.ZodType
  /** What of a list of promo is read; absent: only the key, because the other columns describe what there is. */
  fromList?: 'fields'
  /** Says that only the key is read of a list of promo, where its other columns could be changes, too. */
  saysKeyOnly?: true
  /** The command itself makes a request of an object that the service answered. */
  takesAnswers?: true
}

/** The same, with the members of the body that have flags: a column may have the name of one. */
export interface FileColumns extends RowColumns {
  members: MemberFlags
}

/** What the command line says about the columns: which has the key, names as `Card number=code`, and which are left out. */
export interface ColumnChoice {
  column?: string | undefined
  map?: readonly string[] | undefined
  ignored?: readonly string[] | undefined
}

/** What the objects of the service have and no request takes: by either of these a list of promo is recognized. */
const marks = [['object'], ['id', 'created_at']] as const

/** The column of a list that would name again what there is. */
const identity = 'id'

/**
 * Returns the rules for the columns of an input; `body` is the schema of the call, undefined for a call without one, which
 * ignores every column but its key. Throws `usage`.
 *
 * ASSUMED A1813: a file with a column `object`, or `id` and `created_at`, that the request does not take is a list that promo
 * wrote.
 */
export function columnRules(
  choice: ColumnChoice,
  { also = [], of, fromList, saysKeyOnly, takesAnswers, members }: FileColumns,
  { body, key }: { body: z.ZodType | undefined; key: ListedKey },
): ColumnRules {
  const ignored = new Set(choice.ignored)
  const ignoresOthers = ignored.delete('others')
  const schema = of ?? body
  const names = mappedNames(choice.map)
  const mapped = new Set(names.values())
  const takes = schema === undefined ? () => true : pathsOf(schema)
  const isVoucher = schema !== undefined && takes(['discount', 'type'])
  const isTaken = (field: string) =>
    also.includes(field) || takes(field.split('.')) || (isVoucher && majorColumns.includes(field))
  const fieldOf = (title: string) => {
    if (schema === undefined || title === key.column || isTaken(title)) return undefined
    const imported = memberColumns.find((column) => foldTitle(column) === foldTitle(title))
    const path = memberPath(members, title) ?? (imported && columnOrMember(imported))
    return path !== undefined && isTaken(path) ? path : undefined
  }
  // A workbook asks it of every cell.
  const isOpen = schema && openPathsOf(schema)
  const isKeyNamed = choice.column !== undefined || mapped.has(key.column)
  return {
    names,
    fieldOf,
    ignored,
    ...(isOpen && { takesAny: memoize((field) => isOpen(field.split('.'))) }),
    ...(schema !== undefined && !key.takesIds && { alsoField: (title) => emailIn(title, takes) }),
    ...(!isKeyNamed && { ofList: readerOfLists({ ...key, saysKeyOnly }, names) }),
    sends: (field) => also.includes(field) || schema !== undefined,
    leavesOut(field, all, form) {
      if (schema === undefined || mapped.has(field)) return false
      const isList = marks.some((names) => names.every((name) => all.includes(name)) && !names.every(isTaken))
      if (isList && takesAnswers && form === 'json') return false
      if (isList && fromList === undefined) {
        return !also.includes(field)
      }
      // Kept until the body is made, where what the command line says overrides a list.
      if (isList && field === 'object') return false
      if (isList && field === identity) return true
      return (isList || ignoresOthers) && !isTaken(field)
    },
  }
}

/** A column whose unit is not that of its member keeps its name until the body is made. */
function columnOrMember(column: string): string | undefined {
  return majorColumns.includes(column) ? column : csvMember(column, {})
}

/** Whoever is created under an e-mail address has it. */
function emailIn(title: string, takes: ReturnType<typeof pathsOf>): string | undefined {
  return foldTitle(title).startsWith('email') && takes(['email']) ? 'email' : undefined
}

/** Reads `Card number=code`. Throws `usage`. */
export function mappedNames(texts: readonly string[] = []): Map<string, string> {
  const names = new Map<string, string>()
  for (const text of texts) {
    const [, title, field] = /^(.+)=([^=]+)$/s.exec(text) ?? []
    if (title === undefined || field === undefined) {
      throw usageError(`--map "${text}" does not have the form NAME=field`, '--map "Card number=code"')
    }
    if (names.has(title)) {
      throw usageError(
        `--map gives the column "${title}" two names`,
        `--map ${shellWord(`${title}=${names.get(title)}`)} --column ${shellWord(names.get(title) ?? '')}, for a column that is the key, too`,
      )
    }
    if ([...names.values()].includes(field)) throw usageError(`--map gives two columns the name "${field}"`)
    names.set(title, field)
  }
  return names
}
