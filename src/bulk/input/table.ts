// Rows of a table: a header record, and the records under it, whether CSV or a sheet has them.
import type { CsvForm } from '../../base/csv-form.ts'
import { withoutMark } from '../../base/spreadsheet-shapes.ts'
import { type CellOptions, type CellReader, cellReader } from './cells.ts'
import { assumption, type ColumnRules, type KeptColumn, keptColumns, type RowOptions } from './columns.ts'
import { headerFrom } from './csv-header.ts'
import { excerpt, inputError } from './input-error.ts'
import { isReportColumn, stateColumn, wasApplied } from './report-columns.ts'
import { type BadRow, checkRow, type Fields, listedRow, placeOf, type Row } from './row.ts'

/** What a report needs to know to be written as the input was. */
export interface InputLayout {
  columns: string[]
  /** The columns as the header writes them, where they are read under other names. */
  titles?: string[]
  /** Absent for an input that is not CSV. */
  form?: InputForm
  /** The sheet of a workbook that they are in. */
  sheet?: string
}

export type InputForm = Pick<CsvForm, 'delimiter' | 'crlf'>

export interface TableOptions extends RowOptions, CellOptions {
  /** Receives the columns in their order, without those that a report added, and how the file is written down. */
  onLayout?: (layout: InputLayout) => void
}

/** A cell of a sheet that is no text. */
export interface TypedCell {
  /** What it shows, as CSV would have it; absent: the cell can only be left out. */
  text?: string
  /** What it is where a field may be anything, as in metadata; absent: the text. */
  value?: number | boolean
  /** The key that it shows; absent: a spreadsheet may have made it of another. */
  key?: string
  /** Why it is no key, and without a text no field. */
  problem: string
}

export type Cell = string | TypedCell

export interface TableRecord {
  line: number
  /** Records of a sheet may be shorter than the header: the rest is empty. */
  values: readonly Cell[]
}

/**
 * Reads the rows of a table in their order. Rows of empty cells are skipped, and so are the columns that a report of a job
 * added. The apostrophe with which a spreadsheet marks a text is no part of it. A record that breaks a rule is passed on; before the header it is the last. Throws `input` for a header that cannot be used, and for
 * a table without one.
 */
export async function* rowsFromTable(
  records: AsyncIterable<Iterable<TableRecord | BadRow>>,
  rules: ColumnRules,
  options: TableOptions,
  form?: InputForm,
): AsyncGenerator<Row | BadRow, void, undefined> {
  let header: Header | undefined
  const titles: { line: number; error: unknown }[] = []
  const cells = cellReader(options)
  for await (const several of records) {
    for (const record of several) {
      if (isBlank(record, options)) continue
      if (header) yield 'rule' in record ? record : rowFrom(record, header, cells, rules, options, form)
      else if ('rule' in record) {
        yield { ...record, final: true }
        return
      } else {
        header = await readHeader(record, rules, options, form).catch((error: unknown) => {
          if (titles.length === mostTitles || !isTitle(record)) throw titles[0]?.error ?? error
          titles.push({ line: record.line, error })
          return undefined
        })
        if (header && titles.length > 0) {
          const above = titles.map(({ line }) => placeOf(line, options)).join(', ')
          const what = titles.length === 1 ? 'is a title' : 'are titles'
          options.assumed?.(`${above} ${what}; the header is ${placeOf(record.line, options)}`)
        }
      }
    }
  }
  if (titles[0] && !header) throw titles[0].error
  if (!header) throw inputError(`${options.name} has only blank lines`)
}

/** How many lines of words may stand above the header. */
const mostTitles = 3

/** Words above a table are in one cell. */
function isTitle({ values }: TableRecord): boolean {
  return values.filter((value) => textOf(value).trim() !== '').length === 1
}

async function readHeader(
  { values }: TableRecord,
  rules: ColumnRules,
  options: TableOptions,
  form: InputForm | undefined,
): Promise<Header> {
  const titles = values.map((title) => (options.asWritten ? textOf(title) : withoutMark(textOf(title))))
  const header = await headerOf(titles, rules, options)
  const { isAssumed, listed, keysAt } = header
  if (isAssumed && !listed) options.assumed?.(assumption(titles[keysAt[0] ?? 0] ?? '', options.column))
  const read = header.columns.filter(({ at }, index, all) => all.findIndex((one) => one.at === at) === index)
  hearColumns(
    [...read, ...header.ignored].toSorted((a, b) => a.at - b.at),
    form,
    options,
  )
  return header
}

/** Returns the rules of an input, which leave out nothing where it has none. */
export async function rulesOf({ rules }: TableOptions): Promise<ColumnRules> {
  return (await rules?.()) ?? { names: new Map(), ignored: new Set(), leavesOut: () => false }
}

/** The columns whose values are kept, and how many fields a record has. */
interface Header {
  columns: KeptColumn[]
  /** The columns that nothing reads, but the report of a job. */
  ignored: KeptColumn[]
  titles: readonly string[]
  length: number
  /** Where in a record the key is: in the first of these that is not empty. */
  keysAt: number[]
  /** The key column has another title than the command calls it. */
  isAssumed: boolean
  /** Where the report of a job has the outcome of a row; -1: it is no report. */
  stateAt: number
  /** Reads the rows of a list that promo wrote about something else; the columns that these had. */
  listed?: {
    read: (values: readonly Cell[]) => Fields | string | undefined
    /** The columns of the list, none of which has the name of a field. */
    columns: KeptColumn[]
    fields: Set<string>
  }
  /** The error that there is no key column, for the first row that needs it. */
  missing?: unknown
}

interface FoundKey {
  keysAt: number[]
  isAssumed?: true
  missing?: unknown
}

/** A key column that was found under another title is called what the command calls it. */
async function headerOf(titles: readonly string[], rules: ColumnRules, options: TableOptions): Promise<Header> {
  const kept = keptColumns(titles, rules, options.name)
  const { ofList } = rules
  const isList = ofList !== undefined && kept.some(({ title }) => title === 'object')
  const names = kept.map(({ name }) => name)
  // In a list, each row shows whether the key is missed.
  const found: FoundKey = await headerFrom(names, options).catch((missing: unknown) => {
    if (!isList) throw missing
    return { keysAt: [], missing }
  })
  const { keysAt, isAssumed = false, missing } = found
  const [first] = keysAt
  const named = kept.flatMap((column, at): KeptColumn[] => {
    if (at !== first) return [column]
    const key = isAssumed ? { ...column, name: options.column } : column
    const also = rules.alsoField?.(column.title)
    const isFree = also !== key.name && !kept.some((other) => other !== column && other.name === also)
    return also !== undefined && isFree ? [key, { ...column, name: also }] : [key]
  })
  const all = named.map(({ name }) => name)
  const keys = keysAt.flatMap((at) => kept[at]?.at ?? [])
  const columns = named.filter(
    ({ name, at }) => keys.includes(at) || (!isReportColumn(name) && !rules.leavesOut(name, all, 'csv')),
  )
  const at = (title: string) => kept.find((column) => column.title === title)?.at ?? -1
  return {
    columns,
    ignored: ignoredIn(
      titles,
      columns,
      columns.map(({ name }) => name),
    ),
    titles,
    length: titles.length,
    keysAt: keys,
    isAssumed,
    stateAt: titles.indexOf(stateColumn),
    ...(isList && {
      listed: {
        read: (values) => ofList((title) => textOf(values[at(title)])),
        columns: ignoredIn(titles, [], [options.column, options.orColumn ?? options.column, ...rules.names.values()]),
        fields: new Set<string>(),
      },
    }),
    ...(missing !== undefined && { missing }),
  }
}

/** Returns the columns of a header that are not read; one whose title is empty, or the name of a field, has its place in its name. */
function ignoredIn(titles: readonly string[], read: readonly KeptColumn[], fields: readonly string[]): KeptColumn[] {
  const taken = new Set(fields)
  return titles.flatMap((title, at) => {
    if (isReportColumn(title) || read.some((column) => column.at === at)) return []
    const name = title === '' || taken.has(title) ? `${title} (column ${at + 1})`.trim() : title
    taken.add(name)
    return [{ name, title, at }]
  })
}

/** Spreadsheets write rows that were emptied as delimiters alone. */
function isBlank(record: TableRecord | BadRow, { trim = false }: TableOptions): boolean {
  return !('rule' in record) && record.values.every((value) => (trim ? textOf(value).trim() : textOf(value)) === '')
}

function rowFrom(
  { line, values: written }: TableRecord,
  header: Header,
  cells: CellReader,
  rules: ColumnRules,
  options: TableOptions,
  form: InputForm | undefined,
): Row | BadRow {
  const place = placeOf(line, options)
  const count = form ? written.length : Math.max(header.length, written.findLastIndex((cell) => cell !== '') + 1)
  if (count !== header.length) {
    const shown = excerpt(written.map(textOf).join(form?.delimiter ?? ' '))
    return {
      line,
      rule: 'fields',
      message: `${place}: has ${countFields(count)}, the header has ${header.length}: ${shown}`,
    }
  }
  const isRead = (at: number) => header.listed !== undefined || header.columns.some((column) => column.at === at)
  const values = written.map((cell, at) =>
    typeof cell === 'string' && cell.startsWith("'") ? cells.read(cell, header.titles[at], isRead(at)) : cell,
  )
  const listed = header.listed?.read(values)
  if (listed !== undefined) {
    if (typeof listed !== 'string') hearListed(Object.keys(listed), header, form, options)
    return listedRow(line, listed, options, besides(written, header.listed?.columns ?? []))
  }
  if (header.missing !== undefined) throw header.missing
  const [first = 0] = header.keysAt
  const keyAt = header.keysAt.find((at) => textOf(values[at]) !== '') ?? first
  const columnAt = (at: number, name: string) => `${place}, column ${at + 1} (${excerpt(name)})`
  const fields: Fields = Object.create(null)
  let damaged: BadRow | undefined
  for (const { name, at } of header.columns) {
    const cell = values[at] ?? ''
    // A text of a sheet is one: only in a text file may it be what is left of another.
    const damage =
      form && (at === keyAt || rules.sends?.(name) !== false) && cells.damage(written[at] as string, at === keyAt, name)
    if (damage && !damaged) {
      const message = `${columnAt(at, name)}: ${damage.problem}: ${excerpt(written[at] as string)}`
      damaged = { line, column: at + 1, rule: 'damaged', message, fields, remedy: damage.remedy }
    }
    if (typeof cell === 'string') fields[name] = cell
    else {
      const text = header.keysAt.includes(at) ? cell.key : cell.text
      if (text === undefined)
        return { line, column: at + 1, rule: 'cell', message: `${columnAt(at, name)}: ${cell.problem}` }
      fields[name] = text
    }
    if (form === undefined && rules.takesAny?.(name))
      putTyped(fields, name, typeof cell === 'string' ? cell : (cell.value ?? cell.text))
  }
  const ignored = header.ignored.length === 0 ? undefined : besides(written, header.ignored)
  if (damaged) return { ...damaged, ignored }
  const name = header.columns.find(({ at }) => at === keyAt)?.name ?? options.column
  const row = {
    line,
    key: fields[name] as string,
    fields,
    ignored,
    ...(written[keyAt] !== values[keyAt] && { isMarked: true as const }),
    ...(wasApplied(textOf(values[header.stateAt])) && { wasApplied: true as const }),
  }
  return checkRow(row, options, columnAt(keyAt, name), keyAt + 1)
}

/** Puts a value below the names of its path, so that a text stays one where CSV would be read as a number. */
function putTyped(fields: Fields, path: string, value: unknown): void {
  if (value === '') return
  const names = path.split('.')
  const last = names.pop() as string
  let place = fields
  for (const name of names) {
    place[name] ??= Object.create(null)
    // A column of the name has it all, as JSON.
    if (typeof place[name] !== 'object') return
    place = place[name] as Fields
  }
  delete fields[path]
  place[last] = value
}

/** What a cell shows. */
function textOf(cell: Cell | undefined): string {
  if (cell === undefined || typeof cell === 'string') return cell ?? ''
  return cell.key ?? cell.text ?? cell.problem
}

/** Returns the values of some columns as they are written. */
function besides(written: readonly Cell[], columns: readonly KeptColumn[]): Fields {
  const fields: Fields = Object.create(null)
  for (const { name, at } of columns) fields[name] = textOf(written[at])
  return fields
}

/** A row of a list has what was read of it, and the columns of the list; so has the report of its job. */
function hearListed(
  names: readonly string[],
  { listed }: Header,
  form: InputForm | undefined,
  options: TableOptions,
): void {
  if (listed === undefined || names.every((name) => listed.fields.has(name))) return
  for (const name of names) listed.fields.add(name)
  hearColumns(
    [...[...listed.fields].map((name) => ({ name })), ...listed.columns].map(({ name }) => ({ name, title: name })),
    form,
    options,
  )
}

function hearColumns(
  columns: readonly Omit<KeptColumn, 'at'>[],
  form: InputForm | undefined,
  { onLayout, sheet }: TableOptions,
): void {
  onLayout?.({
    columns: columns.map(({ name }) => name),
    ...(columns.some(({ name, title }) => name !== title) && { titles: columns.map(({ title }) => title) }),
    ...(form && { form }),
    ...(sheet !== undefined && { sheet }),
  })
}

function countFields(fields: number): string {
  return fields === 1 ? '1 field' : `${fields} fields`
}
