// Where the rows of a command line come from: its arguments, a file, a pipe, or another job.
import { isAbsolute, resolve } from 'node:path'
import type { FoundEncoding } from '../../bulk/input/encoding.ts'
import type { InputOptions } from '../../bulk/input/input.ts'
import { fileChecksum, inputChecksum, jsonChecksum } from '../../bulk/input/input-checksum.ts'
import { keyProblem } from '../../bulk/input/key.ts'
import { headingsFor } from '../../bulk/input/key-column.ts'
import { rowsFromArguments } from '../../bulk/input/key-lines.ts'
import { type BadRow, placeOf, type Row } from '../../bulk/input/row.ts'
import type { Source } from '../../bulk/input/source.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { usageError } from '../../errors.ts'
import type { FileColumns } from '../request/row-columns.ts'
import type { BulkWords, InputRows } from './definition.ts'
import type { Reading } from './run-plan.ts'

/**
 * Determines where the items come from. Reads nothing yet.
 *
 * Throws `usage` for no items, and for items both as arguments and from a file.
 */
export function inputRows(
  items: readonly string[] | undefined,
  reading: Reading | undefined,
  { noun, key, fallbackKey }: Pick<BulkWords, 'noun' | 'key' | 'fallbackKey'>,
  { body, path }: Pick<Endpoint, 'body' | 'path'>,
  input: FileColumns = { members: {} },
): InputRows {
  if (items !== undefined && reading !== undefined)
    throw usageError(`give ${noun}s as arguments or by --from, not both`)
  // ASSUMED A492: stdin is not read unless it is requested, so it contradicts nothing. A job runner that leaves a pipe open
  // would otherwise stop every command.
  if (items !== undefined) return fromArguments(items, key)
  if (reading === undefined) throw usageError(`no ${noun} given`, `name one, or take them from a file with --from FILE`)
  const sum = inputChecksum()
  let layout: ReturnType<InputRows['layout']> = {}
  let found: FoundEncoding = { encoding: 'utf-8', mark: false }
  let sheet: string | undefined
  const { columns, say, ...options } = reading
  const isNamed = columns.column !== undefined
  const rows = rowsRead({
    ...options,
    onPiece: sum.add,
    rules: async () => {
      const { columnRules } = await import('../request/row-columns.ts')
      const named = { noun, column: key, idColumn: fallbackKey === 'id' ? fallbackKey : undefined }
      const takesIds = path.includes('{customerId}')
      return columnRules(columns, input, { body, key: { ...named, takesIds, say } })
    },
    column: columns.column ?? key,
    ...(!isNamed && { orColumn: fallbackKey, headings: headingsFor(noun, key) }),
    columnGiven: isNamed,
    checkKey: keyProblem,
    onEncoding: (encoding) => {
      found = encoding
    },
    onLayout: ({ form, sheet: read, ...names }) => {
      sheet = read
      layout = form ? { ...names, csv: { ...form, ...found } } : names
    },
  })
  const place = (line: number) => placeOf(line, { sheet })
  return { rows, name: reading.from, layout: () => layout, placeOf: place, ...fromSource(reading, sum.sha256) }
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
export function fromSource({ from, stdin }: Source, sha256: () => string) {
  const sha256Now = async () => (from === '-' ? sha256() : await fileChecksum(from, stdin))
  return { input: inputName(from, process.cwd()), sha256, sha256Now }
}

function fromArguments(items: readonly string[], key: string): InputRows {
  const sum = () => jsonChecksum(items)
  return {
    rows: rowsFromArguments(items, { column: key, checkKey: keyProblem }),
    name: 'the arguments',
    input: 'arguments',
    sha256: sum,
    sha256Now: async () => sum(),
    placeOf: (line) => `argument ${line}`,
    layout: () => ({ columns: [key] }),
  }
}
