// Texts of promo's own, broken at a width: help, questions, notices. Tables have a ruler for wide characters (output/form/width.ts).

/** Breaks every line of a text between words; a word that is longer than a line is broken within. Other spaces are kept. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width))
}

function wrapLine(line: string, width: number): string[] {
  const rows = ['']
  for (const [, spaces = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    const row = rows.at(-1) as string
    const joined = `${row}${spaces}${word}`
    if (lengthOf(joined) <= width) rows[rows.length - 1] = joined
    else if (lengthOf(word) > width) rows.splice(-1, 1, ...breakWord(row, spaces, word, width))
    else if (row === '') rows[rows.length - 1] = word
    else rows.push(word)
  }
  return rows
}

/** Begins a long word where that takes fewer lines: on the row, or on the next one. */
function breakWord(row: string, spaces: string, word: string, width: number): string[] {
  const beside = pieces(row + spaces + word, width)
  const below = pieces(word, width)
  return row !== '' && below.length < beside.length ? [row, ...below] : beside
}

/** Never between the halves of one character. */
function pieces(text: string, width: number): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / width) }, (_, at) =>
    characters.slice(at * width, (at + 1) * width).join(''),
  )
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
