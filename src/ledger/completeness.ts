// Until when a copy is complete.
import type { Copy } from './copy.ts'
import type { TableName } from './schema.ts'

/** What balances are made of. */
export const balanceTables: readonly TableName[] = ['transactions', 'vouchers']

/** Returns the instant until which all of some tables are complete; undefined where one never was. */
export function completeUntil(copy: Copy, tables: readonly TableName[]): string | undefined {
  const row = copy.get<{ until: string | null }>(
    `SELECT iif(count(complete_until) = ${tables.length}, min(complete_until), NULL) AS until FROM sources
     WHERE name IN (${tables.map((name) => `'${name}'`).join()})`,
  )
  return row?.until ?? undefined
}

/** Returns what a reader must know of a result that a copy is too old for; undefined otherwise. */
export function gapUntil(last: string, until: string | undefined): string | undefined {
  if (until === undefined) return 'the copy was never complete'
  return until < last ? `the copy is complete until ${until}, and not until ${last}` : undefined
}
