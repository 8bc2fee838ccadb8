import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { waitFlags } from '../../cli/flags/wait.ts'
import { shownExport } from '../../cli/topics/exports/file.ts'
import { readExport } from '../../cli/topics/exports/wait.ts'
import { getExport } from '../../contract/exports.ts'
import { EXIT } from '../../errors.ts'
import { exportColumns } from '../../output/columns/exports.ts'

export default readCommand('Show an export, now or when it is finished', {
  description:
    'Anyone who has the address of the file can open it, so tables and CSV hide the address. With --wait, the exit code is 3 if the export failed.',
  examples: [
    'promo loyalty transactions export CLUB-001 --json --query id --profile sandbox | xargs promo exports get --profile sandbox',
    'promo loyalty transactions export CLUB-001 --json --query id --profile sandbox | xargs promo exports get --wait --json --query status --profile sandbox',
  ],
  calls: [getExport],
  columns: exportColumns,
  args: { id: argument('the id of an export') },
  flags: waitFlags,
  read: (client, { args, flags, run }) => readExport(client, args.id, flags, run),
  shown: (job, { run }) => shownExport(job, run.show),
  exit: { code: EXIT.refused, isDue: ({ status }, { flags }) => flags.wait && status === 'ERROR' },
})
