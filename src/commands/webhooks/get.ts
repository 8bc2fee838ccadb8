import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getWebhook } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

export default readCommand('Show one webhook', {
  examples: [
    'promo webhooks get wh_19b8d627a800000001 --profile sandbox',
    "promo webhooks get wh_19b8d627a800000001 --json --query 'events' --profile sandbox",
  ],
  calls: [getWebhook],
  columns: webhookColumns,
  args: { id: argument('the id of a webhook') },
  request: ({ args, projectId }) => ({ path: { projectId, webhookId: args.id } }),
})
