import { argument } from '../../../cli/flags/kinds.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { snapshotColumns } from '../../../output/columns/program.ts'

export default controlCommand('Save everything that the embedded service holds, under a name', {
  description:
    'Data, keys, clock and pending work are copied while others read and write; a snapshot of the same name is replaced. It is one file, in the folder of snapshots beside the data.',
  examples: [
    'promo sandbox snapshot save before-checkout --data shop.db',
    'promo sandbox snapshot save monday --json --data shop.db',
  ],
  columns: snapshotColumns,
  args: { name: argument('the name') },
  call: 'snapshot.save',
  isChange: true,
  asked: ({ args }) => ({ name: args.name }),
})
