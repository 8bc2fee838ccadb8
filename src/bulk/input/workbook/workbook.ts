// Rows of a workbook (xlsx): the records of one sheet, in flat memory. Source: ECMA-376-1, 18.2 to 18.8.
import { formatCount } from '../../../base/numbers.ts'
import { isTimeZone, type TimeZone, timeZoneOf } from '../../../base/time/time-zone.ts'
import { maxColumns } from '../csv-header.ts'
import { excerpt, inputError, visible } from '../input-error.ts'
import { type BadRow, maxRecordBytes, placeOf, type Row } from '../row.ts'
import { type Cell, rowsFromTable, rulesOf, type TableOptions, type TableRecord } from '../table.ts'
import { type Archive, asCsv, openArchive, pathFrom, resave, throwDamaged } from './archive.ts'
import { type CellContext, type NumberStyle, numberStyle, readCell, type StoredCell } from './cells.ts'
import { append, decodeCharacters, readXml, type XmlHandlers } from './xml.ts'

export interface WorkbookOptions extends TableOptions {
  /** The sheet that is read; absent: the first with rows. */
  sheet?: string
  /** Returns the zone of times in cells that do not say theirs. */
  timeZone?: () => Promise<string>
}

const MiB = 1024 * 1024
/** How long a workbook may be, and the files inside it once they are inflated. */
const limits = { workbook: 64 * MiB, sheet: 1024 * MiB, texts: 64 * MiB, other: 4 * MiB }
const mostColumns = 16_384
const mostRows = 1_048_576
/** How many sheets are named where none has the title that was asked for. */
const mostTitles = 20

/**
 * Reads the rows of a sheet in their order; the line of each is its row in the sheet.
 *
 * Throws `input` for what is no workbook, for one that is damaged, hostile or too large, and as `rowsFromTable`.
 */
export async function* rowsFromWorkbook(
  pieces: AsyncIterable<Buffer>,
  options: WorkbookOptions,
): AsyncGenerator<Row | BadRow, void, undefined> {
  const { name, assumed } = options
  const bytes = await bytesOf(pieces, name)
  mustBeWorkbook(bytes, name)
  const archive = await openArchive(bytes, name)
  const book = await readBook(archive, name)
  const rules = await rulesOf(options)
  const zone = await options.timeZone?.()
  for (const sheet of chosenSheets(book, options)) {
    const records = recordsOf(archive, book, sheet, options, zone)
    const first = await records.next()
    if (first.done) continue
    const visibleSheets = book.sheets.filter(({ isHidden }) => !isHidden)
    if (options.sheet === undefined && visibleSheets.length > 1)
      assumed?.(`sheet ${excerpt(sheet.title)} of ${name} is read; --sheet NAME reads another`)
    yield* rowsFromTable(after(first.value, records), rules, { ...options, sheet: sheet.title })
    return
  }
  throw inputError(
    options.sheet === undefined
      ? `${name} has no sheet with rows`
      : `sheet ${excerpt(options.sheet)} of ${name} is empty`,
  )
}

async function bytesOf(pieces: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const all: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > limits.workbook) throw inputError(`${name} is longer than ${limits.workbook / MiB} MiB`, asCsv)
    all.push(piece)
  }
  return Buffer.concat(all)
}

async function* after<Value>(first: Value, others: AsyncIterable<Value>): AsyncGenerator<Value> {
  yield first
  yield* others
}

function mustBeWorkbook(bytes: Buffer, name: string): void {
  const head = bytes.toString('latin1', 0, 200)
  if (head.startsWith('PK')) {
    if (head.includes('mimetypeapplication/vnd.oasis'))
      throw inputError(`${name} is an OpenDocument file, not an Excel workbook`, resave)
    return
  }
  if (head === '') throw inputError(`${name} is empty`)
  if (head.startsWith('\xd0\xcf\x11\xe0')) {
    throw inputError(`${name} is an old Excel workbook (xls), or one with a password`, resave)
  }
  throw inputError(`${name} is not an Excel workbook, though it is named like one`, '--input-format csv, if it is text')
}

interface Sheet {
  title: string
  path: string
  isHidden: boolean
}

interface Book {
  sheets: Sheet[]
  styles: NumberStyle[]
  texts: string[]
  from1904: boolean
}

async function readBook(archive: Archive, name: string): Promise<Book> {
  const book: Book = { sheets: [], styles: [], texts: [], from1904: false }
  const root = (await relationsOf('')).find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  if (root.endsWith('.bin')) throw inputError(`${name} is a binary workbook (xlsb)`, resave)
  const relations = await relationsOf(root)
  const byId = new Map(relations.map((relation) => [relation.id, relation]))
  const paths = new Set<string>()
  const findPath = (type: string) => relations.find((relation) => relation.type === type)?.path
  await read(root, limits.other, {
    open(tag, attributes) {
      if (tag === 'workbookPr') book.from1904 = /^(?:1|true)$/.test(attributes().date1904 ?? '')
      if (tag !== 'sheet') return
      const { name: title = '', id, state = 'visible' } = attributes()
      const relation = byId.get(id ?? '')
      // A sheet of charts or macros has no cells.
      if (relation?.type !== 'worksheet') return
      // One long sheet under many titles would be inflated for each.
      if (paths.has(relation.path)) throw new Error('two of its sheets are the same file')
      paths.add(relation.path)
      book.sheets.push({ title: decodeCharacters(title), path: relation.path, isHidden: state !== 'visible' })
    },
  })
  const styles = findPath('styles')
  if (styles !== undefined) await read(styles, limits.other, styleReader(book.styles))
  const texts = findPath('sharedStrings')
  if (texts !== undefined)
    await read(
      texts,
      limits.texts,
      textReader((text) => book.texts.push(text)),
    )
  return book

  async function relationsOf(path: string) {
    const all: { id: string; type: string; path: string }[] = []
    const file = path.replace(/[^/]*$/, (last) => `_rels/${last}.rels`)
    if (!archive.has(file)) return all
    await read(file, limits.other, {
      open(tag, attributes) {
        if (tag !== 'Relationship') return
        const { Id = '', Type = '', Target = '', TargetMode } = attributes()
        // What is elsewhere is never read.
        if (TargetMode !== 'External')
          all.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: pathFrom(path, Target) })
      },
    })
    return all
  }

  async function read(path: string, limitBytes: number, handlers: XmlHandlers): Promise<void> {
    try {
      for await (const _ of readXml(archive.pieces({ path, limitBytes }), handlers));
    } catch (error) {
      throwDamaged(name, error)
    }
  }
}

/** The text of what may be rich: that of its runs, without how it is pronounced. */
function textReader(onText: (text: string) => void, tag = 'si'): Required<XmlHandlers> {
  let text: string | undefined
  let isText = false
  let isPhonetic = false
  return {
    open(name) {
      if (name === tag) text = ''
      else if (name === 't') isText = text !== undefined && !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    text(found) {
      if (isText) text = append(text ?? '', found)
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === tag) {
        onText(decodeCharacters(text ?? ''))
        text = undefined
      }
    },
  }
}

function styleReader(styles: NumberStyle[]): XmlHandlers {
  const codes = new Map<number, string>()
  let isOfCells = false
  return {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes().numFmtId), attributes().formatCode ?? '')
      else if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) {
        const id = Number(attributes().numFmtId ?? 0)
        styles.push(numberStyle(id, codes.get(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  }
}

function chosenSheets({ sheets }: Book, { sheet, name }: WorkbookOptions): Sheet[] {
  if (sheet === undefined) return sheets.filter(({ isHidden }) => !isHidden)
  const found = sheets.filter(({ title }) => title === sheet)
  if (found.length > 0) return found
  const titles = sheets
    .slice(0, mostTitles)
    .map(({ title }) => excerpt(title))
    .join(', ')
  throw inputError(
    `${name} has no sheet ${excerpt(sheet)}; it has ${titles || 'none'}${sheets.length > mostTitles ? ', …' : ''}`,
    '--sheet NAME, with one of these',
  )
}

/** Yields the filled rows of a sheet, several at a time. */
async function* recordsOf(
  archive: Archive,
  { styles, texts, from1904 }: Book,
  { path, title }: Sheet,
  { name, assumed }: WorkbookOptions,
  zone: string | undefined,
): AsyncGenerator<(TableRecord | BadRow)[]> {
  const zones: (TimeZone | undefined)[] = []
  const context = (at: number): CellContext => ({
    sharedTexts: texts,
    from1904,
    zone: () => zones[at] ?? timeZoneOf(zone ?? 'UTC'),
  })
  let found: (TableRecord | BadRow)[] = []
  let isHeader = true
  let hidden = 0
  let line = 0
  let at = -1
  let values: Cell[] = []
  let length = 0
  let cell: (StoredCell & { style?: NumberStyle | undefined }) | undefined
  let isValue = false
  const inline = textReader((text) => {
    if (cell) cell.text = text
  }, 'is')

  const handlers: XmlHandlers = {
    open(tag, attributes) {
      if (tag === 'row') openRow(attributes())
      else if (tag === 'c') openCell(attributes())
      else if (!cell) return
      else if (tag === 'v') {
        isValue = true
        cell.text = ''
      } else if (tag === 'f') cell.hasFormula = true
      else inline.open(tag, attributes)
    },
    text(text) {
      if (!cell) return
      if (isValue) cell.text = append(cell.text ?? '', text)
      else inline.text(text)
    },
    close(tag) {
      if (tag === 'row') closeRow()
      else if (tag === 'v') isValue = false
      else if (tag === 'c') closeCell()
      else if (cell) inline.close(tag)
    },
  }
  try {
    for await (const _ of readXml(archive.pieces({ path, limitBytes: limits.sheet }), handlers)) {
      if (found.length === 0) continue
      yield found
      found = []
    }
  } catch (error) {
    throwDamaged(name, error)
  }
  if (hidden > 0) assumed?.(`sheet ${excerpt(title)} has ${formatCount(hidden, 'hidden row')}, which are read, too`)

  function openRow({ r, hidden: isHidden }: Record<string, string>): void {
    const next = r === undefined ? line + 1 : Number(r)
    if (!(Number.isInteger(next) && next > line && next <= mostRows))
      throw new Error(`its row ${visible(r ?? '')} does not exist`)
    line = next
    at = -1
    values = []
    length = 0
    if (/^(?:1|true)$/.test(isHidden ?? '')) hidden += 1
  }

  function openCell({ r, s, t }: Record<string, string>): void {
    const next = r === undefined ? at + 1 : columnAt(r)
    if (!(next > at && next < mostColumns)) throw new Error(`its cell ${visible(r ?? '')} does not exist`)
    at = next
    cell = { type: t, hasFormula: false, style: s === undefined ? undefined : styles[Number(s)] }
  }

  function closeCell(): void {
    if (!cell) return
    if (cell.type === 'str' && cell.text !== undefined) cell.text = decodeCharacters(cell.text)
    const value = readCell(cell, cell.style, context(at))
    cell = undefined
    if (value === '') return
    length += typeof value === 'string' ? value.length : 20
    // Empty cells are not stored; a row that is wider than any header is only known to be.
    const place = Math.min(at, maxColumns)
    while (values.length < place) values.push('')
    if (values.length === place) values.push(value)
  }

  function closeRow(): void {
    if (values.length === 0) return
    if (length > maxRecordBytes) {
      const message = `${placeOf(line, { sheet: title })}: is longer than 1 MiB`
      found.push({ line, rule: 'size', message })
    } else found.push({ line, values: isHeader ? values.map(readZone) : values })
    isHeader = false
  }

  /** `expiration_date (Europe/Berlin)`, as promo writes it, says the zone of the times below it. */
  function readZone(title: Cell, column: number): Cell {
    const [, path, named] = (typeof title === 'string' && /^([a-z][\w.]*) \(([A-Za-z][\w+/-]*)\)$/.exec(title)) || []
    if (path === undefined || !isTimeZone(named)) return title
    zones[column] = timeZoneOf(named as string)
    return path
  }
}

/** `AB12` is in column 27, counted from 0. */
function columnAt(address: string): number {
  const [letters = ''] = /^[A-Z]{1,3}(?=[1-9]\d*$)/i.exec(address) ?? []
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
