// The small part of roff that manual pages need. Source: man(7) of groff and of mandoc.

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

/** Escapes a text so that roff prints it unchanged: shell syntax remains ASCII, everything beyond is a code point. */
export function escaped(text: string): string {
  return text
    .replace(/[\\\-'`^~"]/g, (character) => special[character] ?? character)
    .replace(
      /[^\n\x20-\x7e]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** Returns prose on a line of its own; text in backquotes is bold. */
export function prose(text: string): string {
  const pieces = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/`([^`]+)`/)
  return guarded(pieces.map((piece, at) => (at % 2 === 1 ? bold(piece) : escaped(piece))).join(''))
}

/** Prevents a line from being read as a request. */
export function guarded(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line
}

/** Returns a text in bold, for literal input. */
export function bold(text: string): string {
  return `\\fB${escaped(text)}\\fR`
}

/** Returns a text in italics, for placeholders. */
export function italic(text: string): string {
  // A long list of choices may break between two of them.
  return `\\fI${escaped(text).replaceAll('|', '|\\:')}\\fR`
}

/** Returns a section with its lines. */
export function section(title: string, ...lines: (string | Lines)[]): Lines {
  return [`.SH ${title}`, ...lines.flat()]
}

/** Returns a term with its description indented below it. */
export function entry(term: string, about: string): Lines {
  return ['.TP', guarded(term), prose(about)]
}

/** Returns lines that are printed verbatim. */
export function verbatim(lines: readonly string[]): Lines {
  return ['.RS 4', '.nf', ...lines.map((line) => guarded(escaped(line))), '.fi', '.RE']
}
