// The CSV file of an import, read and checked like the rows of any command, and written as the service takes it.
// Source: docs/service/async-actions.md#csv-imports.

import { listNames } from '../../../base/name-list.ts'
import { formatCount } from '../../../base/numbers.ts'
import { readRows } from '../../../bulk/input/input.ts'
import { excerpt, inputError } from '../../../bulk/input/input-error.ts'
import { keyProblem } from '../../../bulk/input/key.ts'
import { foldTitle, headingsFor } from '../../../bulk/input/key-column.ts'
import { type BadRow, isBad, placeOf, type Row } from '../../../bulk/input/row.ts'
import { sourceName } from '../../../bulk/input/source.ts'
import { spool } from '../../../bulk/input/spool.ts'
import { csvMember, isMoney } from '../../../contract/bulk.ts'
import { newVoucher } from '../../../contract/new-voucher.ts'
import { EXIT, PromoError, usageError } from '../../../errors.ts'
import type { csvFileFlags, globalFlags, serviceFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import type { Reader } from '../../request/body.ts'
import { type FieldReader, fieldReader } from '../../request/body.ts'
import { fileLimitBytes } from '../../request/input-text.ts'
import { mappedNames } from '../../request/row-columns.ts'
import { type WrittenValues, writtenValues } from '../../request/written-values.ts'
import type { Messages } from '../../result/messages.ts'

/** A file to import. */
export interface CsvFile {
  content: string
  /** How many rows it has: `3 rows`. */
  rows: string
}

/** What the service reads of a file. Columns are known whatever their case. */
export interface ImportedCsv {
  columns: readonly string[]
  required: readonly string[]
  /** The column that says what a row is about, and what that is. */
  key: string
  of: string
}

/** How the file is read, as flags. */
type FileFlags = ValuesOf<typeof csvFileFlags & Pick<typeof serviceFlags, 'profile'> & typeof globalFlags>

/**
 * Reads a file as rows, `-` being stdin, and returns what is sent: the rows that were checked, with commas and the names that
 * the service has for its columns. A day becomes the instant that a body would have; a row that equals another is sent once.
 *
 * Throws `input` (exit 2) for a file that cannot be read, for one without a column that is needed, of which the one of the key
 * is one, and for bad rows. `otherwise` is what to do with a file that has another header.
 */
export async function csvFrom(
  path: string,
  flags: FileFlags,
  run: Reader & { show: Messages },
  { columns, required, key, of }: ImportedCsv,
  otherwise?: string,
): Promise<CsvFile> {
  const name = sourceName(path)
  const { say, warn } = run.show
  const known = new Map(columns.map((column) => [foldTitle(column), column]))
  const ignored = new Set(flags['ignore-columns'])
  const ignoresOthers = ignored.delete('others')
  const missing = (names: readonly string[]) =>
    missingColumns(
      name,
      names,
      [...new Set([...required, key])].filter((one) => !names.includes(one)),
      otherwise,
    )
  let sheet: string | undefined
  const place = (line: number) => placeOf(line, { sheet })
  const found = readRows({
    from: path,
    stdin: run.host.stdin,
    signal: run.host.stop,
    limitBytes: fileLimitBytes,
    ...(flags.sheet !== undefined && { sheet: flags.sheet }),
    timeZone: async () => (await run.clock()).timeZone,
    ...(flags.delimiter !== undefined && { delimiter: flags.delimiter }),
    ...(flags.encoding && { encoding: flags.encoding }),
    ...(flags.trim && { trim: true }),
    ...(flags['no-quotes'] && { noQuotes: true }),
    ...(flags['as-written'] && { asWritten: true }),
    rules: async () => ({
      names: mappedNames(flags.map),
      fieldOf: (title) => known.get(foldTitle(title)),
      ignored,
      leavesOut: (field) => ignoresOthers && !columns.includes(field),
    }),
    column: key,
    headings: headingsFor(of, key),
    columnGiven: false,
    checkKey: keyProblem,
    missing,
    onLayout: (layout) => {
      sheet = layout.sheet
      if (required.some((one) => !layout.columns.includes(one))) throw missing(layout.columns)
    },
    assumed: say,
  })
  const reader = await fieldReader(newVoucher, flags, run, flags)
  const written = writtenValues(flags)
  const rows = await spool(checkCells(found, columns, reader, written, place), {
    name: path,
    placeOf: place,
    onDuplicate: 'fold-identical',
  })
  if (rows.count === 0) throw inputError(`${name} has no rows`, 'the first line is the header, and the rows follow it')
  for (const warning of rows.warnings) warn(`warning: ${warning}`)
  if (rows.duplicates > 0) say(`${name}: ${formatCount(rows.duplicates, 'row')} deduplicated`)
  const fields = [...rows.rows()].map((row) => row.fields)
  const header = [...new Set(fields.flatMap(Object.keys))]
  if (required.some((one) => !header.includes(one))) throw missing(header)
  for (const column of header) {
    const row = fields.find((one) => columns.includes(column) && one[column] && isMoney(memberOf(column, one) ?? ''))
    if (row) say(`the column "${column}" is in major units, not in cents: ${row[column] as string}`)
  }
  const records = [header, ...fields.map((row) => header.map((column) => (row[column] as string | undefined) ?? ''))]
  const content = records.map((values) => `${values.map(quoteCell).join(',')}\n`).join('')
  return { content, rows: formatCount(rows.count, 'row') }
}

function missingColumns(name: string, names: readonly string[], missing: readonly string[], otherwise?: string): Error {
  const maps = missing.map((column) => `--map NAME=${column}`).join(' ')
  const each = missing.length === 1 ? '' : 'each '
  return inputError(
    `${name} has no column ${missing.map(excerpt).join(' and no column ')}; its first line names ${listNames(names.map(excerpt), 20)}`,
    otherwise ?? `${maps}, ${each}with one of the names above`,
  )
}

/** Gives every cell the value that is sent, and turns a row with one that cannot be read into a bad row. */
async function* checkCells(
  rows: AsyncIterable<Row | BadRow>,
  columns: readonly string[],
  reader: FieldReader,
  written: WrittenValues,
  placeOf: (line: number) => string,
): AsyncGenerator<Row | BadRow> {
  for await (const row of rows) {
    if (isBad(row)) {
      yield row
      continue
    }
    try {
      const { fields } = row
      for (const column of Object.keys(fields))
        fields[column] = cellOf(column, fields, columns.includes(column) ? reader : undefined, written)
      yield row
    } catch (error) {
      if (!(error instanceof PromoError && error.exitCode === EXIT.usage)) throw error
      const { hint } = error.facts
      const bad = { line: row.line, rule: 'request', message: `${placeOf(row.line)}: ${error.message}` } as const
      yield { ...bad, fields: row.fields, ...(hint !== undefined && { remedy: hint }) }
    }
  }
}

/** Metadata is sent as it is. */
function cellOf(
  column: string,
  fields: Row['fields'],
  reader: FieldReader | undefined,
  written: WrittenValues,
): string {
  const given = (fields[column] ?? '') as string | number | boolean | object
  if (typeof given === 'object') throw usageError(`"${column}" is a list or an object; a cell can only hold a text`)
  const text = `${given}`
  const member = memberOf(column, fields)
  if (text === '' || member === undefined || reader === undefined) return text
  if (isMoney(member)) {
    const amount = written.number(text) ?? text
    if (/^-?\d{1,12}(\.\d{1,2}0*)?$/.test(amount)) return amount
    const hint = amount.includes(',') ? '--decimal ,' : undefined
    throw usageError(`"${column}" takes an amount in major units, like 14.50, not "${text}"`, hint)
  }
  const value = String(reader.valueAt(member.split('.'), text))
  if (!member.endsWith('_date') || /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(value))
    return value
  throw usageError(`"${column}" takes a time like 2026-12-31 or 2026-12-31T10:00:00Z, not "${text}"`)
}

function memberOf(column: string, fields: Row['fields']): string | undefined {
  return csvMember(column, { voucher: fields['Voucher Type'], discount: fields['Discount Type'] })
}

function quoteCell(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
