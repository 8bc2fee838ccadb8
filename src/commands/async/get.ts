import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getAsyncAction } from '../../contract/async-actions.ts'
import { asyncActionColumns } from '../../output/columns/resources/project.ts'

export default readCommand('Show one background job of the service, with its result', {
  examples: [
    'promo campaigns vouchers add "Spring mailing" --count 10 --yes --json --query async_action_id --profile sandbox | xargs promo async get --profile sandbox',
    'promo campaigns vouchers add "Spring mailing" --count 10 --yes --json --query async_action_id --profile sandbox | xargs promo async get --json --query status --profile sandbox',
  ],
  calls: [getAsyncAction],
  columns: asyncActionColumns,
  args: { id: argument('the id of a background job') },
  request: ({ args }) => ({ path: { asyncActionId: args.id } }),
})
