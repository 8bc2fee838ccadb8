// The sentences of a document, to measure how long they are.

/**
 * Returns the sentences of a document in Markdown.
 *
 * A cell of a table is one, or several with semicolons between them. Blocks of code, generated tables and headings have none; an
 * enumeration of code spans, such as names on the wire, counts as one word.
 */
export function sentencesOf(document: string): string[] {
  const prose = document
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<!-- ([\w-]+) -->[\s\S]*?<!-- \/\1 -->/g, '')
    .replaceAll(/^(?:#|---$|<!--).*$/gm, '')
    .replaceAll(/^\|.*$/gm, cellsOf)
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((block) => block.trim().replaceAll(/\s+/g, ' '))
    .map((block) => block.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/`[^`]*`/g, '`c`'))
    .map((block) => block.replaceAll(/`c`(?:(?:,? ?(?:and|or|to|·|&|\/)?) ?`c`)+/g, '`c`'))
    .flatMap((block) => block.split(/(?<=[.!?]["”)*_]*)\s+/))
    .filter((sentence) => sentence !== '')
}

export function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /\w/.test(word)).length
}

function cellsOf(row: string): string {
  return row.replaceAll(String.raw`\|`, '/').split('|').join('\n\n').replaceAll(/;\s/g, '\n\n')
}
