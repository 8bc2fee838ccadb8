// Measures the width of a text on a terminal, and cuts it.
import type Table from 'cli-table3'

const ascii = /^[\x20-\x7e]*$/

/** Measures and cuts sanitised texts in terminal columns, as the table itself counts them. */
export interface Ruler {
  widthOf: (text: string) => number
  /** Cuts a text to a width, with an ellipsis as its last column; never inside a character. */
  cut: (text: string, width: number) => string
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
  return { widthOf, cut }
}
