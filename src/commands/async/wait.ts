import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { timeoutWait } from '../../cli/flags/wait.ts'
import { endedAction, exitOf } from '../../cli/topics/async/action.ts'
import { getAsyncAction } from '../../contract/async-actions.ts'
import { EXIT } from '../../errors.ts'
import { asyncActionColumns } from '../../output/columns/resources/project.ts'

export default readCommand('Wait for a background job of the service, and show its result', {
  description:
    'The exit code is 3 if the job failed, or anything in it: a job that is DONE may still have failed rows.',
  examples: [
    'promo campaigns vouchers add "Spring mailing" --count 10 --yes --json --query async_action_id --profile sandbox | xargs promo async wait --profile sandbox',
    'promo campaigns vouchers add "Spring mailing" --count 10 --yes --json --query async_action_id --profile sandbox | xargs promo async wait --timeout-wait 1h --json --query result --profile sandbox',
  ],
  calls: [getAsyncAction],
  columns: asyncActionColumns,
  args: { id: argument('the id of a background job') },
  flags: { 'timeout-wait': timeoutWait },
  read: (client, { args, flags, run }) => endedAction(client, args.id, flags['timeout-wait'], run),
  exit: { code: EXIT.refused, isDue: (ended) => exitOf(ended) === EXIT.refused },
})
