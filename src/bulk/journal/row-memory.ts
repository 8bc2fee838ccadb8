// Rows in memory: the arguments of a command line, which are few and which the same command supplies again.
import { isActable } from '../batch.ts'
import type { Row } from '../input/row.ts'
import type { Placed, RowStore } from './row-store.ts'

/** Returns an empty store, which is lost when the process ends. */
export function rowsInMemory(): RowStore {
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
