// Columns: which fields of an object a table and CSV show, under their wire paths.

/**
 * What a column holds.
 *
 * `identifier` is never shortened and never neutralised; `verbatim` is in CSV exactly what somebody gave us, byte for byte,
 * because it is to be read as an input again; `time` is an instant, shown in a zone; `number` is aligned
 * right; `flag` is true or false; `date` is a day without a time. Only `text` may be cut to fit a terminal.
 */
export type Kind = 'text' | 'identifier' | 'verbatim' | 'time' | 'number' | 'flag' | 'date'

export interface Column {
  /** Dotted wire path, such as `redemption.quantity`. */
  name: string
  /** Absent: read off the name. */
  kind?: Kind
  /** What a table writes above it; absent: the name. CSV always writes the name. */
  label?: string
  /** True puts it into a table by default, false keeps it out; a set that says true nowhere shows all but the false. */
  inTable?: boolean
}

export interface ColumnSet {
  columns: readonly Column[]
  /**
   * True: no other column exists, and asking for one is refused. Absent: any path may be asked for, because the service
   * has metadata and may gain fields; one that no row has is shown empty, and named on stderr.
   */
  closed?: boolean
}

/** Gives what a column holds. Inside `metadata` every name is the customer's own, so none makes an identifier there. */
export function kindOf({ name, kind }: Column): Kind {
  if (kind) return kind
  if (!name.startsWith('metadata.') && /(?:^|[._])id$|(?:^|\.)code$/.test(name)) return 'identifier'
  return /_(?:at|date)$/.test(name) ? 'time' : 'text'
}

/** Gives the columns a table shows: those asked for, or the set's own choice. */
export function tableColumns(set: ColumnSet, asked?: readonly string[]): readonly Column[] {
  if (asked) return askedColumns(set, asked)
  const chosen = set.columns.filter(({ inTable }) => inTable)
  return chosen.length > 0 ? chosen : set.columns.filter(({ inTable }) => inTable !== false)
}

/** Gives the columns CSV writes: those asked for, or the whole set. */
export function csvColumns(set: ColumnSet, asked?: readonly string[]): readonly Column[] {
  return asked ? askedColumns(set, asked) : set.columns
}

/** Gives the names asked for that the set does not know. */
export function unknownNames(set: ColumnSet, asked: readonly string[] = []): string[] {
  return asked.filter((name) => !set.columns.some((column) => column.name === name))
}

function askedColumns(set: ColumnSet, asked: readonly string[]): Column[] {
  return asked.map((name) => set.columns.find((column) => column.name === name) ?? { name })
}
