// Workbooks made of their XML, as spreadsheets and attackers write them.
import { strToU8, zipSync } from 'fflate'

/** The parts of a workbook; what is absent is as every spreadsheet writes it. */
export interface Parts {
  /** The rows of each sheet by its title: the XML inside `sheetData`. */
  sheets: Readonly<Record<string, string>>
  /** Formats of numbers: style 1 is the first, 2 the second. */
  formats?: readonly string[]
  texts?: readonly string[]
  /** Attributes of sheets, such as `state="hidden"`. */
  attributes?: Readonly<Record<string, string>>
  from1904?: boolean
  /** Further files, or other ones, by their paths. */
  files?: Readonly<Record<string, string>>
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Returns the bytes of a workbook. */
export function workbook({
  sheets,
  formats = [],
  texts,
  attributes = {},
  from1904 = false,
  files = {},
}: Parts): Buffer {
  const titles = Object.keys(sheets)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const relations = [
    ...titles.map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
    relation('styles', 'styles', 'styles.xml'),
    ...(texts ? [relation('texts', 'sharedStrings', '/xl/sharedStrings.xml')] : []),
  ]
  const parts: Record<string, string> = {
    '_rels/.rels': `<Relationships xmlns="${packages}">${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}">${relations.join('')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${from1904}"/><sheets>${titles
      .map((title, at) => `<sheet name="${title}" sheetId="${at + 1}" ${attributes[title] ?? ''} r:id="s${at}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      titles.map((title, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetOf(sheets[title] as string)]),
    ),
    ...(texts && { 'xl/sharedStrings.xml': `<sst xmlns="${main}">${texts.join('')}</sst>` }),
    ...files,
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]))))
}

function sheetOf(rows: string): string {
  return `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`
}

/** Returns the XML of a row; cells are texts, or XML of their own. */
export function row(...cells: readonly (string | { xml: string })[]): string {
  return `<row>${cells.map((cell) => (typeof cell === 'string' ? inline(cell) : cell.xml)).join('')}</row>`
}

/** Returns a cell of another type than text: `cell('5')` is the number 5. */
export function cell(value: string, type = 'n', style = 0): { xml: string } {
  return { xml: `<c t="${type}" s="${style}"><v>${value}</v></c>` }
}

function inline(text: string): string {
  return text === ''
    ? '<c/>'
    : `<c t="inlineStr"><is><t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`
}
