// Which character separates the fields of a CSV text: found in its header, because spreadsheets save what the locale says.
import { type CsvLook, readRecords } from './csv-records.ts'

const candidates = [',', ';', '\t', '|']
/** How a spreadsheet may begin a file: `sep=;` says what separates the fields, and is no header. */
const separatorLine = /^(?:\s*\n)?"?sep=([\t\x20\x21\x23-\x7e])"?\r?\n/i
/** More than any header has; a text without a line end in it is left to the reading of the rows. */
const mostHeadBytes = 64 * 1024
/** How many records are searched for the header: titles may be above it. */
const recordsTried = 4

/**
 * Reads the head of a CSV text and returns the text with its delimiter: the first of comma, semicolon, tab and bar with which
 * a column is a key; without one, that which makes most fields. Delimiters in quotes do not count.
 */
export async function readHead(
  text: AsyncIterable<Buffer>,
  isKey: (name: string) => boolean,
  { delimiter: given, noQuotes }: Partial<CsvLook>,
) {
  const { head, pieces } = await readUntil(text, (head) => splitsOf(head).isEnough)
  const { delimiter, above } = splitsOf(head, true)
  const { end } = readRecords(head, { delimiter, noQuotes, isLenient: true }, { isLast: true, most: above + 1 })
  return {
    head,
    pieces,
    delimiter,
    crlf: head.toString('latin1', end - 2, end) === '\r\n',
    hasSeparatorLine: above > 0,
  }

  function splitsOf(head: Buffer, isLast = false) {
    const separator = separatorLine.exec(head.toString('latin1', 0, 200))?.[1]
    const above = separator === undefined ? 0 : 1
    const known = given ?? separator
    const splits = (known === undefined ? candidates : [known]).map((delimiter) => {
      const look = { delimiter, noQuotes, isLenient: true }
      const { records } = readRecords(head, look, { isLast, most: above + recordsTried })
      return { delimiter, records: records.slice(above).map((record) => ('values' in record ? record.values : [])) }
    })
    // A field with a quote in it may be several fields of another delimiter.
    const withKey = Array.from({ length: recordsTried }, (_, at) =>
      splits.find(({ records }) => records[at]?.some((name) => !name.includes('"') && isKey(name))),
    ).find((split) => split !== undefined)
    const widthOf = ({ records: [first = []] }: (typeof splits)[number]) => first.length
    const widest = splits.reduce((best, split) => (widthOf(split) > widthOf(best) ? split : best))
    const isEnough = withKey !== undefined || splits.every(({ records }) => records.length === recordsTried)
    return { delimiter: (withKey ?? widest).delimiter, above, isEnough }
  }
}

/** Reads on until the head of a text is enough, and returns it with the text from its start. */
export async function readUntil(
  text: AsyncIterable<Buffer>,
  isEnough: (head: Buffer) => boolean,
): Promise<{ head: Buffer; pieces: AsyncIterable<Buffer> }> {
  const source = text[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < mostHeadBytes && !isEnough(head)) {
    const next = await source.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  return { head, pieces: whole() }

  async function* whole() {
    try {
      if (head.length > 0) yield head
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
    } finally {
      await source.return?.()
    }
  }
}
