// From output flags to the shape that output/ understands.

import { type CsvForm, plainCsv } from '../../base/csv-form.ts'
import { ownValue } from '../../base/record.ts'
import { usageError } from '../../errors.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { ListingMessages, Section } from '../../output/emit.ts'
import { type Format, hasColumns, type Shape, type Sink } from '../../output/shape.ts'
import type { RowsFirst } from '../../output/warn-after-rows.ts'
import { isColourful } from '../colours.ts'
import type { globalFlags, outputFlags } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import type { Host } from '../run/host.ts'
import { onlyClosedPipe } from '../stop.ts'
import { messagesTo } from './messages.ts'
import type { ProgressContext } from './progress.ts'

/** The output flags as parsed. */
export type OutputFlags = ValuesOf<typeof outputFlags & typeof globalFlags>

/** What the name of a file says about its format. */
const endings: Readonly<Record<string, Format>> = {
  csv: 'csv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  yaml: 'yaml',
  yml: 'yaml',
  xlsx: 'xlsx',
}

/** Returns the format that the flags name: a short form, `--format`, the ending of the file of `--out`, or a table. */
export function formatOf({ format, json, jsonl, csv, excel, out = '' }: OutputFlags): Format {
  if (json) return 'json'
  if (jsonl) return 'jsonl'
  if (csv || excel) return 'csv'
  return format ?? ownValue(endings, out.slice(out.lastIndexOf('.') + 1).toLowerCase()) ?? 'table'
}

/** Whether the result is rows and columns; a query selects from the answer itself. */
export function isTabular(flags: OutputFlags): boolean {
  return flags.query === undefined && hasColumns(formatOf(flags))
}

/** Says whether the result is a table of the rows themselves, which may show more than the service's own objects. */
function isPlainTable(flags: OutputFlags): boolean {
  return formatOf(flags) === 'table' && flags.query === undefined
}

/** Builds the shape of the result from the flags; the time zone is the computer's unless --tz names one. Throws `usage` for a workbook on a terminal. */
export function shapeOf(
  flags: OutputFlags,
  {
    env,
    command,
    typed,
    columns: allColumns,
    stdout,
  }: Pick<Host, 'env' | 'command' | 'typed' | 'columns'> & { stdout?: { isTTY?: boolean } },
): Shape {
  const { columns, query, out } = flags
  const csvForm = csvFormOf(flags, env)
  if (formatOf(flags) === 'xlsx' && stdout?.isTTY && (out === undefined || out === '-'))
    throw usageError('a workbook is no text, which a terminal could show', '--out report.xlsx')
  return {
    ...(command !== undefined && { command: command.replaceAll(':', ' ') }),
    ...(allColumns && { allColumns }),
    ...(typed && { typed }),
    ...(csvForm && { csvForm }),
    format: formatOf(flags),
    ...(columns && { columns }),
    ...(query !== undefined && { query }),
    ...(out !== undefined && { out }),
    header: !flags['no-header'],
    csvRaw: flags['csv-raw'] ?? false,
    ...(flags.excel && { isForSpreadsheet: true }),
    // A getter, because asking the computer loads its zone data, which takes longer than most commands.
    get timeZone() {
      return flags.tz ?? env.TZ ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
    },
  }
}

/**
 * Returns how CSV is written down when the flags say it. Throws `usage` for a delimiter of something else.
 *
 * A spreadsheet splits at the list separator of its locale: a semicolon where numbers have a decimal comma.
 */
function csvFormOf(flags: OutputFlags, env: Host['env']): CsvForm | undefined {
  const { excel, 'csv-delimiter': named } = flags
  if (named !== undefined && formatOf(flags) !== 'csv') throw usageError('--csv-delimiter is for CSV only', '--csv')
  if (!excel && named === undefined) return undefined
  const form: CsvForm = excel ? { ...plainCsv, mark: true, crlf: true, delimiter: listSeparator(env) } : plainCsv
  return named === undefined ? form : { ...form, delimiter: named === 'tab' ? '\t' : named }
}

function listSeparator({ LC_ALL, LC_NUMERIC, LANG }: Host['env']): string {
  const [locale = ''] = (LC_ALL || LC_NUMERIC || LANG || '').split('.')
  // A name like C or POSIX is no language; without one the computer's settings decide.
  const languages = /^[a-z]{2,3}(?:_|$)/.test(locale) ? [locale.replace('_', '-')] : locale === '' ? undefined : ['en']
  const parts = new Intl.NumberFormat(languages).formatToParts(1.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ';' : ','
}

/** The part of a run that shows results: streams, the stop signal, and what the command is called. */
export type ShowingHost = Pick<
  Host,
  'now' | 'stdout' | 'stderr' | 'env' | 'stop' | 'asTyped' | 'command' | 'typed' | 'columns'
>

/** Returns the streams that the result goes to; colours only on a terminal. */
function sinkOf(flags: OutputFlags, host: ShowingHost): Sink {
  return {
    stdout: host.stdout,
    stderr: host.stderr,
    ...(host.asTyped && { asTyped: host.asTyped }),
    color: isColourful(host.stdout, host, flags),
    quiet: flags.quiet ?? false,
    signal: host.stop,
  }
}

/** Writes results of a shape; rows are pulled only as fast as the reader consumes them. */
function writing(shape: Shape, sink: Sink) {
  const emitting = async () => await import('../../output/emit.ts')
  type Rows = AsyncIterable<object> | Iterable<object>
  return {
    rows: async (rows: Rows, columns: ColumnSet, words?: ListingMessages) =>
      void (await (await emitting()).emit(rows, columns, shape, sink, words)),
    /** A listing that arrives a page at a time. */
    pages: async (pages: AsyncIterable<object[]>, columns: ColumnSet, words?: ListingMessages) =>
      void (await (await emitting()).emitPages(pages, columns, shape, sink, words)),
    one: async (object: object, columns: ColumnSet, lists?: RowsFirst) =>
      await (await emitting()).emitOne(object, columns, shape, sink, lists),
    text: async (pieces: AsyncIterable<string>) => await (await emitting()).emitText(pieces, shape, sink),
    sections: async (sections: readonly Section[], lists?: RowsFirst) =>
      await (await emitting()).emitSections(sections, shape, sink, lists),
  }
}

/** How a command line shows its result, and what it tells besides. */
export type Showing = ReturnType<typeof showingOf>

/** Parses the output flags. Throws `usage` as `shapeOf` does. */
export function showingOf(flags: OutputFlags, host: ShowingHost) {
  const shape = shapeOf(flags, host)
  const sink = sinkOf(flags, host)
  return {
    ...messagesTo(host, flags),
    ...writing(shape, sink),
    /** For the result of a write, which is shown after Ctrl-C too: it has happened, and only a closed pipe ends it. */
    afterWrite: writing(shape, { ...sink, signal: onlyClosedPipe(host.stop) }),
    shape,
    /** Whether only warnings are told. */
    isQuiet: sink.quiet,
    /** Whether colours may be used. */
    isColourful: sink.color,
    /** Whether the result is a table of the rows themselves, which may show more than the service's own objects. */
    isTable: isPlainTable(flags),
    /** Whether the result is rows and columns; a query selects from the answer itself. */
    isTabular: isTabular(flags),
    /** Opens the line that says how far a long operation is. */
    statusLine: async () => (await import('./status-line.ts')).statusLine(host, flags),
    /** Starts the display of the progress of many rows. */
    progress: async (context: ProgressContext) => (await import('./progress.ts')).startProgress(host, flags, context),
    /** Throws `usage` for a result that cannot be shown so, before anything is opened. */
    check: async (columns: ColumnSet) => (await import('../../output/check.ts')).checkShape(shape, columns),
  }
}
