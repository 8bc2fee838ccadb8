// Which character separates the fields of a CSV text: found in its header, because spreadsheets save what the locale says.

const candidates = [',', ';', '\t', '|']
/** How a spreadsheet may begin a file: `sep=;` says what separates the fields, and is no header. */
const separatorLine = /^"?sep=([\t\x20\x21\x23-\x7e])"?\r?\n$/i
/** More than any header has; a text without a line end in it is left to the reading of the rows. */
const mostHeadBytes = 64 * 1024

/** A text with what its first line shows. */
export interface Headed {
  /** All pieces, from the first. */
  pieces: AsyncIterable<Buffer>
  delimiter: string
  /** Its first line ends with CRLF. */
  crlf: boolean
}

/**
 * Reads the first line and returns the text with its delimiter: the first of comma, semicolon, tab and bar with which a
 * column is a key; without one, that which makes most fields. Delimiters in quotes do not count.
 */
export async function headed(
  pieces: AsyncIterable<Buffer>,
  isKey: (name: string) => boolean,
  given?: string,
): Promise<Headed> {
  const named = await begun(pieces)
  const separator = separatorLine.exec(named.line)
  const { line: text, pieces: whole } = separator ? await begun(withoutLine(named)) : named
  const first = splitsOf(text)
  const known = given ?? separator?.[1] ?? withKey(first, isKey)
  const crlf = text.endsWith('\r\n')
  if (known !== undefined) return { pieces: whole, delimiter: known, crlf }
  // A title may be above the header.
  const more = await begun(whole, linesTried)
  const below = more.line.split('\n').flatMap((line) => withKey(splitsOf(line), isKey) ?? [])
  const most = first.reduce((best, split) => (split.fields.length > best.fields.length ? split : best))
  return { pieces: more.pieces, delimiter: below[0] ?? most.delimiter, crlf }
}

/** How many lines are searched for the header. */
const linesTried = 4

interface Split {
  delimiter: string
  fields: string[]
}

function splitsOf(line: string): Split[] {
  return candidates.map((delimiter) => ({ delimiter, fields: fieldsOf(line.replace(/\r?\n?$/, ''), delimiter) }))
}

function withKey(splits: readonly Split[], isKey: (name: string) => boolean): string | undefined {
  return splits.find(({ fields }) => fields.some(isKey))?.delimiter
}

/** A text of which the first line that is not blank is known; its first piece holds that line. */
interface Begun {
  pieces: AsyncIterable<Buffer>
  line: string
}

/** Reads on to the end of the first lines that are not blank, and returns them with the text from its start. */
export async function begun(pieces: AsyncIterable<Buffer>, lines = 1): Promise<Begun> {
  const source = pieces[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  let line: string | undefined
  while (line === undefined && head.length < mostHeadBytes) {
    const next = await source.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
    line = firstLines(head.toString('utf8'), lines)
  }
  return { pieces: whole(), line: line ?? head.toString('utf8') }

  async function* whole() {
    try {
      if (head.length > 0) yield head
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
}

/** Leaves the line end of the first line in its place, so that the lines after it keep their numbers. */
async function* withoutLine({ line, pieces }: Begun): AsyncGenerator<Buffer> {
  const lineEnd = line.endsWith('\r\n') ? '\r\n' : '\n'
  let isFirst = true
  for await (const piece of pieces) {
    yield isFirst ? Buffer.from(piece.toString('latin1').replace(line, lineEnd), 'latin1') : piece
    isFirst = false
  }
}

/** Returns the first lines that are not blank, with their line ends; a line end in quotes does not end one. */
function firstLines(text: string, count: number): string | undefined {
  let inQuotes = false
  let start = 0
  let found = ''
  let left = count
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') inQuotes = !inQuotes
    if (text[at] !== '\n' || inQuotes) continue
    const line = text.slice(start, at + 1)
    start = at + 1
    if (line.trim() === '') continue
    found += line
    left -= 1
    if (left === 0) return found
  }
  return undefined
}

/** Splits a header roughly: what is wrong in it is found when the row is parsed. */
function fieldsOf(line: string, delimiter: string): string[] {
  const fields = ['']
  let inQuotes = false
  for (const character of line) {
    if (character === '"') inQuotes = !inQuotes
    else if (character === delimiter && !inQuotes) fields.push('')
    else fields[fields.length - 1] += character
  }
  return fields
}
