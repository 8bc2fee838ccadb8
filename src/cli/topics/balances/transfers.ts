// A transfer of points from flags and a row, whose cells override the flags.
import type { Row } from '../../../bulk/input/row.ts'
import { usageError } from '../../../errors.ts'
import { wholeNumber } from '../../flags/values.ts'
import { mostPoints } from './command.ts'

export interface TransferFlags {
  to?: string | undefined
  points?: number | undefined
  reason?: string | undefined
  'source-id'?: string | undefined
  column?: string | undefined
}

/** Points to move from the card `code` to the card `to`. */
export interface Transfer {
  code: string
  to: string
  points: number
  /** Drawn for a row that has none. */
  source_id?: string
  reason?: string
}

/** The columns of a file of transfers, beside the card that the points come from. */
export const transferColumns = ['to', 'points', 'reason', 'source_id']

/**
 * Returns the function that reads the transfer of a row, which has a source id of its own unless the flags give one.
 *
 * It throws `usage` for a column that a transfer does not have, and for a row without card or points.
 */
export function transfersFrom(flags: TransferFlags): (row: Row) => Transfer {
  const { column = 'code' } = flags
  return ({ key, fields }) => {
    const given = Object.entries(fields).filter(([name, value]) => name !== column && value !== '' && value !== null)
    const strange = given.find(([name]) => !transferColumns.includes(name))
    if (strange)
      throw usageError(
        `a transfer has no field "${strange[0]}"`,
        `the columns are ${column}, ${transferColumns.join(', ')}`,
      )
    const cells = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
    const to = cells.to ?? flags.to
    const points = cells.points === undefined ? flags.points : wholeNumber(cells.points, 1, mostPoints)
    const reason = cells.reason ?? flags.reason
    if (to === undefined) throw usageError('no card given that gets the points', '--to CLUB-002, or a column "to"')
    if (points === undefined) throw usageError('no points given', '--points 50, or a column "points"')
    const source_id = cells.source_id ?? flags['source-id']
    return {
      code: key,
      to,
      points,
      ...(source_id !== undefined && { source_id }),
      ...(reason !== undefined && { reason }),
    }
  }
}
