// Whether the copy has all rows that the service counts, and which of its rows are gone there.
import type { Client } from '../api/client.ts'
import type { Between } from '../contract/date-bounds.ts'
import type { Copy } from './copy.ts'
import { type ListedTable, lengthBetween, pagesBetween } from './lists.ts'
import type { TableName } from './schema.ts'

/** As many rows are looked at one by one. */
const fewRows = 100

/**
 * Returns how many rows of a table the service has, if it counts them; what was deleted there is marked here.
 *
 * Where the numbers differ, those of what was created before the newest row decide: more may have come meanwhile. Rows that are gone
 * are found by halving the time in which the service counts fewer. Throws `CallError`.
 */
export async function compared(
  client: Client,
  copy: Copy,
  table: ListedTable,
  now: string,
): Promise<number | undefined> {
  const all = await lengthBetween(client, table, {})
  const beforeMs = boundaryOf(copy, table)
  if (all === undefined || all === heldIn(copy, table) || beforeMs === undefined) return all
  const [older, newest] = [{ beforeMs }, { afterMs: beforeMs }]
  const counted = await lengthBetween(client, table, older)
  if (counted === undefined) return undefined
  if (counted < heldIn(copy, table, older)) await markDeleted(client, copy, table, older, now)
  if (all - counted < heldIn(copy, table, newest)) await markDeleted(client, copy, table, newest, now)
  return counted + heldIn(copy, table, newest)
}

/** An instant just before the newest row, at which nothing was created: a bound may include its instant or not. */
function boundaryOf(copy: Copy, table: ListedTable): number | undefined {
  const { newest } = copy.get<{ newest: string | null }>(`SELECT max(created_at) AS newest FROM ${table}`) ?? {}
  if (newest == null) return undefined
  let ms = Date.parse(newest) - 1
  while (copy.get(`SELECT 1 FROM ${table} WHERE created_at = ?`, new Date(ms).toISOString()) !== undefined) ms -= 1
  return ms
}

async function markDeleted(client: Client, copy: Copy, table: ListedTable, between: Between, now: string) {
  const held = heldIn(copy, table, between)
  if (held === 0) return
  const middle = held > fewRows ? middleOf(copy, table, between, held) : undefined
  if (middle === undefined) return await markMissing(client, copy, table, between, now)
  for (const half of [
    { ...between, beforeMs: middle },
    { ...between, afterMs: middle - 1 },
  ]) {
    const counted = await lengthBetween(client, table, half)
    if (counted !== undefined && counted < heldIn(copy, table, half)) await markDeleted(client, copy, table, half, now)
  }
}

/** The instant that halves the rows of a time; undefined where all of them have one. */
function middleOf(copy: Copy, table: ListedTable, between: Between, held: number): number | undefined {
  const { where, values } = conditionOf(between)
  const at = (offset: number) =>
    copy.get<{ created_at: string }>(
      `SELECT created_at FROM ${table} WHERE ${where} ORDER BY created_at LIMIT 1 OFFSET ?`,
      ...values,
      offset,
    )?.created_at
  const first = at(0)
  const middle = at(Math.floor(held / 2))
  const next = middle === first ? firstAfter(copy, table, between, middle) : middle
  return next === undefined ? undefined : Date.parse(next)
}

function firstAfter(copy: Copy, table: ListedTable, between: Between, instant = ''): string | undefined {
  const { where, values } = conditionOf(between)
  const sql = `SELECT min(created_at) AS at FROM ${table} WHERE ${where} AND created_at > ?`
  return copy.get<{ at: string | null }>(sql, ...values, instant)?.at ?? undefined
}

async function markMissing(client: Client, copy: Copy, table: ListedTable, between: Between, now: string) {
  const there = new Set<unknown>()
  for await (const page of pagesBetween(client, table, between)) for (const { id } of page) there.add(id)
  const { where, values } = conditionOf(between)
  const ids = copy.all<{ id: string }>(`SELECT id FROM ${table} WHERE ${where}`, ...values)
  copy.transaction(() => {
    for (const { id } of ids) if (!there.has(id)) copy.run(`UPDATE ${table} SET deleted_at = ? WHERE id = ?`, now, id)
  })
}

/** Counts the rows that were created between two instants, both excluded, and that are not deleted at the service. */
export function heldIn(copy: Copy, table: TableName, between: Between = {}): number {
  if (table === 'transactions')
    return copy.get<{ held: number }>('SELECT count(*) AS held FROM transactions')?.held ?? 0
  const { where, values } = conditionOf(between)
  return copy.get<{ held: number }>(`SELECT count(*) AS held FROM ${table} WHERE ${where}`, ...values)?.held ?? 0
}

function conditionOf({ afterMs, beforeMs }: Between): { where: string; values: string[] } {
  const bounds = [
    ['created_at > ?', afterMs],
    ['created_at < ?', beforeMs],
  ] as const
  const given = bounds.filter(([, ms]) => ms !== undefined)
  return {
    where: ['deleted_at IS NULL', ...given.map(([sql]) => sql)].join(' AND '),
    values: given.map(([, ms]) => new Date(ms as number).toISOString()),
  }
}
