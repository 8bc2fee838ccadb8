// Removing a person from the copy, so that no later pull brings anything of them back.
import type { Copy } from './copy.ts'
import { tellingColumns } from './store.ts'

/** A person as the copy knows them. */
export interface KnownCustomer {
  id: string
  source_id: string | null
  name: string | null
  email: string | null
  phone: string | null
}

/** Returns who has this id, source id, e-mail address or phone number in the copy. */
export function customersNamed(copy: Copy, text: string): KnownCustomer[] {
  return copy.all<KnownCustomer>(
    `SELECT id, source_id, name, email, phone FROM customers
     WHERE id = ?1 OR source_id = ?1 OR lower(email) = lower(?1) OR phone = ?1`,
    text,
  )
}

/** The texts of the copy, in which an identifier may be a part of another text. */
const texts: Readonly<Record<string, readonly string[]>> = {
  vouchers: ['metadata'],
  orders: ['source_id', 'metadata'],
  redemptions: ['tracking_id', 'reason', 'order_number', 'metadata'],
  transactions: ['source_id', 'reason', 'details'],
  publications: ['channel'],
}

/** How many rows were changed in a table. */
export interface Removed {
  what: string
  rows: number
}

/**
 * Removes what says who a person is: everything but the id of their row, what may tell in the rows that name it, and each text with
 * their source id, e-mail address or phone number in it. Amounts, codes and instants stay.
 */
export function forgetIn(copy: Copy, { id, source_id, email, phone, name }: KnownCustomer, now: string): Removed[] {
  return copy.transaction(() => {
    const removed = new Map<string, number>()
    const change = (table: string, set: string, where: string, ...values: string[]) => {
      const rows = copy.run(`UPDATE ${table} SET ${set} WHERE ${where}`, ...values)
      removed.set(table, (removed.get(table) ?? 0) + rows)
    }
    copy.run('INSERT INTO customers (id) VALUES (?) ON CONFLICT (id) DO NOTHING', id)
    change(
      'customers',
      'source_id = NULL, name = NULL, email = NULL, phone = NULL, address = NULL, forgotten_at = coalesce(forgotten_at, ?), deleted_at = coalesce(deleted_at, ?)',
      'id = ?',
      now,
      now,
      id,
    )
    for (const [table, columns] of Object.entries(tellingColumns)) {
      const isHeld = columns.map((column) => `${column} IS NOT NULL`).join(' OR ')
      change(table, columns.map((column) => `${column} = NULL`).join(', '), `customer_id = ? AND (${isHeld})`, id)
    }
    const identifiers = [source_id, email, phone, name].filter((text) => text !== null)
    for (const [table, columns] of Object.entries(texts))
      for (const column of columns)
        for (const text of identifiers) {
          const sql = `SELECT id, ${column} AS text FROM ${table} WHERE instr(lower(${column}), lower(?)) > 0`
          for (const row of copy.all<{ id: string; text: string }>(sql, text))
            if (names(row.text, text)) change(table, `${column} = NULL`, 'id = ?', row.id)
        }
    return [...removed].map(([what, rows]) => ({ what, rows }))
  })
}

/** Says whether a text has another in it as a whole: "shop-1" is no part of "shop-10". */
function names(text: string, identifier: string): boolean {
  const escaped = identifier.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').test(text)
}
