// Whether a file that arrives is the CSV that an export promises: a page of a portal may be called text, and a cut in the last
// line need not show in the length. Source: docs/service/exports.md#download.

/** Looks at the text of a file piece by piece. */
export interface PromisedCsv {
  /** Says why the file cannot be the promised one, as far as it has arrived. */
  take(text: string): string | undefined
  /** The same once it is complete. */
  end(): string | undefined
}

/** Makes what compares a file with `columns`, the number of columns asked for, where that is known. */
export function promisedCsv(columns?: number): PromisedCsv {
  let header: number | undefined
  let cells = 1
  let isEmpty = true
  let isQuoted = false
  let isFirst = true

  function problemOfLine(): string | undefined {
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
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code === quote) isQuoted = !isQuoted
        if (code === lineFeed && !isQuoted) {
          const problem = problemOfLine()
          if (problem !== undefined) return problem
          continue
        }
        if (code === comma && !isQuoted) cells += 1
        if (code !== carriageReturn) isEmpty = false
      }
      return undefined
    },
    end: () => (isQuoted ? 'it ends within quotes' : problemOfLine()),
  }
}

const [quote, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d]
