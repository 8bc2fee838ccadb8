// The layout of help: texts broken at a width, and names with their descriptions in two columns.

/** A name, and what is said about it. `shown` is the name with marks that take no room on a terminal. */
export interface TextRow {
  name: string
  shown?: string
  text: string
}

/** Below a name, a text of more lines than this stands under it instead of beside it. */
const mostLines = 5

/** Breaks every line of a text between words; a word that is longer than a line is broken within. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrappedLine(line, width))
}

function wrappedLine(line: string, width: number): string[] {
  const rows = ['']
  for (const word of line.split(' ').filter((candidate) => candidate !== '')) {
    const row = rows.at(-1) as string
    const joined = row === '' ? word : `${row} ${word}`
    if (joined.length <= width) rows[rows.length - 1] = joined
    else if (word.length <= width) rows.push(word)
    else rows.splice(-1, 1, ...broken(row, word, width))
  }
  return rows
}

/** Begins a long word where that takes fewer lines: on the row, or on the next one. */
function broken(row: string, word: string, width: number): string[] {
  const before = row === '' ? '' : `${row} `
  const beside = 1 + Math.ceil((word.length - (width - before.length)) / width)
  const below = 1 + Math.ceil(word.length / width)
  if (before === '' || below < beside + 1) return [...(row === '' ? [] : [row]), ...pieces(word, width)]
  return pieces(before + word, width)
}

function pieces(text: string, width: number): string[] {
  return Array.from({ length: Math.ceil(text.length / width) }, (_, at) => text.slice(at * width, (at + 1) * width))
}

/** Puts spaces in front of every line that is not empty. */
export function indented(lines: readonly string[], spaces: number): string {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(spaces) + line)).join('\n')
}

/**
 * Lays names and texts out in two columns, for lines of this width.
 *
 * When a text would take many short lines beside its name, all texts stand below their names.
 */
export function aligned(rows: readonly TextRow[], width: number): string[] {
  const longest = Math.max(...rows.map(({ name }) => name.length))
  const texts = rows.map(({ text }) => wrapped(text, width - longest - 2))
  if (texts.some((lines) => lines.length > mostLines)) return below(rows, width)
  return rows.flatMap(({ name, shown = name }, at) => {
    const [first = '', ...more] = texts[at] as string[]
    const beside = `${shown}${' '.repeat(longest - name.length + 2)}${first}`.trimEnd()
    return [beside, ...more.map((line) => ' '.repeat(longest + 2) + line)]
  })
}

function below(rows: readonly TextRow[], width: number): string[] {
  return rows.flatMap(({ name, shown = name, text }, at) => [
    ...(at === 0 ? [] : ['']),
    shown.trim(),
    ...wrapped(text, width - 4).map((line) => `    ${line}`),
  ])
}
