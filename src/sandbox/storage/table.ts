// One collection of one project: read, write, list. All operations are synchronous, inside the caller's transaction.
import { isDeepStrictEqual } from 'node:util'
import { type Collection, columnsOf, type Stored } from './collection.ts'
import { type Condition, joinedConditions } from './conditions.ts'
import type { Bound, Database } from './database.ts'
import { jsonField, quotedName } from './schema.ts'

/** A page of a listing by page number, with the count of all matches. */
export interface Page<Doc> {
  items: Doc[]
  total: number
}

/** A page of a listing by cursor. `more_starting_after` is the last id of the page when more objects follow. */
export interface CursorPage<Doc> {
  items: Doc[]
  has_more: boolean
  more_starting_after?: string
}

/** A page of a listing by cursor whose objects are shown as they are stored: `text` is their JSON array. */
export interface StoredPage extends Omit<CursorPage<never>, 'items'> {
  text: string
}

export interface Table<Doc extends Stored> {
  get: (id: string) => Doc | undefined
  /**
   * Finds by id, else by natural key.
   *
   * ASSUMED A120: an id takes precedence over a key: whoever names an object by its id never gets one that is called like it.
   */
  find: (idOrKey: string) => Doc | undefined
  /** Finds by natural key alone. */
  findByKey: (key: string) => Doc | undefined
  /**
   * Finds objects by natural key, several at once; in no particular order, and without those that do not exist. They stay in memory
   * until they change (ADR 15), so they are frozen.
   */
  findAll: (keys: readonly string[]) => Doc[]
  /** Returns whether a natural key is in use, also by an object in the bin. */
  holdsKey: (key: string) => boolean
  /** Stores a new object, and returns it. Throws SQLite's constraint error (see `isSqliteError`) when its id or natural key exists. */
  insert: (doc: Doc) => Doc
  /**
   * Stores new objects, given as the text of a JSON array of them, with one statement: that takes a third of the time of as many
   * calls of `insert`. Throws as `insert` does.
   */
  insertAll: (docs: string) => void
  /**
   * Stores a changed object under its id; returns false when it does not exist. `before` is the object as it is stored, for
   * those who have read it already.
   */
  update: (doc: Doc, before?: Doc) => boolean
  /** Hides an object, whose id and natural key stay taken; returns false when it does not exist. */
  bin: (id: string) => boolean
  /** Removes an object permanently, also from the bin; returns false when it does not exist. */
  remove: (id: string) => boolean
  /** Lists by page number. `order` is a declared column or `id`, `-` for descending; equal values are ordered by age. */
  page: (where: readonly Condition[], order: string, limit: number, page: number) => Page<Doc>
  /** Lists by id, after `startingAfterId`; the last page costs as much as the first. */
  cursor: (where: readonly Condition[], order: 'id' | '-id', limit: number, startingAfterId?: string) => CursorPage<Doc>
  /** Lists like `cursor`, without reading the objects: for answers that show them as they are stored. */
  cursorText: (where: readonly Condition[], order: 'id' | '-id', limit: number, startingAfterId?: string) => StoredPage
  /** Returns all matches, ordered by id. For collections known to be small. */
  all: (where?: readonly Condition[]) => Doc[]
  count: (where?: readonly Condition[]) => number
  /** Counts the objects with each of these values of the tallied field, with one query; a value that no object has is left out. */
  counts: (values: readonly string[]) => Map<string, number>
}

interface Row {
  doc: string
}

/** Where an object is, and what the tallies count it by. */
interface Held {
  at: number
  binned: number
  tallied: Bound
  key: string | null
  /** Where something is kept of what it counts for. */
  doc: string | null
}

const counting = 'INSERT INTO tallies VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET live = live + ?4'
const tallied = 'SELECT live FROM tallies WHERE project_id = ? AND collection = ? AND value = ?'
const talliedEach = `SELECT value, live FROM tallies
  WHERE project_id = ? AND collection = ? AND value IN (SELECT value FROM json_each(?))`

/**
 * Returns a collection of one project. Keeps no state besides prepared statements of the connection.
 *
 * ASSUMED A146: with `ignoresCase`, natural keys that differ only by the case of ASCII letters are equal.
 */
export function tableOf<Doc extends Stored>(
  db: Database,
  declared: Collection<Doc>,
  projectId: string,
  ignoresCase = false,
): Table<Doc> {
  const collate = ignoresCase && declared.keyMayIgnoreCase ? ' COLLATE NOCASE' : ''
  const name = quotedName(declared.name)
  const key = declared.key === undefined ? undefined : quotedName(declared.key)
  const columns = Object.keys(columnsOf(declared))
  const sortable = new Set(['id', ...columns])
  const parseRow = (row: Row | undefined) => (row ? docOf(row) : undefined)
  const docOf = ({ doc }: Row): Doc => (declared.cached ? deepFreeze(JSON.parse(doc)) : JSON.parse(doc))
  const scope = `${declared.name} ${projectId}${collate}`
  const readCached = <T>(what: string, value: string, read: () => T): T =>
    declared.cached ? db.cached(`${scope} ${what} ${value}`, read) : read()
  const uncache = () => declared.cached && db.uncache()
  // By the key as it is stored, whatever the case in which it was asked for.
  const keptAs = (stored: string | null) => `${declared.name} ${projectId} kept ${stored}`
  const keyOf = (doc: Doc) => ((doc as Record<string, unknown>)[declared.key ?? ''] ?? null) as string | null
  const alive: Condition = { sql: 'project_id = ? AND binned = 0', values: [projectId] }
  const isOfMany = ({ seeks }: Condition) => seeks !== undefined && declared.many?.includes(seeks) === true
  const live = (where: readonly Condition[]) => {
    if (where.length === 0) return alive
    // Between two indexes SQLite guesses: what has few matches is looked up, and what has many compared.
    const hasFew = where.some((one) => one.seeks !== undefined && !isOfMany(one))
    const used = hasFew ? where.map((one) => (isOfMany(one) ? { ...one, sql: `+${one.sql}` } : one)) : where
    return joinedConditions([alive, ...used])
  }
  const rows = (where: Condition, tail: string, ...values: Bound[]) =>
    db.all<Row>(`SELECT doc FROM ${name} WHERE ${where.sql} ${tail}`, ...where.values, ...values).map(docOf)
  const tally = (difference: number, value: Bound) => {
    for (const counted of value ? ['', value] : ['']) db.run(counting, projectId, declared.name, counted, difference)
    uncache()
  }
  const derive = (sign: 1 | -1, doc: string) => declared.derived?.add(db, projectId, `[${doc}]`, sign)
  const count = (where: readonly Condition[] = []) => {
    const [only, ...others] = where
    const { field, value } = only?.equals ?? {}
    const isTallied = field !== undefined && field === declared.tallied && typeof value === 'string' && value !== ''
    if (others.length === 0 && (!only || isTallied))
      return db.get<{ live: number }>(tallied, projectId, declared.name, value ?? '')?.live ?? 0
    const { sql, values } = live(where)
    return db.get<{ total: number }>(`SELECT count(*) AS total FROM ${name} WHERE ${sql}`, ...values)?.total ?? 0
  }
  // Written once: a text that is put together for each call is hashed each time before its statement is found.
  const byId = `SELECT doc FROM ${name} WHERE project_id = ? AND id = ? AND binned = 0`
  const byKey = `SELECT doc FROM ${name} WHERE project_id = ? AND ${key} = ?${collate} AND binned = 0`
  const emptiness = `${declared.name} ${projectId} is empty`
  const any = `SELECT 1 AS one FROM ${name} WHERE ${alive.sql} LIMIT 1`
  /** Most projects lack something that every request asks for, such as webhooks. */
  const isEmpty = () =>
    (declared.cached || declared.usuallyEmpty) === true &&
    db.cached(emptiness, () => db.get(any, projectId) === undefined)
  const get = (id: string) =>
    isEmpty() ? undefined : readCached('id', id, () => parseRow(db.get<Row>(byId, projectId, id)))

  const findByKey = (value: string) =>
    key === undefined || isEmpty()
      ? undefined
      : readCached('key', value, () => parseRow(db.get<Row>(byKey, projectId, value)))

  /** Whether what the conditions find is in this order already, or is found by reading the project in this order. */
  const isOrdered = (where: readonly Condition[], field: string) => {
    const sought = where.filter(({ seeks }) => seeks !== undefined && seeks !== field)
    return sought.every((one) => one.equals && (field === 'id' || (field === 'created_at' && isOfMany(one))))
  }

  const setting = (column: string) => `${quotedName(column)} = ${jsonField(column, '?1')}`
  const group = declared.tallied === undefined ? 'NULL' : quotedName(declared.tallied)
  const groupOf = (doc: Doc) => ((doc as Record<string, unknown>)[declared.tallied ?? ''] ?? null) as Bound
  const into = `INSERT INTO ${name} (${['project_id', 'id', 'doc', ...columns.map(quotedName)].join(', ')})`
  const valuesOf = (id: string, doc: string) =>
    ['?1', id, doc, ...columns.map((column) => jsonField(column, doc))].join(', ')
  const inserting = `${into} VALUES (${valuesOf('?2', '?3')})`
  const holding = `SELECT rowid AS at, binned, ${group} AS tallied, ${key ?? 'NULL'} AS key, ${declared.derived ? 'doc' : 'NULL'} AS doc FROM ${name} WHERE project_id = ? AND id = ?`

  return {
    get,
    find: (idOrKey) => get(idOrKey) ?? findByKey(idOrKey),
    findByKey,
    findAll: (keys) => {
      const found = keys.map((one) => db.peek<Doc>(keptAs(one)))
      const unread = keys.filter((_, at) => found[at] === undefined)
      if (unread.length > 0) {
        // Without the plus another index would be scanned.
        const sql = `project_id = ? AND ${key}${collate} IN (SELECT value FROM json_each(?)) AND +binned = 0`
        for (const doc of rows({ sql, values: [projectId, JSON.stringify(unread)] }, ''))
          found.push(db.cached(keptAs(keyOf(doc)), () => deepFreeze(doc)))
      }
      return found.filter((doc) => doc !== undefined)
    },
    holdsKey: (value) =>
      key !== undefined &&
      db.get(`SELECT 1 AS held FROM ${name} WHERE project_id = ? AND ${key} = ?${collate}`, projectId, value) !==
        undefined,
    insert: (doc) => {
      const text = JSON.stringify(doc)
      db.run(inserting, projectId, doc.id, text)
      derive(1, text)
      db.uncache(emptiness)
      tally(1, groupOf(doc))
      return doc
    },
    insertAll: (docs) => {
      db.run(
        `${into} SELECT ${valuesOf(jsonField('id', 'value'), 'value')} FROM json_each(?2) ORDER BY key`,
        projectId,
        docs,
      )
      declared.derived?.add(db, projectId, docs, 1)
      db.uncache(emptiness)
      const counted = declared.tallied === undefined ? 'NULL' : jsonField(declared.tallied, 'value')
      const groups = `SELECT ${counted} AS tallied, count(*) AS live FROM json_each(?) GROUP BY 1`
      for (const { tallied, live } of db.all<{ tallied: Bound; live: number }>(groups, docs)) tally(live, tallied)
    },
    update: (doc, before = get(doc.id)) => {
      if (!before) return false
      const sets = columns.filter((column) => !isDeepStrictEqual(valueAt(before, column), valueAt(doc, column)))
      const updating = `UPDATE ${name} SET ${['doc = ?1', ...sets.map(setting)].join(', ')}`
      const where = 'WHERE project_id = ?2 AND id = ?3 AND binned = 0'
      const text = JSON.stringify(doc)
      if (db.run(`${updating} ${where}`, text, projectId, doc.id) === 0) return false
      if (declared.derived) {
        derive(-1, JSON.stringify(before))
        derive(1, text)
      }
      uncache()
      for (const version of [before, doc]) db.uncache(keptAs(keyOf(version)))
      const [former, present] = [groupOf(before), groupOf(doc)]
      if (former === present) return true
      tally(-1, former)
      tally(1, present)
      return true
    },
    bin: (id) => {
      const row = db.get<Held>(holding, projectId, id)
      if (row?.binned !== 0) return false
      db.run(`UPDATE ${name} SET binned = 1 WHERE rowid = ?`, row.at)
      db.uncache(keptAs(row.key))
      tally(-1, row.tallied)
      if (row.doc !== null) derive(-1, row.doc)
      return true
    },
    remove: (id) => {
      const row = db.get<Held>(holding, projectId, id)
      if (!row) return false
      db.run(`DELETE FROM ${name} WHERE rowid = ?`, row.at)
      db.uncache(keptAs(row.key))
      if (row.binned !== 0) return true
      tally(-1, row.tallied)
      if (row.doc !== null) derive(-1, row.doc)
      return true
    },
    page: (where, order, limit, page) => {
      const field = order.replace(/^-/, '')
      if (!sortable.has(field)) throw new Error(`collection ${declared.name} declares no order ${order}`)
      // ASSUMED A125: an object without the value (never updated) sorts before every object with one.
      const direction = order.startsWith('-') ? 'DESC' : 'ASC'
      // The index of a natural key ends with the rowid, every other one with the id: ordering by them needs no sorting.
      const tie = field === 'id' ? '' : `, ${field === declared.key ? 'rowid' : 'id'} ${direction}`
      const condition = live(where)
      return {
        items: rows(
          condition,
          `ORDER BY ${isOrdered(where, field) ? '' : '+'}${quotedName(field)} ${direction}${tie} LIMIT ? OFFSET ?`,
          limit,
          (page - 1) * limit,
        ),
        total: count(where),
      }
    },
    cursor: (where, order, limit, startingAfterId) => {
      const found = rows(live(afterId(where, order, startingAfterId)), idOrder(order), limit + 1)
      const items = found.slice(0, limit)
      const last = items.at(-1)
      if (found.length <= limit || !last) return { items, has_more: false }
      return { items, has_more: true, more_starting_after: last.id }
    },
    cursorText: (where, order, limit, startingAfterId) => {
      const { sql, values } = live(afterId(where, order, startingAfterId))
      // Joined in the order in which the subquery returns them.
      const joined = `SELECT group_concat(doc) AS docs, ${order === 'id' ? 'max' : 'min'}(id) AS last
        FROM (SELECT doc, id FROM ${name} WHERE ${sql} ${idOrder(order)})`
      const { docs, last } = db.get<{ docs: string; last: string }>(joined, ...values, limit) ?? {}
      if (!last) return { text: '[]', has_more: false }
      const rest = live(afterId(where, order, last))
      const has_more = db.get(`SELECT 1 FROM ${name} WHERE ${rest.sql} LIMIT 1`, ...rest.values) !== undefined
      return { text: `[${docs}]`, has_more, ...(has_more && { more_starting_after: last }) }
    },
    all: (where = []) => {
      if (isEmpty()) return []
      const condition = live(where)
      // Rather than sort what a list finds, SQLite would read the whole project in the order of the ids.
      const order = where.some(({ seeks, equals }) => seeks && !equals) ? 'ORDER BY +id' : 'ORDER BY id'
      const read = () => rows(condition, order)
      return declared.cached
        ? readCached(condition.sql, JSON.stringify(condition.values), () => Object.freeze(read()) as Doc[])
        : read()
    },
    count,
    counts: (values) => {
      if (declared.tallied === undefined) throw new Error(`collection ${declared.name} is not tallied`)
      if (values.length === 0) return new Map()
      const found = db.all<{ value: string; live: number }>(
        talliedEach,
        projectId,
        declared.name,
        JSON.stringify(values),
      )
      return new Map(found.map(({ value, live }) => [value, live]))
    },
  }
}

function idOrder(order: 'id' | '-id'): string {
  return `ORDER BY id ${order === 'id' ? 'ASC' : 'DESC'} LIMIT ?`
}

function afterId(where: readonly Condition[], order: 'id' | '-id', id: string | undefined): readonly Condition[] {
  return id === undefined ? where : [...where, { sql: `id ${order === 'id' ? '>' : '<'} ?`, values: [id] }]
}

function valueAt(doc: object, column: string): unknown {
  let value: unknown = doc
  for (const name of column.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value ?? null
}

/** Protects what is shared: whoever tries to change it gets a TypeError. */
function deepFreeze<Doc>(doc: Doc): Doc {
  if (typeof doc !== 'object' || doc === null) return doc
  for (const value of Object.values(doc)) deepFreeze(value)
  return Object.freeze(doc)
}
