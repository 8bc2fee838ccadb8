import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { getAsyncAction } from '../../contract/async-actions.ts'
import { asyncActionColumns } from '../../output/columns/resources/project.ts'

export default readCommand({
  summary: 'Show one background job of the service, with its result',
  examples: [
    'promo async get aa_19b8d627a800000001 --profile sandbox',
    'promo async get aa_19b8d627a800000001 --json --query result --profile sandbox',
  ],
  endpoint: getAsyncAction,
  columns: asyncActionColumns,
  args: { id: Args.string({ description: 'the id of a background job', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { asyncActionId: args.id } }),
})
