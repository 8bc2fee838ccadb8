// A collection is declared as data; the table, its indexes, listings and filters follow from the declaration.

/** How the values of a field compare: as text, as instants (ISO 8601 UTC with milliseconds), as numbers, as true/false. */
export type FieldKind = 'text' | 'date' | 'number' | 'boolean'

/** What every stored document has. Times are ISO 8601 UTC with milliseconds. */
export interface Stored {
  id: string
  created_at: string
  updated_at?: string | null
}

export interface Declaration {
  /** The table's name, and the member of a fixture file that holds these objects. */
  name: string
  /** What its ids begin with, such as `v_`. */
  prefix: string
  /** The wire name of one object, as errors say it (`resource_type`) and as `object` on the wire. */
  type: string
  /** The field that names an object besides its id (a voucher's `code`), unique within a project. */
  key?: string
  /** Whether a project may be set to ignore the case of this field. */
  keyMayIgnoreCase?: true
  /** Fields with an index: every list that is restricted or ordered by one of them stays fast at a million rows. */
  indexed?: Record<string, FieldKind>
  /** Fields that can be filtered too, at the price of reading every row. */
  filterable?: Record<string, FieldKind>
  /** Named conditions such as `active: { $enabled: '…' }`, written in SQL over `doc`; `:now` is the current instant. */
  states?: Record<string, Record<string, string>>
}

/** A declaration that knows the type of its documents; the type exists only for the compiler. */
export interface Collection<Doc extends Stored = Stored> extends Declaration {
  readonly document?: Doc
}

/** Declares a collection. Nothing is opened or made by it. */
export function collection<Doc extends Stored>(declared: Declaration): Collection<Doc> {
  return declared
}

/** The columns of a collection beside `doc`: those every one has, the natural key, and the declared ones. */
export function columnsOf(declared: Declaration): Record<string, FieldKind> {
  return {
    created_at: 'date',
    updated_at: 'date',
    ...(declared.key === undefined ? {} : { [declared.key]: 'text' as const }),
    ...declared.indexed,
  }
}
