// How jobs that switch vouchers are undone: only what they changed, and what nobody changed since.
import type { Client } from '../../../api/client.ts'
import type { Row } from '../../../bulk/input/row.ts'
import type { RowResult } from '../../../bulk/run.ts'
import type { Inverse } from '../../undo.ts'

/** The member of a row of an undo that says when the job changed the voucher: `updated_at` of its answer. */
const leftAt = 'undone_updated_at'

/** Returns how jobs that switch vouchers are undone: only what they changed, and what nobody changed since. */
export function switchedBack(command: 'vouchers:enable' | 'vouchers:disable'): Inverse {
  return {
    command,
    of: 'changed',
    row({ row, results }) {
      const { updated_at } = results
      return updated_at === undefined ? undefined : { ...row, fields: { ...row.fields, [leftAt]: updated_at } }
    },
    lacking: 'when the job changed them (updated_at), by which changes of others would be noticed',
    async examine(job, client) {
      const { mustStampOnlyChanges } = await import('./stamps.ts')
      await mustStampOnlyChanges(job, client)
    },
  }
}

/** Returns the `leftAlone` of a command that switches vouchers on, or off (call-row.ts). */
export function unlessChanged(isOn: boolean): (client: Client, row: Row) => Promise<RowResult | undefined> {
  return async (client, row) => {
    const { leftAlone } = await import('./stamps.ts')
    return await leftAlone(client, row, { isOn, leftAt: row.fields[leftAt] })
  }
}
