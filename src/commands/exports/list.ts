import { listCommand } from '../../cli/declared/list.ts'
import { choiceFlag } from '../../cli/flags/kinds.ts'
import { withoutAddress } from '../../cli/topics/exports/file.ts'
import { type ExportJob, listExports } from '../../contract/exports.ts'
import { exportColumns } from '../../output/columns/exports.ts'

export default listCommand('List exports, newest first', {
  description: 'Anyone who has the address of a file can open it, so tables and CSV hide the address.',
  examples: [
    'promo exports list --profile sandbox',
    'promo exports list --json --query "[?status==\'DONE\'].id" --profile sandbox',
  ],
  calls: [listExports],
  columns: exportColumns,
  flags: {
    order: choiceFlag(
      'the order of the rows; a leading - means descending',
      ['created_at', '-created_at', 'status', '-status'],
      { default: '-created_at' },
    ),
  },
  noun: 'exports',
  told: () => (job) => withoutAddress(job as ExportJob),
  request: ({ flags }) => ({ query: { order: flags.order } }),
})
