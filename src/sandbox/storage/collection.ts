// A collection is declared as data; its table, indexes, listings and filters are derived from the declaration.

import type { Database } from './database.ts'

/** How the values of a field compare: as text, instants (ISO 8601 UTC with milliseconds), numbers or booleans. */
export type FieldKind = 'text' | 'date' | 'number' | 'boolean'

/** The fields of every stored document. Times are ISO 8601 UTC with milliseconds. */
export interface Stored {
  id: string
  created_at: string
  updated_at?: string | null
}

export interface Declaration {
  /** The table's name, and the member of a fixture file that holds these objects. */
  name: string
  /** The prefix of its ids, such as `v_`. */
  prefix: string
  /** The wire name of one object, in errors (`resource_type`) and as `object` on the wire. */
  type: string
  /** The natural key, a field that names an object besides its id (a voucher's `code`), unique within a project. */
  key?: string
  /** Whether a project may be configured to ignore the case of the key. */
  keyMayIgnoreCase?: true
  /** Fields with an index: lists restricted or ordered by one of them stay fast at a million rows. */
  indexed?: Record<string, FieldKind>
  /** Indexed fields of which one value may have a million objects: an index lists them by `created_at` as well. */
  many?: readonly string[]
  /** An indexed field by whose values the objects are counted as they come and go, so that no listing counts them. */
  tallied?: string
  /** What is kept of the objects as they come and go, so that nothing adds them up. */
  derived?: Derived
  /** More fields that can be filtered by, at the cost of a full scan. */
  filterable?: Record<string, FieldKind>
  /** Fields of related objects, or other names of a field, that can be filtered by: SQL over the row, and its kind. */
  computed?: Record<string, { sql: string; kind: FieldKind }>
  /**
   * Few, rarely changed, and read by many requests: what was read is kept in memory until something is changed
   * (database.ts, `cached`). Such a collection has nothing computed from others.
   */
  cached?: true
  /** Empty in most projects, though many requests ask for it: that it is empty is kept in memory. */
  usuallyEmpty?: true
  /** Named conditions such as `active: { $enabled: '…' }`, written in SQL over `doc`; `:now` is the current instant. */
  states?: Record<string, Record<string, string>>
}

/** What the objects of a collection add up to, kept in a table of its own. */
export interface Derived {
  /** The statement that creates the table where it is missing. */
  table: string
  /** Adds what objects count for, or takes it off; `docs` is a JSON array of them as they are stored. */
  add: (db: Database, projectId: string, docs: string, sign: 1 | -1) => void
  /** Replaces the table by what follows from all objects of all projects. */
  fill: (db: Database) => void
}

/** A declaration that knows the type of its documents; the type exists only for the compiler. */
export interface Collection<Doc extends Stored = Stored> extends Declaration {
  readonly document?: Doc
}

/** Declares a collection. Opens and creates nothing. */
export function collection<Doc extends Stored>(
  name: string,
  type: string,
  prefix: string,
  more: Omit<Declaration, 'name' | 'type' | 'prefix'> = {},
): Collection<Doc> {
  return { name, type, prefix, ...more }
}

/** Returns the columns of a collection besides `doc`: the common ones, the natural key, and the declared ones. */
export function columnsOf(declared: Declaration): Record<string, FieldKind> {
  return {
    created_at: 'date',
    updated_at: 'date',
    ...(declared.key === undefined ? {} : { [declared.key]: 'text' as const }),
    ...declared.indexed,
  }
}
