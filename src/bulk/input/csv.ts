// Rows of a CSV file with a header line.
import { readHead } from './csv-delimiter.ts'
import { type CsvRecord, csvRecords } from './csv-records.ts'
import { inputError } from './input-error.ts'
import { findKey } from './key-column.ts'
import type { BadRow, Row } from './row.ts'
import { rowsFromTable, rulesOf, type TableOptions } from './table.ts'

export interface CsvOptions extends TableOptions {
  /** One ASCII character; absent: found in the header. */
  delimiter?: string
}

/**
 * Reads the rows of a CSV text in their order, every value exactly as written.
 *
 * A row that breaks a rule is yielded as a `BadRow` and the reading continues after it, unless it is `final`. Blank lines
 * are skipped. Throws as `rowsFromTable`.
 */
export async function* rowsFromCsv(
  text: AsyncIterable<Buffer>,
  options: CsvOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  const rules = await rulesOf(options)
  const headings = options.headings ?? [[options.column]]
  const isKey = (name: string) =>
    name === options.orColumn || rules.names.has(name) || findKey([name], headings) !== undefined
  const { head, pieces, delimiter, crlf, hasSeparatorLine } = await readHead(text, isKey, options)
  // Checked here, because the parser would only report the quotes.
  if (beginsJson(head.toString()))
    throw inputError(`${options.name} is JSON, not CSV`, '--input-format json, or jsonl with one object a line')
  const records = csvRecords(pieces, { delimiter, noQuotes: options.noQuotes })
  yield* rowsFromTable(hasSeparatorLine ? withoutFirst(records) : records, rules, options, { delimiter, crlf })
}

async function* withoutFirst(blocks: AsyncIterable<(CsvRecord | BadRow)[]>): AsyncGenerator<(CsvRecord | BadRow)[]> {
  let isFirst = true
  for await (const block of blocks) {
    yield isFirst ? block.slice(1) : block
    isFirst &&= block.length === 0
  }
}

/** Returns whether a text begins as JSON of rows does, and no CSV. */
export function beginsJson(head: string): boolean {
  return /^\s*(\[\s*)?\{\s*"/.test(head) || /^\s*\[\s*[["]/.test(head)
}
