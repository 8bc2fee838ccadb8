// How jobs that redeem are undone: their redemptions are rolled back, by the ids that the journal keeps of the answers.
import { type Inverse, undoReason } from '../../undo.ts'

/** Rolls back what each row redeemed: the redemptions of a stack together, by the id that they are part of. */
export const rolledBack: Inverse = {
  command: 'redemptions:rollback',
  of: 'applied',
  columns: ['id', 'stacked'],
  flags: (job) => ({ reason: undoReason(job) }),
  lacking: 'the id of the redemption',
  row({ row: { line }, results: { id, parent_id } }) {
    const key = parent_id ?? id
    if (key === undefined || key.includes(' ')) return undefined
    return { line, key, fields: { id: key, stacked: parent_id === undefined ? '' : 'true' } }
  },
}
