import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { getWebhook } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

export default readCommand({
  summary: 'Show one webhook',
  examples: [
    'promo webhooks get wh_19b8d627a800000001 --profile sandbox',
    "promo webhooks get wh_19b8d627a800000001 --json --query 'events' --profile sandbox",
  ],
  endpoint: getWebhook,
  columns: webhookColumns,
  args: { id: Args.string({ description: 'the id of a webhook', ignoreStdin: true, required: true }) },
  request: ({ args, projectId }) => ({ path: { projectId, webhookId: args.id } }),
})
