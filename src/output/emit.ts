// The only code that writes results. The format decides decoration, never meaning: docs/command-line.md#formats.
import { styleText } from 'node:util'
import { isRawNumber } from '../base/lossless-json.ts'
import { sanitize } from '../base/text/sanitize.ts'
import { wrapText } from '../base/text/wrapped.ts'
import { batchesOf, untilAborted } from './batches.ts'
import { checkShape, didYouMean } from './check.ts'
import { type Column, type ColumnSet, csvColumns, tableColumns, unknownNames } from './column.ts'
import { blockText } from './form/block.ts'
import { csvText } from './form/csv.ts'
import { jsonArray, jsonLines, jsonText } from './form/json.ts'
import { plainTextLines, plainTextOf } from './form/plain-text.ts'
import { type TableLook, tableText } from './form/table.ts'
import { yamlSequence, yamlText } from './form/yaml.ts'
import { leafPaths, valueAt } from './path.ts'
import type { Shape, Sink } from './shape.ts'
import { tell } from './tell.ts'
import { type RowsFirst, warnAfterRows } from './warn-after-rows.ts'
import { type Writer, writerTo } from './write.ts'

/** The messages about a listing on stderr. */
export interface ListingMessages {
  /** Called after the last row: returns a sentence when the service has more than was shown. */
  more?: (() => string | undefined) | undefined
  /** The message in place of a table without rows; empty: no message. */
  nothing?: string | undefined
  /** What is shown before the lists it was read from are said to be incomplete. */
  lists?: RowsFirst
  /** A line and the lines below it: what a table has in place of a row. The other formats have them on stderr. */
  explain?: ((row: object) => Promise<readonly string[]>) | undefined
}

type Batches = AsyncIterable<object[]>

type Look = TableLook & { isTerminal: boolean }

/** Writes a listing whose rows arrive one by one, as `emitPages` does. */
export async function emit(
  rows: AsyncIterable<object> | Iterable<object>,
  set: ColumnSet,
  shape: Shape,
  sink: Sink,
  messages?: ListingMessages,
): Promise<{ count: number }> {
  return emitPages(batchesOf(rows), set, shape, sink, messages)
}

/**
 * Writes a listing, pulling pages no faster than its reader takes them, and returns the number of rows.
 *
 * JSON, JSON Lines, CSV, workbooks and YAML stream in flat memory; a table and a query need the complete result. Throws `usage` for an
 * impossible shape, before the first page is requested; `io` when the file of `--out` cannot be written. Errors of the
 * rows, of a closed pipe (EPIPE) and the reason of an aborted signal pass unchanged. That the rows may not be all there are
 * (`partial`) is thrown after they were written; the file of `--out` is then left as it was.
 */
export async function emitPages(
  pages: AsyncIterable<object[]>,
  set: ColumnSet,
  shape: Shape,
  sink: Sink,
  { more, nothing = 'nothing found', lists = warnAfterRows(), explain }: ListingMessages = {},
): Promise<{ count: number }> {
  await checkShape(shape, set)
  const isText = explain !== undefined && shape.format === 'table' && shape.query === undefined
  let count = 0
  const missing = new Set(shape.query === undefined ? unknownNames(set, shape.columns) : [])
  async function* countRows() {
    for await (const batch of lists.of(untilAborted(pages, sink.signal))) {
      count += batch.length
      if (explain && !isText) for (const row of batch) for (const line of await explain(row)) say(sink, line)
      for (const name of missing) if (batch.some((row) => valueAt(row, name) !== undefined)) missing.delete(name)
      yield batch
    }
  }

  const look = lookOf(shape, sink)
  const texts = isText ? within(explained(countRows(), explain), look) : listing(countRows(), set, shape, look)
  const hasWritten = await writeTo(shape, sink, texts, lists)

  if (shape.format === 'table' && !hasWritten && nothing !== '') say(sink, nothing)
  // A warning: what was asked for is not in the result.
  for (const name of count > 0 ? missing : [])
    tell(sink.stderr, `no row has a column "${name}"${await didYouMean(name, set)}`)
  const rest = more?.()
  if (rest !== undefined) say(sink, rest)
  return { count }
}

/**
 * Writes one object: a block of names and values, the object itself in JSON and YAML, a header and a line in CSV.
 *
 * Throws as `emit` does.
 */
export async function emitOne(
  object: object,
  set: ColumnSet,
  shape: Shape,
  sink: Sink,
  lists?: RowsFirst,
): Promise<void> {
  await checkShape(shape, set)
  await writeTo(shape, sink, single(object, set, shape, lookOf(shape, sink)), lists)
}

/** Writes a text for people, piece by piece, where one was requested instead of a table. Throws as `emit` does. */
export async function emitText(pieces: AsyncIterable<string>, shape: Shape, sink: Sink): Promise<void> {
  await writeTo(shape, sink, within(pieces, lookOf(shape, sink)))
}

async function* explained(batches: Batches, explain: NonNullable<ListingMessages['explain']>): AsyncGenerator<string> {
  for await (const batch of batches)
    for (const row of batch) {
      const [first = '', ...reasons] = (await explain(row)).map((line) => sanitize(line))
      yield `${[first, ...reasons.map((reason) => indent + reason)].join('\n')}\n`
    }
}

/** Breaks lines between words where a terminal would break them within one; what is indented stays so. */
async function* within(pieces: AsyncIterable<string>, { width = Infinity }: Look): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const lines = piece.split('\n').flatMap((line) => {
      const [indent = ''] = /^ */.exec(line) ?? []
      return wrapText(line.slice(indent.length), width - indent.length).map((part) => `${indent}${part}`)
    })
    yield lines.join('\n')
  }
}

/** A part of a page for people: a title, and one object or a table of several below it. */
export interface Section {
  title: string
  content: object | readonly object[]
  /** What is shown of it, in this order. */
  columns: readonly Column[]
  /** Written where there is nothing to show. */
  nothing: string
}

/** Writes a page for people, where one was requested instead of a table of its parts. Throws as `emit` does. */
export async function emitSections(
  sections: readonly Section[],
  shape: Shape,
  sink: Sink,
  lists?: RowsFirst,
): Promise<void> {
  const look = lookOf(shape, sink)
  const left: string[] = []
  const pieces = page(sections, Object.assign(look, { leftOut: (names: string) => left.push(names) }))
  await writeTo(shape, sink, pieces, lists)
  if (left.length > 0) sayLeftOut(sink, left.join(', '), '--json has everything')
}

async function* page(sections: readonly Section[], look: Look): AsyncGenerator<string> {
  for (const [at, { title, content, columns, nothing }] of sections.entries()) {
    const safe = sanitize(title)
    const bold = look.color ? styleText('bold', safe, { validateStream: false }) : safe
    yield `${at === 0 ? '' : '\n'}${bold}\n`
    const names = columns.filter(({ name }) => !isEmpty(valueAt(content, name))).map(({ name }) => name)
    if (Array.isArray(content) ? content.length === 0 : names.length === 0) yield `  ${nothing}\n`
    else if (Array.isArray(content)) {
      const filled = columns.filter(({ name }) => content.some((row) => !isEmpty(valueAt(row, name))))
      yield* indentTexts(tableText(once(content), filled, narrower(look)))
    } else yield* indentTexts(blockText(content, { columns }, names, look))
  }
}

const indent = '  '

async function* indentTexts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield text.replace(/^(?=.)/gm, indent)
}

function narrower(look: Look): Look {
  return look.width === undefined ? look : { ...look, width: look.width - indent.length }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

async function* listing(
  batches: Batches,
  set: ColumnSet,
  shape: Shape,
  look: Look,
): AsyncGenerator<string | Uint8Array> {
  const { format, columns, query } = shape
  if (query !== undefined) {
    const { queryFor } = await import('./query.ts')
    const ask = await queryFor(query)
    if (format === 'jsonl') yield* jsonLines(mapBatches(batches, ask))
    else yield* answerText(ask(await all(batches)), set, shape, look)
    return
  }
  if (format === 'json') yield* jsonArray(batches)
  else if (format === 'jsonl') yield* jsonLines(batches)
  else if (format === 'yaml') yield* yamlSequence(batches)
  else if (format === 'text') yield* plainTextLines(batches, look.isTerminal)
  else if (format === 'csv') yield* csvText(batches, csvColumns(set, columns), csvLook(shape, look))
  else if (format === 'xlsx') yield* workbook(batches, csvColumns(set, columns), shape)
  else yield* tableText(batches, tableColumns(set, columns), look)
}

async function* single(object: object, set: ColumnSet, shape: Shape, look: Look): AsyncGenerator<string | Uint8Array> {
  const { format, columns, query } = shape
  if (query !== undefined) {
    const { queryFor } = await import('./query.ts')
    yield* answerText((await queryFor(query))(object), set, shape, look)
  } else if (format === 'json') yield `${jsonText(object, 2)}\n`
  else if (format === 'jsonl') yield `${jsonText(object)}\n`
  else if (format === 'yaml') yield await yamlText(object)
  else if (format === 'text') yield plainTextOf(object, look.isTerminal)
  else if (format === 'csv') yield* csvText(once([object]), csvColumns(set, columns), csvLook(shape, look))
  else if (format === 'xlsx') yield* workbook(once([object]), csvColumns(set, columns), shape)
  else yield* blockText(object, set, columns, look)
}

/**
 * Writes the result of a query in the requested format. A table, CSV and a workbook make rows of an array and one row of an object;
 * texts and numbers become rows with one column, `value`; null has no row.
 */
async function* answerText(
  answer: unknown,
  set: ColumnSet,
  shape: Shape,
  look: Look,
): AsyncGenerator<string | Uint8Array> {
  const { format } = shape
  if (format === 'json') yield `${jsonText(answer, 2)}\n`
  else if (format === 'jsonl') yield `${jsonText(answer)}\n`
  else if (format === 'yaml') yield await yamlText(answer)
  else if (format === 'text') yield answer === null ? '' : plainTextOf(answer, look.isTerminal)
  else {
    const isList = Array.isArray(answer)
    const rows = (isList ? answer : answer === null ? [] : [answer]).map(asRow)
    const names = shape.columns ?? [...new Set(rows.flatMap((row) => leafPaths(row, isRawNumber)))]
    const columns = names.map((name) => set.columns.find((known) => known.name === name) ?? { name })
    const [first] = rows
    if (format === 'csv') yield* csvText(once(rows), columns, csvLook(shape, look))
    else if (format === 'xlsx') yield* workbook(once(rows), columns, shape)
    else if (isList || !first) yield* tableText(once(rows), columns, look)
    else if (first === answer) yield* blockText(first, set, names, look)
    else yield* tableText(once(rows), columns, { ...look, header: false })
  }
}

/** Its writer is loaded by nothing else. */
async function* workbook(batches: Batches, columns: readonly Column[], shape: Shape): AsyncGenerator<Uint8Array> {
  const { workbookBytes } = await import('./form/xlsx.ts')
  const { header, timeZone, command: title = '' } = shape
  yield* workbookBytes(batches, columns, { header, timeZone, title })
}

function asRow(value: unknown): object {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
  return isObject ? value : { value }
}

async function writeTo(
  shape: Shape,
  sink: Sink,
  texts: AsyncIterable<string | Uint8Array>,
  lists?: RowsFirst,
): Promise<boolean> {
  const writer = await writerFor(shape, sink)
  const bytesOf = await encoderFor(shape, sink)
  let hasWritten = false
  try {
    for await (const text of texts) {
      await writer.write(typeof text === 'string' ? (bytesOf?.(text) ?? text) : text)
      hasWritten = true
    }
    lists?.mustBeComplete()
    await writer.finish()
    return hasWritten
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

/** Undefined: the text is written in UTF-8. */
async function encoderFor({ format, csvForm, out }: Shape, { stdout }: Sink) {
  if (format !== 'csv' || csvForm === undefined || csvForm.encoding === 'utf-8') return undefined
  if (stdout.isTTY === true && (out === undefined || out === '-')) return undefined
  const { encodeText } = await import('../base/csv-form.ts')
  return (text: string) => encodeText(text, csvForm.encoding)
}

async function writerFor({ out }: Shape, { stdout, signal }: Sink): Promise<Writer> {
  if (out === undefined || out === '-') return writerTo(stdout, signal)
  const { outFile } = await import('./out-file.ts')
  return outFile(out, signal)
}

/** A file is written like a pipe: no colours, nothing cut. */
function lookOf(shape: Shape, sink: Sink): Look {
  const { stdout, color } = sink
  const { header, out } = shape
  const isFile = out !== undefined && out !== '-'
  const isTerminal = !isFile && stdout.isTTY === true
  return {
    header,
    // Read only when a time is shown; see Shape.
    get timeZone() {
      return shape.timeZone
    },
    color: color && !isFile,
    // A terminal that reports no width, as some programs that emulate one do, gets complete lines.
    width: isTerminal ? stdout.columns || undefined : undefined,
    isTerminal,
    mayLeaveOut: shape.columns === undefined,
    ...(shape.typed && { typed: shape.typed }),
    leftOut: (names) => sayLeftOut(sink, names, 'choose with --columns, or use --csv'),
  }
}

function csvLook({ header, csvRaw, csvForm, isForSpreadsheet = false }: Shape, { isTerminal }: Look) {
  return { header, raw: csvRaw, isTerminal, isForSpreadsheet, ...(csvForm && { form: csvForm }) }
}

/** Says which columns a terminal has no room for; broken between words, because a terminal breaks a line within them. */
function sayLeftOut({ stderr, stdout: { columns = 80 }, quiet }: Sink, names: string, next: string): void {
  if (quiet) return
  const said = `left out, because the terminal has ${columns} columns: ${names}; ${next}`
  for (const line of wrapText(said, columns)) tell(stderr, line)
}

function say({ stderr, quiet, asTyped }: Sink, sentence: string): void {
  if (!quiet) tell(stderr, asTyped?.(sentence) ?? sentence)
}

async function* mapBatches(batches: Batches, ask: (row: object) => unknown): AsyncGenerator<unknown[]> {
  for await (const batch of batches) yield batch.map(ask)
}

async function all(batches: Batches): Promise<object[]> {
  const rows: object[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

async function* once<Row>(batch: Row[]): AsyncGenerator<Row[]> {
  yield batch
}
