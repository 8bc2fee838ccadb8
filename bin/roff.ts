// The little of roff that manual pages take. Source: man(7) of groff and of mandoc.

/** The lines of a page, or of a part of one. */
export type Lines = string[]

const special: Record<string, string> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
}

/** Gives a text as roff prints it unchanged: what a shell would read stays ASCII, everything beyond is a code point. */
export function escaped(text: string): string {
  return text
    .replace(/[\\\-'`^~"]/g, (character) => special[character] ?? character)
    .replace(
      /[^\n\x20-\x7e]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** Gives a text of people's language on a line of its own; what stands in backquotes is bold. */
export function prose(text: string): string {
  const pieces = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/`([^`]+)`/)
  return guarded(pieces.map((piece, at) => (at % 2 === 1 ? bold(piece) : escaped(piece))).join(''))
}

/** Keeps a line from being taken for a request. */
export function guarded(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line
}

/** Gives a text in bold, as what is typed. */
export function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`
}

/** Gives a text in italics, as what stands for something else. */
export function italic(text: string): string {
  // A long list of choices may break between two of them.
  return `\\fI${escaped(text).replaceAll('|', '|\\:')}\\fR`
}

/** A section with its lines. */
export function section(title: string, ...lines: (string | Lines)[]): Lines {
  return [`.SH ${title}`, ...lines.flat()]
}

/** A term, and what it is, indented below it. */
export function entry(term: string, about: string): Lines {
  return ['.TP', guarded(term), prose(about)]
}

/** Lines that are printed as they are. */
export function verbatim(lines: readonly string[]): Lines {
  return ['.RS 4', '.nf', ...lines.map((line) => guarded(escaped(line))), '.fi', '.RE']
}
