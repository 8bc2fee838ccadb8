// Commands that read by key read several, too: what they are, and the columns of their results.
import type { Column, ColumnSet } from '../../../output/column.ts'

/** What a command that reads by key reads several of. */
export interface Several {
  /** One of them: `voucher`. */
  noun: string
  /** The column of a file that names it. */
  key: string
}

/** The columns of several: what was asked for and its outcome, before those of the object; a table has those of a brief record. */
export function severalColumns({ columns, brief, ...set }: ColumnSet): ColumnSet {
  const outcome = [
    { name: 'asked', kind: 'identifier', inTable: true },
    { name: 'lookup', kind: 'identifier', inTable: true },
  ] as const
  const isChosen = columns.some(({ inTable }) => inTable)
  const shown = columns.map((column) => ({
    ...column,
    inTable: brief?.includes(column.name) ?? (isChosen ? column.inTable : (column.inTable ?? !column.onRequest)),
  }))
  return { ...set, columns: [...outcome, ...shown] as Column[] }
}
