// Fills the copy from the service: whole lists at first, then what is new and what changed. A page and the place where it ends are
// one commit, so a pull that was killed goes on there. Nothing of the project is changed.
import type { Client } from '../api/client.ts'
import { CallError, ofMissing } from '../api/outcome/call-error.ts'
import { formatNumber } from '../base/numbers.ts'
import { PromoError } from '../errors.ts'
import { compared, heldIn } from './compare.ts'
import type { Copy } from './copy.ts'
import {
  datesOf,
  type ListedTable,
  lengthSince,
  listedTables,
  newestChange,
  transactionWalks,
  type Walk,
  walkOf,
} from './lists.ts'
import type { TableName } from './schema.ts'
import { cursorOf, setCursor, storeOf } from './store.ts'

export interface PullOptions {
  client: Client
  copy: Copy
  /** Keeps names and addresses, too. */
  withCustomers: boolean
  /** Returns the time of the service as far as it is known. */
  now: () => number
  /** Returns how many requests were sent. */
  sent: () => number
  planned: PlannedPull
  /** Told after each page. */
  onRows: (table: TableName, rows: number) => void
}

/** How much there is to read of a table, and about how many requests that takes. */
export interface Estimate {
  kind: TableName
  /** Null where the service does not say. */
  objects: number | null
  requests: number
}

/** What a pull will read. */
export interface PlannedPull {
  estimates: readonly Estimate[]
  /** From which instants on changes will be asked for, where that was not known yet. */
  cursors: ReadonlyMap<string, string>
  /** How many rows each walk will read, by its cursor. */
  lengths: ReadonlyMap<string, number>
  /** Why tables cannot be read. */
  problems: ReadonlyMap<TableName, string>
}

/** What a pull did. */
export interface Pulled {
  /** How many rows came, by table; some are held already. */
  rows: ReadonlyMap<TableName, number>
  isComplete: boolean
  /** A list contradicted itself: what there was of it is held, and the next pull reads it again. */
  failure?: unknown
}

/** Every request after the first shows the last row of the one before again. */
const rowsPerRequest = 99

/**
 * Reads what is new; what cannot be read is noted in the copy. Throws `CallError`; what was read until then is held.
 */
export async function pull(options: PullOptions): Promise<Pulled> {
  const { client, copy, withCustomers, now, sent, planned, onRows } = options
  const store = storeOf(copy, keepsCustomers(copy, withCustomers))
  const rows = new Map<TableName, number>()
  const problems = new Map(planned.problems)
  const since = new Map<TableName, string>()
  let failure: unknown
  copy.run("UPDATE pulls SET state = 'incomplete', reason = 'it did not end' WHERE state = 'running'")

  async function read(table: TableName, walk: Walk): Promise<void> {
    const place = cursorOf(copy, walk.cursor)
    let isSure = true
    try {
      for await (const page of walk.pages(() => (isSure = false))) {
        store.keep(table, page, { list: walk.cursor, value: isSure ? walk.placeAfter(page) : undefined })
        rows.set(table, (rows.get(table) ?? 0) + page.length)
        onRows(table, page.length)
      }
      if (walk.placeAtEnd !== undefined) setCursor(copy, walk.cursor, walk.placeAtEnd)
    } catch (error) {
      if (!(error instanceof PromoError) || error.kind !== 'partial') throw error
      setCursor(copy, walk.cursor, place)
      problems.set(table, error.message)
      failure ??= error
    }
  }

  async function each(table: TableName, act: () => Promise<void>): Promise<void> {
    if (problems.has(table)) return
    try {
      await act()
    } catch (error) {
      if (!isRefused(error)) throw error
      problems.set(table, error.message)
    }
  }

  const begin = new Date(now()).toISOString()
  const pullId = copy.get<{ id: number }>(
    "INSERT INTO pulls (started_at, state) VALUES (?, 'running') RETURNING id",
    begin,
  )?.id as number
  const end = (state: 'complete' | 'incomplete', reason: string | null) => {
    const read = [...rows.values()].reduce((sum, one) => sum + one, 0)
    copy.run(
      'UPDATE pulls SET ended_at = ?, requests = ?, rows = ?, state = ?, reason = ? WHERE id = ?',
      new Date(now()).toISOString(),
      sent(),
      read,
      state,
      reason,
      pullId,
    )
  }
  /** Notes until when a table is complete; one that is not keeps the instant until which it was. */
  const note = (table: TableName, counted: number | null, held: number) => {
    const missing = problems.get(table) ?? null
    const until = missing === null ? (since.get(table) ?? null) : null
    copy.run(
      `INSERT INTO sources (name, complete_until, counted, held, missing) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET complete_until = coalesce(excluded.complete_until, complete_until),
         counted = excluded.counted, held = excluded.held, missing = excluded.missing`,
      table,
      until,
      counted,
      held,
      missing,
    )
  }

  try {
    for (const [cursor, value] of planned.cursors) setCursor(copy, cursor, value)
    for (const table of listedTables) {
      since.set(table, new Date(now()).toISOString())
      await each(table, async () => {
        for (const field of datesOf(table))
          await read(table, walkOf(client, copy, table, field, planned.lengths.get(`${table}:${field}`) ?? 0))
      })
    }
    since.set('transactions', new Date(now()).toISOString())
    const gone: NonNullable<Walk['of']>[] = []
    for (const walk of transactionWalks(client, copy))
      await each('transactions', async () => {
        try {
          await read('transactions', walk)
        } catch (error) {
          ofMissing(error)
          if (walk.of !== undefined) gone.push(walk.of)
        }
      })
    for (const table of listedTables) {
      let counted: number | undefined
      await each(table, async () => {
        counted = await compared(client, copy, table, begin)
        const problem = counted === undefined ? undefined : difference(copy, table, counted)
        if (problem !== undefined) problems.set(table, problem)
      })
      note(table, counted ?? null, heldIn(copy, table))
    }
    // What was deleted there is marked by now.
    for (const { table, id } of gone)
      if (copy.get(`SELECT 1 FROM ${table} WHERE id = ? AND deleted_at IS NULL`, id) !== undefined)
        problems.set('transactions', `the service lists ${id}, and not its transactions`)
    note('transactions', null, heldIn(copy, 'transactions'))
    const isComplete = problems.size === 0
    end(isComplete ? 'complete' : 'incomplete', isComplete ? null : [...problems.keys()].join(', '))
    return { rows, isComplete, ...(failure !== undefined && { failure }) }
  } catch (error) {
    end('incomplete', error instanceof Error ? error.message : String(error))
    throw error
  }
}

/** Says whether names and addresses are kept: once they are asked for, later pulls keep them current, and read all customers again. */
function keepsCustomers(copy: Copy, isAsked: boolean): boolean {
  if (!isAsked || copy.about('with_customers') === '1') return copy.about('with_customers') === '1'
  copy.transaction(() => {
    copy.run("INSERT OR REPLACE INTO about VALUES ('with_customers', '1')")
    setCursor(copy, 'customers:created_at', undefined)
  })
  return true
}

/** Asks how much is new or changed. Writes nothing. Throws `CallError`. */
export async function planPull(client: Client, copy: Copy): Promise<PlannedPull> {
  const estimates: Estimate[] = []
  const cursors = new Map<string, string>()
  const lengths = new Map<string, number>()
  const problems = new Map<TableName, string>()
  for (const table of listedTables) {
    try {
      estimates.push(await estimateOf(client, copy, table, cursors, lengths))
    } catch (error) {
      // Keys that may read nothing copy nothing.
      if (!isRefused(error) || problems.size === listedTables.length - 1) throw error
      problems.set(table, error.message)
    }
  }
  return { estimates, cursors, lengths, problems }
}

async function estimateOf(
  client: Client,
  copy: Copy,
  table: ListedTable,
  cursors: Map<string, string>,
  lengths: Map<string, number>,
): Promise<Estimate> {
  let objects: number | null = 0
  let requests = 0
  for (const field of datesOf(table)) {
    const cursor = `${table}:${field}`
    let since = cursorOf(copy, cursor)
    if (field === 'updated_at' && since === undefined) {
      since = await newestChange(client, table)
      cursors.set(cursor, since)
    }
    const length = await lengthSince(client, table, field, since)
    if (length !== undefined) lengths.set(cursor, length)
    objects = length === undefined || objects === null ? null : objects + length
    requests += Math.max(1, Math.ceil((length ?? 0) / rowsPerRequest))
  }
  // One more compares the counts.
  return { kind: table, objects, requests: requests + 1 }
}

/** Says how a table differs from what the service counts; the next pull then reads the whole list. */
function difference(copy: Copy, table: ListedTable, counted: number): string | undefined {
  const held = heldIn(copy, table)
  if (counted === held) return undefined
  if (counted < held) return `${formatNumber(held)} are here, and the service counts ${formatNumber(counted)}`
  setCursor(copy, `${table}:created_at`, undefined)
  return `the service counts ${formatNumber(counted)}, and ${formatNumber(held)} are here: the next pull reads the whole list`
}

/** A call that the keys do not allow; whatever else is refused ends the pull. */
function isRefused(error: unknown): error is CallError {
  return error instanceof CallError && error.phase === 'rejected' && error.status === 403
}
