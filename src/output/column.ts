// Columns: the fields of an object that a table and CSV show, under their wire paths.

/**
 * What a column holds.
 *
 * `identifier` is never shortened and never neutralised; `verbatim` is written to CSV exactly as it was given, byte for
 * byte, because it will be read as an input again; `time` is an instant, shown in a zone; `number` is aligned right;
 * `flag` is true or false; `date` is a day without a time; `state` is one word that says how something ended or stands;
 * `reason` is a sentence and `address` the path of an object, both wrapped and never cut. Only `text` may be cut to fit a terminal (form/fit.ts).
 */
export type Kind = (typeof columnKinds)[number]

/** All kinds of columns. */
export const columnKinds = [
  'text',
  'identifier',
  'verbatim',
  'time',
  'number',
  'flag',
  'date',
  'state',
  'reason',
  'address',
] as const

export interface Column {
  /** Dotted wire path, such as `redemption.quantity`. */
  name: string
  /** Absent: derived from the name. */
  kind?: Kind
  /** The heading in a table; absent: the name. CSV always writes the name, or the title. */
  label?: string
  /** The heading in CSV, where it is not the name: a report repeats the heading of its input. */
  title?: string
  /** True shows it in a table by default, false hides it; a set without any true shows all but the false ones. */
  inTable?: boolean
  /** True: a narrow table leaves out others before it; where one column of a set says so, only those that do always stay. */
  stays?: boolean
  /** True: neither a table nor CSV has it unless it is requested. */
  onRequest?: boolean
}

export interface ColumnSet {
  columns: readonly Column[]
  /**
   * True: no other column exists. Absent: metadata and the members of the objects in `columns` may be requested too,
   * because the names in metadata are the customer's own and the service may gain fields; one that no row has is shown empty
   * and named on stderr. A set without columns takes any name.
   */
  closed?: boolean
  /** The columns that a record for people has, in this order; absent: every member that is filled. JSON and YAML have the object. */
  brief?: readonly string[]
  /** Further members of an object that may be requested, with everything in them. */
  also?: readonly string[]
}

/** Returns what a column holds. Names inside `metadata` are the customer's own, so none of them marks an identifier. */
export function kindOf({ name, kind }: Column): Kind {
  if (kind) return kind
  if (!name.startsWith('metadata.') && /(?:^|[._])id$|(?:^|\.)code$/.test(name)) return 'identifier'
  return /_(?:at|date)$/.test(name) ? 'time' : 'text'
}

/** Returns the columns a table shows: those requested, or the set's default. */
export function tableColumns(set: ColumnSet, asked?: readonly string[]): readonly Column[] {
  if (asked) return askedColumns(set, asked)
  const chosen = set.columns.filter(({ inTable }) => inTable)
  return chosen.length > 0 ? chosen : set.columns.filter(({ inTable, onRequest }) => inTable !== false && !onRequest)
}

/** Returns the columns CSV writes: those requested, or all of the set. */
export function csvColumns(set: ColumnSet, asked?: readonly string[]): readonly Column[] {
  return asked ? askedColumns(set, asked) : set.columns.filter(({ onRequest }) => !onRequest)
}

/** Returns the requested names that the set does not contain. */
export function unknownNames(set: ColumnSet, asked: readonly string[] = []): string[] {
  return asked.filter((name) => columnNamed(set, name) === undefined)
}

/** Returns the column that a user named: by its wire path, or by the heading that tables show. */
export function columnNamed({ columns }: ColumnSet, name: string): Column | undefined {
  return columns.find((column) => column.name === name) ?? columns.find(({ label }) => label === name)
}

/**
 * Returns the requested names that cannot be columns: a misspelt one, or one of nothing that the set knows.
 *
 * In an open set metadata may have any name, and so may a member of an object that has other columns.
 */
export function impossibleNames(set: ColumnSet, asked: readonly string[]): string[] {
  const { columns, closed, also = [] } = set
  const unknown = unknownNames(set, asked)
  if (closed || columns.length === 0) return closed ? unknown : []
  const tops = new Set([...columns.map(({ name }) => topOf(name)), ...also])
  return unknown.filter((name) => !/(?:^|\.)metadata(?:\.|$)/.test(name) && !tops.has(topOf(name)))
}

function topOf(path: string): string {
  return path.split('.', 1)[0] ?? ''
}

function askedColumns(set: ColumnSet, asked: readonly string[]): Column[] {
  return asked.map((name) => columnNamed(set, name) ?? { name })
}
