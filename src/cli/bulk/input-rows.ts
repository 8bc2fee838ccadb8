// Where the rows of a command line come from: its arguments, a file, a pipe, or another job.
import { isAbsolute, resolve } from 'node:path'
import type { FoundEncoding } from '../../bulk/input/encoding.ts'
import type { InputOptions } from '../../bulk/input/input.ts'
import { fileChecksum, inputChecksum, jsonChecksum } from '../../bulk/input/input-checksum.ts'
import { keyProblem } from '../../bulk/input/key.ts'
import { headingsFor } from '../../bulk/input/key-column.ts'
import { rowsFromArguments } from '../../bulk/input/key-lines.ts'
import { type BadRow, placeOf, type Row } from '../../bulk/input/row.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { usageError } from '../../errors.ts'
import { timeZoneOfDays } from '../request/days.ts'
import { messagesTo } from '../result/messages.ts'
import type { Host } from '../run/host.ts'
import type { BulkDefinition, BulkFlags, InputRows } from './definition.ts'

/**
 * Determines where the items come from. Reads nothing yet.
 *
 * Throws `usage` for no items, and for items both as arguments and from a file.
 */
export function inputRows<E extends Endpoint>(
  items: string[] | undefined,
  flags: BulkFlags,
  { words: { noun, key, fallbackKey }, endpoint: { body, path }, inputColumns, members }: BulkDefinition<E>,
  host: Host,
): InputRows {
  const { from } = flags
  if (items !== undefined && from !== undefined) throw usageError(`give ${noun}s as arguments or by --from, not both`)
  // ASSUMED A492: stdin is not read unless it is requested, so it contradicts nothing. A job runner that leaves a pipe open
  // would otherwise stop every command.
  if (items !== undefined) return fromArguments(items, key)
  if (from === undefined) throw usageError(`no ${noun} given`, `name one, or take them from a file with --from FILE`)
  const sum = inputChecksum()
  let layout: ReturnType<NonNullable<InputRows['layout']>> = {}
  let found: FoundEncoding = { encoding: 'utf-8', mark: false }
  let sheet: string | undefined
  const rows = rowsRead({
    from,
    stdin: host.stdin,
    signal: host.stop,
    onPiece: sum.add,
    ...(flags['input-format'] && { format: flags['input-format'] }),
    ...(flags.delimiter !== undefined && { delimiter: flags.delimiter }),
    ...(flags.encoding && { encoding: flags.encoding }),
    ...(flags.trim && { trim: true }),
    ...(flags['no-quotes'] && { noQuotes: true }),
    ...(flags.sheet !== undefined && { sheet: flags.sheet }),
    timeZone: () => timeZoneOfDays(flags, host),
    ...(flags['as-written'] && { asWritten: true }),
    rules: async () => {
      const { columnRules } = await import('../request/row-columns.ts')
      const say = (sentence: string) => messagesTo(host, flags).say(sentence)
      const named = { noun, column: key, idColumn: fallbackKey === 'id' ? fallbackKey : undefined }
      const takesIds = path.includes('{customerId}')
      return columnRules(flags, { columns: inputColumns, body, members, key: { ...named, takesIds, say } })
    },
    column: flags.column ?? key,
    ...(flags.column === undefined && { orColumn: fallbackKey, headings: headingsFor(noun, key) }),
    columnGiven: flags.column !== undefined,
    checkKey: keyProblem,
    encodingHeard: (encoding) => {
      found = encoding
    },
    layoutHeard: ({ form, sheet: read, ...names }) => {
      sheet = read
      layout = form ? { ...names, csv: { ...form, ...found } } : names
    },
    assumed: (sentence) => messagesTo(host, flags).say(sentence),
  })
  const place = (line: number) => placeOf(line, { sheet })
  return { rows, name: from, layout: () => layout, placeOf: place, ...fromSource(from, sum.sha256, host) }
}

/** Loads the readers of all formats, which a single item as an argument does not need. */
async function* rowsRead(options: InputOptions): AsyncGenerator<Row | BadRow, void, undefined> {
  const { readRows } = await import('../../bulk/input/input.ts')
  yield* readRows(options)
}

/** Returns the name of an input as it is recorded in a job: an absolute path, or `-`. */
export function inputName(from: string, cwd: string): string {
  return from === '-' || isAbsolute(from) ? from : resolve(cwd, from)
}

/** Returns how a file or a pipe is recognized again. */
export function fromSource(from: string, sha256: () => string, host: Host): Omit<InputRows, 'rows' | 'name'> {
  const input = inputName(from, process.cwd())
  return { input, sha256, ...(from !== '-' && { sha256Now: () => fileChecksum(from, host.stdin) }) }
}

function fromArguments(items: readonly string[], key: string): InputRows {
  const sum = () => jsonChecksum(items)
  return {
    rows: rowsFromArguments(items, { column: key, checkKey: keyProblem }),
    name: 'the arguments',
    input: 'arguments',
    sha256: sum,
    sha256Now: async () => sum(),
    isArguments: true,
    placeOf: (line) => `argument ${line}`,
    layout: () => ({ columns: [key] }),
    isSingle: items.length === 1,
  }
}
