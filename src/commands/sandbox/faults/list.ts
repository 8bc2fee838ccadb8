import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { faultColumns } from '../../../output/columns/program.ts'

export default controlCommand('List the faults of a running sandbox, and how often each struck', {
  examples: ['promo sandbox faults list --data shop.db', 'promo sandbox faults list --json --data shop.db'],
  columns: faultColumns,
  call: 'faults.list',
  mustServe: true,
  list: { member: 'faults', nothing: 'no faults' },
})
