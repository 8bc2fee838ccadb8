// The entire input, checked and stored before the first request: nothing is sent while a row is bad.
import { isDeepStrictEqual } from 'node:util'
import { formatNumber } from '../../base/numbers.ts'
import { isActable } from '../batch.ts'
import type { Placed, RowStore, Which } from '../journal/row-store.ts'
import { pageRows, readPages } from '../paged.ts'
import type { Counts } from './bad-input.ts'
import { excerpt } from './input-error.ts'
import { keyWarning } from './key.ts'
import { type BadRow, badFrom, isBad, type Row } from './row.ts'

export interface SpoolOptions {
  /** The name of the input in errors: a path, `-` for standard input, or words such as `the arguments`. */
  name: string
  /** What the number of a row counts; by default `line`. */
  counted?: 'line' | 'argument'
  /** Returns how a row is named in messages; by default by its line. */
  placeOf?: (line: number) => string
  /** The folder in which the rows are stored, created with mode 0700 when it is missing; absent: in memory. */
  dir?: string
  /**
   * What to do with a key that occurred before.
   *
   * - `fold-identical` (default): deduplicate a row with the same values, refuse one with others.
   * - `fold`: deduplicate it, whatever its values; for calls that use only the key.
   * - `keep`: act on every row; for calls that may legitimately happen twice, such as events.
   */
  onDuplicate?: 'fold-identical' | 'fold' | 'keep'
  /** `refuse` (default) throws when a row is bad; `keep` keeps it with its `problem`, and it is reported as skipped. */
  badRows?: 'refuse' | 'keep'
  /** The flag that keeps bad rows instead, for the error about them; absent: there is none. */
  skipFlag?: string
  /** Returns whether a row belongs to this process; the others are checked and left to other processes. Absent: all do. */
  isOurs?: (row: { line: number; key: string }) => boolean
}

/** The checked rows, in the order of the input. */
export interface Spool {
  /** All rows of this process, without blank lines. */
  total: number
  /** The rows of other processes (`isOurs`). */
  others: number
  /** Rows to act on. */
  count: number
  /** Duplicates of an earlier row. */
  duplicates: number
  /** Rows that cannot be acted on; 0 unless bad rows are kept. */
  bad: number
  /** Sentences about keys that are accepted but suspicious. */
  warnings: string[]
  /** The rows to act on. */
  rows(): Iterable<Row>
  /** Every row, including duplicates and bad ones: for a run, because each row has an outcome. */
  everyRow(): Iterable<Row>
  /** The first rows to act on. */
  sample(count: number): Row[]
  /** Keeps the rows as the file of a job; only `close` may follow. For rows that are stored in a folder. */
  publish(path: string, header: object): Promise<void>
  /** Removes the stored rows, unless they were published. */
  close(): Promise<void>
}

const maxShown = 20
/**
 * Checks all rows and stores them, in a file of their own and flat memory, or without a folder in memory.
 *
 * Throws `input` (exit 2) with the first 20 problems and their total when a row is bad, and `io` (exit 10) when the rows
 * cannot be stored. Exceptions of the reading itself pass through. When it throws, it leaves no file.
 */
export async function spool(
  rows: AsyncIterable<Row | BadRow> | Iterable<Row | BadRow>,
  options: SpoolOptions,
): Promise<Spool> {
  const store = await storeIn(options.dir)
  // Equal keys with different values must be detected by every process, or one of them would begin alone.
  const isCompared = options.isOurs !== undefined && (options.onDuplicate ?? 'fold-identical') === 'fold-identical'
  const elsewhere = isCompared ? await storeIn(options.dir) : undefined
  try {
    const counts = await fill(store, elsewhere, rows, options)
    store.seal()
    return spoolOf(store, counts)
  } catch (error) {
    await store.close()
    throw error
  } finally {
    await elsewhere?.close()
  }
}

/**
 * Reads all rows and keeps none, for whoever takes them on their way. Returns how many there were, and how many were bad; throws
 * as `spool` does.
 */
export async function readThrough(
  rows: AsyncIterable<Row | BadRow>,
  options: Pick<SpoolOptions, 'name' | 'placeOf' | 'badRows' | 'skipFlag'>,
): Promise<Pick<Counts, 'total' | 'bad'>> {
  const nowhere: RowStore = { ...rowsInMemory(), add: () => {} }
  return await fill(nowhere, undefined, rows, { ...options, onDuplicate: 'keep' })
}

// A file is created only for rows that may be many: that takes longer than disabling one voucher.
async function storeIn(dir: string | undefined): Promise<RowStore> {
  if (dir === undefined) return rowsInMemory()
  const { openRowStore } = await import('../journal/row-store.ts')
  return await openRowStore(dir)
}

async function fill(
  store: RowStore,
  elsewhere: RowStore | undefined,
  rows: AsyncIterable<Row | BadRow> | Iterable<Row | BadRow>,
  {
    name,
    counted = 'line',
    placeOf = (line) => `${counted} ${line}`,
    onDuplicate = 'fold-identical',
    badRows = 'refuse',
    skipFlag,
    isOurs = () => true,
  }: SpoolOptions,
): Promise<Counts> {
  const counts: Counts = { shown: 0, total: 0, others: 0, duplicates: 0, bad: 0, untrimmed: 0, warnings: [] }
  const problems = new Map<string, Problem>()
  let suspects = 0
  let isCutShort = false
  let read = 0
  for await (const found of rows) {
    read += 1
    // The rows of a job are always ready: the event loop would never turn, and no signal would arrive.
    if (read % pageRows === 0) await new Promise((resolve) => setImmediate(resolve))
    const isMine = isOurs(isBad(found) ? { line: found.line, key: `line ${found.line}` } : found)
    const first = isBad(found) ? undefined : (isMine ? store : elsewhere)?.first(found.key)
    const row = isBad(found) || onDuplicate === 'keep' ? found : dropDuplicate(found, first, onDuplicate, placeOf)
    // A bad row stops all processes; where such rows are kept, one process reports it.
    if (!isMine && !(isBad(row) && (badRows === 'refuse' || row.final === true))) {
      counts.others += 1
      if (!isBad(row)) elsewhere?.add(row)
      continue
    }
    counts.total += 1
    if (isBad(row)) {
      counts.bad += 1
      if (row.needsTrim && counted === 'line') counts.untrimmed += 1
      isCutShort ||= row.final === true
      if (row.remedy !== undefined) counts.remedy ??= row.remedy
      if (addProblem(problems, row)) counts.shown += 1
      const { line, fields = {}, ignored, message } = row
      if (badRows === 'keep') store.add({ line, key: '', fields, ignored, problem: message })
      continue
    }
    if (row.duplicateOf !== undefined) counts.duplicates += 1
    else if (!row.isMarked && keyWarning(row.key) !== undefined) {
      suspects += 1
      if (suspects === 1) counts.warnings.push(`${placeOf(row.line)}: ${excerpt(row.key)} ${keyWarning(row.key)}`)
    }
    // After a bad row the rest is read only to be checked and counted; that still needs the index of keys.
    store.add(row)
  }
  if (isCutShort || (counts.bad > 0 && badRows === 'refuse')) {
    const { badInput, inputWords } = await import('./bad-input.ts')
    throw badInput(
      { ...inputWords(name, counted), ...(!isCutShort && counts.bad < counts.total && { skipFlag }) },
      [...problems.values()].map(inOneLine),
      counts,
      isCutShort,
    )
  }
  if (suspects > 1) counts.warnings.push(`${suspects - 1} more such key${suspects === 2 ? '' : 's'}`)
  const lookalikes = store.lookalikes()
  if (lookalikes > 0) {
    const subject = lookalikes === 1 ? '1 key is' : `${lookalikes} keys are`
    counts.warnings.push(`${subject} written in several ways that look the same (accents composed differently)`)
  }
  return counts
}

/** The rows that have the same fault. */
interface Problem {
  message: string
  lines: number[]
  /** What the other rows have in place of the first one's value. */
  examples: Set<string>
  count: number
}

/** The value that a fault ends with, which differs from row to row. */
const lastValue = / ("[^"]*")$/

/** A fault of a column is in many rows. Returns whether something is said of this one. */
function addProblem(problems: Map<string, Problem>, { line, message }: BadRow): boolean {
  const fault = message.replace(String(line), '').replace(/(?<=: |, not)\s*"[^"]*"$/, '')
  const known = problems.get(fault)
  if (known === undefined) {
    if (problems.size === maxShown) return false
    problems.set(fault, { message, lines: [line], examples: new Set(), count: 1 })
    return true
  }
  known.count += 1
  if (known.lines.length < 4) known.lines.push(line)
  const [, value] = lastValue.exec(message) ?? []
  if (value !== undefined && !known.message.endsWith(value) && known.examples.size < 2) known.examples.add(value)
  return true
}

function inOneLine({ message, lines, examples, count }: Problem): string {
  if (count === 1) return message
  const more = count > lines.length ? ', …' : ''
  const also = examples.size === 0 ? '' : `; also ${[...examples].join(', ')}`
  return `${message} (${formatNumber(count)} rows: ${lines.join(', ')}${more}${also})`
}

function dropDuplicate(
  row: Row,
  first: Row | undefined,
  onDuplicate: 'fold-identical' | 'fold',
  placeOf: (line: number) => string,
): Row | BadRow {
  if (!first) return row
  if (onDuplicate === 'fold' || isDeepStrictEqual(row.fields, first.fields)) return { ...row, duplicateOf: first.line }
  const message = `${placeOf(row.line)}: ${excerpt(row.key)} occurred on ${placeOf(first.line)} with other values`
  return { ...badFrom(row), rule: 'duplicate', message }
}

function spoolOf(store: RowStore, { total, others, duplicates, bad, warnings }: Counts): Spool {
  return {
    total,
    others,
    count: total - duplicates - bad,
    duplicates,
    bad,
    warnings,
    rows: () => rowsOf(store, 'actable'),
    everyRow: () => rowsOf(store, 'all'),
    sample: (count) => store.page('actable', 0, count).map(({ row }) => row),
    publish: (path, header) => store.publish(path, header),
    close: () => store.close(),
  }
}

function* rowsOf(store: RowStore, which: Which): Generator<Row, void, undefined> {
  for (const page of readPages((after, limit) => store.page(which, after, limit))) for (const { row } of page) yield row
}

/** Returns an empty store, lost when the process ends: for arguments, which are few and which the same command supplies again. */
function rowsInMemory(): RowStore {
  const rows: Row[] = []
  const byKey = new Map<string, Row>()
  return {
    add(row) {
      rows.push(row)
      if (isActable(row)) byKey.set(row.key, row)
    },
    first: (key) => byKey.get(key),
    seal: () => {},
    page(which, after, limit) {
      const page: Placed[] = []
      for (let at = after; at < rows.length && page.length < limit; at += 1) {
        const row = rows[at] as Row
        if (which === 'all' || isActable(row)) page.push({ position: at + 1, row })
      }
      return page
    },
    lookalikes() {
      const writings = new Map<string, Set<string>>()
      for (const key of byKey.keys()) {
        const composed = key.normalize('NFC')
        writings.set(composed, (writings.get(composed) ?? new Set()).add(key))
      }
      return [...writings.values()].filter((keys) => keys.size > 1).length
    },
    publish: async () => {
      throw new TypeError('rows in memory are no job')
    },
    close: async () => {},
  }
}
