// The layout of help: names with their descriptions in two columns.
import { wrapText } from '../../base/text/wrapped.ts'

/** A name, and what is said about it. `shown` is the name with marks that take no room on a terminal. */
export interface TextRow {
  name: string
  shown?: string
  text: string
}

/** Below a name, a text of more lines than this stands under it instead of beside it. */
const mostLines = 5

/** Puts spaces in front of every line that is not empty. */
export function indent(lines: readonly string[], spaces: number): string {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(spaces) + line)).join('\n')
}

/**
 * Lays names and texts out in two columns, for lines of this width.
 *
 * When a text would take many short lines beside its name, all texts stand below their names.
 */
export function align(rows: readonly TextRow[], width: number): string[] {
  const longest = Math.max(...rows.map(({ name }) => name.length))
  const texts = rows.map(({ text }) => wrapText(text, width - longest - 2))
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
    ...wrapText(text, width - 4).map((line) => `    ${line}`),
  ])
}
