import { argument } from '../../../cli/flags/kinds.ts'
import { controlCommand } from '../../../cli/topics/sandbox/control-command.ts'
import { snapshotColumns } from '../../../output/columns/program.ts'

export default controlCommand('Go back to a snapshot of the embedded service', {
  description:
    'Everything is replaced in one step: data, keys, clock and pending work. A running sandbox continues with it; unsaved changes are lost. A snapshot is examined before anything is replaced, and one of another version of promo is refused.',
  examples: [
    'promo sandbox snapshot load before-checkout --data shop.db',
    'promo sandbox snapshot load monday --json --data shop.db',
  ],
  columns: snapshotColumns,
  args: { name: argument('the name') },
  call: 'snapshot.load',
  isChange: true,
  asked: ({ args }) => ({ name: args.name }),
})
