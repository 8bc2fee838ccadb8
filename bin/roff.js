// The little of roff that manual pages take. Source: man(7) of groff and of mandoc.

const special = { '\\': '\\(rs', '-': '\\-', "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti', '"': '\\(dq' }

/** Gives a text as roff prints it unchanged: what a shell would read stays ASCII, everything beyond is a code point. */
export function escaped(text) {
  return text
    .replace(/[\\\-'`^~"]/g, (character) => special[character])
    .replace(
      /[^\n\x20-\x7e]/gu,
      (character) => `\\[u${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** Gives a text of people's language on a line of its own; what stands in backquotes is bold. */
export function prose(text) {
  const pieces = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/`([^`]+)`/)
  return guarded(pieces.map((piece, at) => (at % 2 === 1 ? bold(piece) : escaped(piece))).join(''))
}

/** Keeps a line from being taken for a request. */
export function guarded(line) {
  return /^[.']/.test(line) ? `\\&${line}` : line
}

/** Gives a text in bold, as what is typed. */
export function bold(text) {
  return `\\fB${escaped(text)}\\fR`
}

/** Gives a text in italics, as what stands for something else. */
export function italic(text) {
  // A long list of choices may break between two of them.
  return `\\fI${escaped(text).replaceAll('|', '|\\:')}\\fR`
}

/** A section with its lines. */
export function section(title, ...lines) {
  return [`.SH ${title}`, ...lines.flat()]
}

/** A term, and what it is, indented below it. */
export function entry(term, about) {
  return ['.TP', guarded(term), prose(about)]
}

/** Lines that are printed as they are. */
export function verbatim(lines) {
  return ['.RS 4', '.nf', ...lines.map((line) => guarded(escaped(line))), '.fi', '.RE']
}
