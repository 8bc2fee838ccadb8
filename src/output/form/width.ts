// Measures the width of a text on a terminal, cuts it and wraps it.
import type Table from 'cli-table3'

const ascii = /^[\x20-\x7e]*$/

/** Measures, cuts and wraps sanitised texts in terminal columns, as the table itself counts them. */
export interface Ruler {
  widthOf: (text: string) => number
  /** Cuts a text to a width, with an ellipsis as its last column; never inside a character. */
  cut: (text: string, width: number) => string
  /** Breaks a text into lines of at most this width: between words, else after punctuation, else between characters. */
  wrap: (text: string, width: number) => string[]
}

/** Makes a ruler from the table library, so that both count the same for wide characters and emoji. */
export function ruler(Library: typeof Table): Ruler {
  const widthOf = (text: string) => {
    if (ascii.test(text)) return text.length
    const alone = new Library({ style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] } })
    alone.push([text])
    // Without the table's left and right border.
    return alone.width - 2
  }
  const cut = (text: string, width: number) => {
    if (widthOf(text) <= width) return text
    let kept = ''
    let taken = 0
    for (const { segment } of new Intl.Segmenter('en').segment(text)) {
      taken += widthOf(segment)
      if (taken > width - 1) break
      kept += segment
    }
    return `${kept}…`
  }
  const wrap = (text: string, width: number) => {
    const lines: string[] = []
    let line = ''
    for (const word of text.split(' ')) {
      const joined = line === '' ? word : `${line} ${word}`
      if (widthOf(joined) <= width) line = joined
      else {
        if (line !== '') lines.push(line)
        line = word
        while (widthOf(line) > width) {
          const head = headOf(line, width)
          lines.push(head)
          line = line.slice(head.length)
        }
      }
    }
    return [...lines, line]
  }
  return { widthOf, cut, wrap }

  /** At least one character, or a wide one would never end. */
  function headOf(word: string, width: number): string {
    let head = ''
    for (const { segment } of new Intl.Segmenter('en').segment(word)) {
      if (head !== '' && widthOf(head + segment) > width) break
      head += segment
    }
    return head.match(/^.*[_./,;:](?=.)/s)?.[0] ?? head
  }
}
