import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { snapshotColumns } from '../../../output/columns/program.ts'

export default controlCommand('List the snapshots of the embedded service', {
  examples: ['promo sandbox snapshot list --data shop.db', 'promo sandbox snapshot list --json --data shop.db'],
  columns: snapshotColumns,
  call: 'snapshot.list',
  list: { member: 'snapshots', nothing: 'no snapshots' },
})
