// Texts of promo's own, broken at a width: help, questions, notices. Tables have a ruler for wide characters (output/form/width.ts).

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
