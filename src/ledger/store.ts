// Writing rows of the service into the copy. Whoever was forgotten here stays so, whatever a later pull reads.
import type { Item } from '../api/list-answer.ts'
import type { Copy } from './copy.ts'
import { type Row, rowOf } from './rows.ts'
import type { TableName } from './schema.ts'

/** Columns that may say who somebody is, in rows that name a customer. */
export const tellingColumns: Readonly<Partial<Record<TableName, readonly string[]>>> = {
  vouchers: ['metadata'],
  orders: ['metadata'],
  redemptions: ['metadata', 'tracking_id', 'reason'],
}

/** Writes objects of the service into a copy that is open for a pull. */
export interface Store {
  /** Inserts rows, or replaces what is held of them, together with the place where a list goes on. */
  keep: (table: TableName, items: readonly Item[], cursor?: { list: string; value: string | undefined }) => void
}

/** Makes the store of one pull. */
export function storeOf(copy: Copy, withCustomers: boolean): Store {
  const forgotten = new Set(
    copy.all<{ id: string }>('SELECT id FROM customers WHERE forgotten_at IS NOT NULL').map(({ id }) => id),
  )
  const shown = (table: TableName, row: Row): Row | undefined => {
    if (table === 'customers') return forgotten.has(row.id as string) ? undefined : row
    const names = tellingColumns[table]
    if (names === undefined || !forgotten.has(row.customer_id as string)) return row
    return { ...row, ...Object.fromEntries(names.map((name) => [name, null])) }
  }
  return {
    keep(table, items, cursor) {
      copy.transaction(() => {
        for (const item of items) {
          const row = shown(table, rowOf[table](item, withCustomers))
          if (row !== undefined) put(copy, table, row)
        }
        if (cursor?.value !== undefined) setCursor(copy, cursor.list, cursor.value)
      })
    },
  }
}

function put(copy: Copy, table: TableName, row: Row): void {
  const columns = Object.keys(row)
  // A transaction is never altered; what was forgotten of it stays so.
  const changes = columns.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`)
  const conflict = table === 'transactions' ? 'NOTHING' : `UPDATE SET ${changes.join(', ')}`
  copy.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO ${conflict}`,
    ...Object.values(row),
  )
  // The service shows it of the redemption, too, but in a list that is read by the date of creation.
  if (row.kind === 'rollback' && row.result === 'SUCCESS')
    copy.run("UPDATE redemptions SET status = 'ROLLED_BACK' WHERE id = ?", row.rolls_back ?? null)
}

/** Returns the place up to which a list was read. */
export function cursorOf(copy: Copy, list: string): string | undefined {
  return copy.get<{ value: string }>('SELECT value FROM cursors WHERE list = ?', list)?.value
}

/** Sets that place, or forgets it: the next pull then reads the whole list. */
export function setCursor(copy: Copy, list: string, value: string | undefined): void {
  if (value === undefined) copy.run('DELETE FROM cursors WHERE list = ?', list)
  else copy.run('INSERT OR REPLACE INTO cursors VALUES (?, ?)', list, value)
}
