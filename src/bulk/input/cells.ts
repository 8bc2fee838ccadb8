// The cells of a file that a spreadsheet or an editor may have written: marks of texts are removed, and values that only a
// damaged or misread file has are found.
import { ruinOf, withoutMark } from '../../base/spreadsheet-shapes.ts'
import { excerpt } from './input-error.ts'
import type { BadRow } from './row.ts'

export interface CellOptions {
  /** Whether every value is meant as it is written. */
  asWritten?: boolean
  /** Whether quotes are read as characters. */
  noQuotes?: boolean
  /** Receives what was assumed, in words. */
  assumed?: (sentence: string) => void
}

/** Reads the cells of one input. */
export interface CellReader {
  /** Returns a cell without the mark of a text; that it had one is said once for each column, unless nothing is read there. */
  read: (cell: string, title?: string, isRead?: boolean) => string
  /** Returns what is wrong with a cell as it is written, or undefined. */
  damage: (cell: string, isKey: boolean, field: string) => Damage | undefined
}

/** What is wrong with a cell, and what to do. */
export type Damage = Required<Pick<BadRow, 'remedy'>> & { problem: string }

/** Fields that name something, as a code or an id does. */
const naming = /(?:^|[._ ])(?:code|id|sku|to|customer|holder|voucher|card|coupon|order)$/i

/** Makes a reader of cells. */
export function cellReader({ asWritten = false, noQuotes = false, assumed }: CellOptions): CellReader {
  const said = new Set<string | undefined>()
  if (asWritten) return { read: (cell) => cell, damage: () => undefined }
  return {
    read(cell, title, isRead = true) {
      const text = withoutMark(cell)
      if (text !== cell && isRead && !said.has(title)) {
        said.add(title)
        const place = title === undefined ? '' : `in the column ${excerpt(title)} `
        assumed?.(
          `${place}${excerpt(cell)} is read as ${excerpt(text)}: an apostrophe in front is a spreadsheet's mark of a text (--as-written keeps it)`,
        )
      }
      return text
    },
    damage(cell, isKey, field) {
      const isQuoted = noQuotes && (/^".*"$/s.test(cell) || (isKey && /^"|"$/.test(cell)))
      if (isQuoted) {
        const remedy = 'leave out --no-quotes; if the quotes are part of the values, add --as-written'
        return { problem: 'has quotes around it, which --no-quotes reads as part of the value', remedy }
      }
      const ruin = ruinOf(cell, isKey || naming.test(field))
      return ruin === undefined ? undefined : { problem: ruin, remedy: asTheyAre }
    },
  }
}

const asTheyAre =
  'format the column as text and enter or import its values again, or add --as-written to send them as they are'

/** Returns what is wrong with a line that should be a code, or undefined. */
export function damagedLine(line: string): Damage | undefined {
  const remedy = 'correct the file, or add --as-written to send its lines as they are'
  if (/^(?:#|\/\/|;)/.test(line))
    return { problem: 'looks like a comment, which a list of codes does not have', remedy }
  return /^(["'“`]).*["'”`]$/.test(line)
    ? { problem: 'has quotes around it, which are read as part of the code', remedy }
    : undefined
}
