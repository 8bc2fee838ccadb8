// Points with their sign, for people. Programs get the number that the service sent.
import { isPlainTable, type OutputFlags } from '../../result/output.ts'

interface WithPoints {
  details?: { balance?: { points?: unknown } | null } | null
}

/** Adds a `+` to a gain of points in a row of a table; in other formats and for a query, the row is returned unchanged. */
export function signedPoints(row: object, flags: OutputFlags): object {
  if (!isPlainTable(flags)) return row
  const { details } = row as WithPoints
  const points = details?.balance?.points
  if (typeof points !== 'number' || points <= 0) return row
  return { ...row, details: { ...details, balance: { ...details?.balance, points: `+${points}` } } }
}
