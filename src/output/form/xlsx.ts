// A workbook of one sheet (xlsx), written as the rows arrive: texts that no spreadsheet changes, numbers, and dates in a zone.
// Source: ECMA-376-1, 18.2 to 18.8; what it says is read again by bulk/input/workbook.
import { strToU8, Zip, ZipDeflate } from 'fflate'
import { dayMs } from '../../base/duration.ts'
import { withMark, withoutMark } from '../../base/spreadsheet-shapes.ts'
import { sanitize } from '../../base/text/sanitize.ts'
import { isDay } from '../../base/time/day.ts'
import { type TimeZone, timeZoneOf } from '../../base/time/time-zone.ts'
import { usageError } from '../../errors.ts'
import { type Column, kindOf } from '../column.ts'
import { cellText } from './cell.ts'
import { readerOf } from './csv.ts'

export interface WorkbookLook {
  header: boolean
  /** The IANA name of the zone in which times are shown. */
  timeZone: string
  /** The name of the sheet; what a name may not have is left out. */
  title: string
}

const mostRows = 1_048_576
const mostCharacters = 32_767
/** Rows that are measured before the first is written: the widths of columns come before them in the file. */
const measuredRows = 1000
const widest = 60

/**
 * Writes a listing as a workbook, in pieces. With zero objects it has the header alone.
 *
 * Throws `usage` for more rows than a sheet has, and for a text longer than a cell takes; and as the batches.
 */
export async function* workbookBytes(
  batches: AsyncIterable<readonly object[]>,
  columns: readonly Column[],
  { header, timeZone, title }: WorkbookLook,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    ready.push(bytes)
  })
  const open = (path: string): ZipDeflate => {
    const file = new ZipDeflate(path, { level: 6 })
    // Equal results are equal files.
    file.mtime = new Date(1980, 0, 1)
    zip.add(file)
    return file
  }
  for (const [path, xml] of Object.entries(fixedParts(title))) open(path).push(strToU8(xml), true)
  const sheet = open('xl/worksheets/sheet1.xml')
  const { start, rowXml } = sheetWriter(columns, header, timeZone)
  const valuesOf = readerOf(columns.map(({ name }) => name))

  let waiting: string[] | undefined = []
  for await (const batch of batches) {
    const rows = batch.map((object) => rowXml(valuesOf(object)))
    if (waiting) {
      waiting.push(...rows)
      if (waiting.length < measuredRows) continue
      sheet.push(strToU8(start() + waiting.join('')))
      waiting = undefined
    } else sheet.push(strToU8(rows.join('')))
    yield* ready.splice(0)
  }
  sheet.push(strToU8(`${waiting ? start() + waiting.join('') : ''}</sheetData></worksheet>`), true)
  zip.end()
  yield* ready
}

/** The formats of cells, by their place in `cellXfs`. */
const styles = { general: 0, text: 1, instant: 2, day: 3, heading: 4 } as const

function sheetWriter(columns: readonly Column[], header: boolean, timeZone: string) {
  let zone: TimeZone | undefined
  let rows = header ? 1 : 0
  const names = columns.map((_, at) => nameOfColumn(at))
  const widths = columns.map(() => 8)

  const measure = (at: number, length: number) => {
    if (rows <= measuredRows) widths[at] = Math.min(widest, Math.max(widths[at] as number, length + 2))
  }

  const textXml = (at: number, text: string, style: number): string => {
    if (text.length > mostCharacters) {
      const where = `row ${rows}, column "${columns[at]?.name}"`
      throw usageError(`${where} has a text of more than 32,767 characters, which no workbook takes`, '--format csv')
    }
    measure(at, text.length)
    return `<c r="${names[at]}${rows}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
  }

  const numberXml = (at: number, value: number, style: number): string =>
    `<c r="${names[at]}${rows}" s="${style}"><v>${value}</v></c>`

  const cellXml = (value: unknown, at: number): string => {
    const text = cellText(value)
    if (text === '') return ''
    const column = columns[at] as Column
    const kind = kindOf(column)
    if (typeof value === 'boolean') {
      measure(at, 5)
      return `<c r="${names[at]}${rows}" t="b"><v>${Number(value)}</v></c>`
    }
    const isKept = kind === 'identifier' || kind === 'verbatim'
    // A spreadsheet keeps 15 digits of a number.
    if (typeof value === 'number' && !isKept && Math.abs(value) < 1e15 && Number(value.toPrecision(15)) === value) {
      measure(at, text.length)
      return numberXml(at, value, styles.general)
    }
    if (kind === 'time') {
      const days = daysOfInstant(text, () => (zone ??= timeZoneOf(timeZone)))
      if (days !== undefined) {
        measure(at, 19)
        return numberXml(at, days, styles.instant)
      }
    }
    if (kind === 'date' && isDay(text) && daysAt(Date.parse(text)) > 60) {
      measure(at, 10)
      return numberXml(at, daysAt(Date.parse(text)), styles.day)
    }
    const shown = kind === 'verbatim' ? text : sanitize(text, { lines: true })
    // A text that would lose an apostrophe when it is read gets others to lose.
    return textXml(at, withoutMark(shown) === shown ? shown : withMark(shown), styles.text)
  }

  const headings = header
    ? columns.map((column, at) => textXml(at, headingOf(column, timeZone), styles.heading)).join('')
    : ''

  return {
    start: () => `${sheetStart(header, columns, widths)}${header ? `<row r="1">${headings}</row>` : ''}`,
    rowXml: (values: readonly unknown[]): string => {
      rows += 1
      if (rows > mostRows) throw usageError('a sheet has at most 1,048,576 rows', '--format csv')
      return `<row r="${rows}">${values.map(cellXml).join('')}</row>`
    },
  }
}

/** A time says its zone, by which it is an instant again when it is read. */
function headingOf(column: Column, timeZone: string): string {
  const { name, title = name } = column
  return sanitize(kindOf(column) === 'time' ? `${title} (${timeZone})` : title)
}

function sheetStart(header: boolean, columns: readonly Column[], widths: readonly number[]): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const cols = columns.map((column, at) => {
    const kind = kindOf(column)
    // What is typed below the last code stays a text, too.
    const style = kind === 'identifier' || kind === 'verbatim' ? styles.text : styles.general
    return `<col min="${at + 1}" max="${at + 1}" width="${widths[at]}" style="${style}" customWidth="1"/>`
  })
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${header ? pane : ''}</sheetView></sheetViews>${
    cols.length > 0 ? `<cols>${cols.join('')}</cols>` : ''
  }<sheetData>`
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/

/** Returns the days of a date cell; undefined for what it cannot say exactly, as an hour that the clock shows twice. */
function daysOfInstant(text: string, zone: () => TimeZone): number | undefined {
  const ms = instant.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) return undefined
  const { wallAt, instantAt } = zone()
  const wallMs = wallAt(ms)
  const days = daysAt(wallMs)
  return instantAt(wallMs) === ms && days > 60 && days < 2_958_466 ? days : undefined
}

/** Days since 1899-12-30, as spreadsheets count them from 1 March 1900. */
function daysAt(wallMs: number): number {
  return wallMs / dayMs + 25_569
}

/** Column 27, counted from 0, is `AB`. */
function nameOfColumn(at: number): string {
  return (at >= 26 ? nameOfColumn(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))
}

// In Unicode mode only half of a surrogate pair matches, never a pair.
const special = /[&<>\p{Cs}\ufffe\uffff]|[^\P{Cc}\t\n]|_(?=x[0-9a-f]{4}_)/giu

/** A character that XML has not is written as its number, and so is a text that looks like that. */
function escapeText(text: string): string {
  return text.replace(special, (found) => {
    if (found === '&') return '&amp;'
    if (found === '<') return '&lt;'
    if (found === '>') return '&gt;'
    return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  })
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The files of a workbook beside its sheet. */
function fixedParts(title: string): Record<string, string> {
  const name = escapeText(
    title
      .replace(/[[\]:*?/\\'"]/g, ' ')
      .slice(0, 31)
      .trim() || 'promo',
  )
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${[
      0, 49, 164, 165,
    ]
      .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
      .join(
        '',
      )}<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`,
  }
}
