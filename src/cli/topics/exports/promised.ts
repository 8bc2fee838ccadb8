// Whether a file that arrives is the CSV that an export promises: a page of a portal may be called text, and a cut in the last
// line need not show in the length. Source: docs/service/exports.md#download.

import { memoryOf } from '../../../api/list-reader.ts'

/** Ids of rows that are remembered: a part of a file that comes twice is not far from the first. */
const mostRemembered = 100_000

/** Looks at the text of a file piece by piece. */
export interface PromisedCsv {
  /** Says why the file cannot be the promised one, as far as it has arrived. */
  take(text: string): string | undefined
  /** The same once it is complete. */
  end(): string | undefined
  /** How many rows so far have an id that a row before them had; of a file without a column of ids none. */
  repeated(): number
}

/** Makes what compares a file with `columns`, the number of columns asked for, where that is known. */
export function promisedCsv(columns?: number): PromisedCsv {
  let header: number | undefined
  let cells = 1
  let isEmpty = true
  let isQuoted = false
  let isFirst = true
  let line = ''
  let idAt = -1
  let repeats = 0
  const ids = memoryOf(mostRemembered)

  function noteId(): void {
    if (header === undefined) idAt = cellsOf(line.replace(/^\uFEFF/, '')).findIndex((title) => /^id$/i.test(title))
    else if (idAt >= 0) {
      const id = cellsOf(line, idAt + 1)[idAt] ?? ''
      if (ids.has(id)) repeats += 1
      ids.add(id)
    }
    line = ''
  }

  function problemOfLine(): string | undefined {
    if (!isEmpty) noteId()
    const found = cells
    const isBlank = isEmpty
    cells = 1
    isEmpty = true
    if (isBlank) return undefined
    if (header === undefined) {
      header = found
      return columns === undefined || columns === found
        ? undefined
        : `its header has ${found} columns instead of the ${columns} asked for`
    }
    return found === header ? undefined : `a line has ${found} columns, and the header ${header}`
  }

  return {
    take(text) {
      if (isFirst && text !== '') {
        isFirst = false
        if (/^\uFEFF?\s*<(?:!|html|head|body|\?xml)/i.test(text)) return 'it is a web page'
      }
      let from = 0
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code === quote) isQuoted = !isQuoted
        if (code === lineFeed && !isQuoted) {
          line += text.slice(from, at)
          from = at + 1
          const problem = problemOfLine()
          if (problem !== undefined) return problem
          continue
        }
        if (code === comma && !isQuoted) cells += 1
        if (code !== carriageReturn) isEmpty = false
      }
      if (header === undefined || idAt >= 0) line += text.slice(from)
      return undefined
    },
    end: () => (isQuoted ? 'it ends within quotes' : problemOfLine()),
    repeated: () => repeats,
  }
}

/** The texts of the cells of a line, the first `most` of them. */
function cellsOf(line: string, most = Number.POSITIVE_INFINITY): string[] {
  const cells: string[] = []
  for (const [, text = ''] of line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|\r?$)/g)) {
    cells.push(text.replace(/^"|"$/g, '').trim())
    if (cells.length === most) break
  }
  return cells
}

const [quote, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d]
