// Points with their sign, for people. Programs get the number that the service sent.
import { formatOf, type OutputFlags } from './shaping.ts'

interface WithPoints {
  details?: { balance?: { points?: unknown } | null } | null
}

/** Gives the rows of a table a `+` on every gain of points; rows of every other form, or of a query, pass untouched. */
export async function* signedPoints(rows: AsyncIterable<object>, flags: OutputFlags): AsyncGenerator<object> {
  const isForPeople = formatOf(flags) === 'table' && flags.query === undefined
  for await (const row of rows) yield isForPeople ? signed(row) : row
}

function signed(row: object): object {
  const { details } = row as WithPoints
  const points = details?.balance?.points
  if (typeof points !== 'number' || points <= 0) return row
  return { ...row, details: { ...details, balance: { ...details?.balance, points: `+${points}` } } }
}
