// Commands that read by key read several, too: what they are, and the columns of their results.
import type { Column, ColumnSet } from '../../../output/column.ts'

/** What a command that reads by key reads several of. */
export interface Several {
  /** One of them: `voucher`. */
  noun: string
  /** The column of a file that names it. */
  key: string
}

/** The columns of several: what was asked for and its outcome, before those of the object; `brief` are those of a table. */
export function severalColumns({ columns, ...set }: ColumnSet, brief: readonly string[] = []): ColumnSet {
  const outcome = [
    { name: 'asked', kind: 'identifier', inTable: true },
    { name: 'lookup', kind: 'identifier', inTable: true },
  ] as const
  const isChosen = brief.length > 0 || columns.some(({ inTable }) => inTable)
  const inTable = (name: string) => (brief.length > 0 ? brief.includes(name) : undefined)
  const shown = columns.map((column) => ({
    ...column,
    inTable: inTable(column.name) ?? (isChosen ? column.inTable : (column.inTable ?? !column.onRequest)),
  }))
  return { ...set, columns: [...outcome, ...shown] as Column[] }
}
