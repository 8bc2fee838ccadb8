// Reads entire collections in slices, in any order, so that a million rows are never in memory at once.
import { columnsOf, type Declaration, type Stored } from './collection.ts'
import { type Condition, joinedConditions } from './conditions.ts'
import type { Bound, Database } from './database.ts'
import { jsonField, quotedName } from './schema.ts'

/** What to read. `orderBy` are declared paths, of which the first that has a value counts; equal values are ordered by id. */
export interface CollectionScan {
  projectId: string
  from: ReadonlyArray<{ declared: Declaration; where: readonly Condition[] }>
  orderBy: readonly string[]
  isDescending: boolean
}

/** Where the next slice begins: after the row with this value and id. */
export interface ScanPosition {
  value: Bound
  id: string
}

/** Returns the next slice of a scan; several collections are merged into one order. `next` is absent at the end. */
export function nextSlice(
  db: Database,
  scan: CollectionScan,
  limit: number,
  from?: ScanPosition,
): { docs: Stored[]; next?: ScanPosition } {
  const direction = scan.isDescending ? 'DESC' : 'ASC'
  const parts = scan.from.map(({ declared, where }) => {
    const value = orderedValue(declared, scan.orderBy)
    const rest = from ? [after(value, scan.isDescending, from)] : []
    const condition = joinedConditions([...living(scan.projectId), ...where, ...rest])
    return {
      sql: `SELECT doc, (${value}) AS value, id FROM ${quotedName(declared.name)} WHERE ${condition.sql}`,
      values: condition.values,
    }
  })
  const rows = db.all<{ doc: string; value: Bound; id: string }>(
    `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY 2 ${direction}, 3 ${direction} LIMIT ?`,
    ...parts.flatMap(({ values }) => values),
    limit,
  )
  const last = rows.at(-1)
  const docs = rows.map((row) => JSON.parse(row.doc) as Stored)
  return last && rows.length === limit ? { docs, next: { value: last.value, id: last.id } } : { docs }
}

/** Returns every metadata key of the rows of a scan, in alphabetical order. */
export function metadataKeys(db: Database, scan: CollectionScan): string[] {
  const parts = scan.from.map(({ declared, where }) => {
    const { sql, values } = joinedConditions([...living(scan.projectId), ...where])
    return { sql: `SELECT doc FROM ${quotedName(declared.name)} WHERE ${sql}`, values }
  })
  const rows = db.all<{ key: string }>(
    `SELECT DISTINCT member.key FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS row,
       json_each(row.doc, '$.metadata') AS member ORDER BY 1`,
    ...parts.flatMap(({ values }) => values),
  )
  return rows.map(({ key }) => key)
}

function living(projectId: string): Condition[] {
  return [{ sql: 'project_id = ? AND binned = 0', values: [projectId] }]
}

function orderedValue(declared: Declaration, orderBy: readonly string[]): string {
  const columns = ['id', ...Object.keys(columnsOf(declared))]
  const values = orderBy.map((path) => (columns.includes(path) ? quotedName(path) : jsonField(path)))
  return values.length > 1 ? `coalesce(${values.join(', ')})` : values.join()
}

/** Restricts a scan to the rows after a position. NULL sorts before every value, as in SQLite. */
function after(orderBy: string, isDescending: boolean, { value, id }: ScanPosition): Condition {
  const sign = isDescending ? '<' : '>'
  // Never NULL and indexed together with the id: in this form SQLite seeks to the position instead of reading up to it.
  if (orderBy === quotedName('created_at')) return { sql: `(created_at, id) ${sign} (?, ?)`, values: [value, id] }
  if (value === null)
    return { sql: `(${orderBy} IS ${isDescending ? 'NULL AND' : 'NOT NULL OR'} id ${sign} ?)`, values: [id] }
  const absent = isDescending ? ` OR (${orderBy}) IS NULL` : ''
  return {
    sql: `((${orderBy}) ${sign} ?${absent} OR ((${orderBy}) = ? AND id ${sign} ?))`,
    values: [value, value, id],
  }
}
