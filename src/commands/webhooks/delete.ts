import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { deleteWebhook } from '../../contract/webhooks.ts'

export default writeCommand('Delete a webhook', {
  description: 'Deliveries that are waiting for another attempt are lost. Asks for confirmation.',
  examples: [
    'promo webhooks delete wh_19b8d627a800000001 --yes --profile sandbox',
    'promo webhooks delete wh_19b8d627a800000001 --dry-run --profile sandbox',
  ],
  calls: [deleteWebhook],
  instead: 'promo webhooks create --help',
  args: { id: argument('the id of a webhook') },
  request: ({ args, projectId }) => ({ path: { projectId, webhookId: args.id } }),
  question: ({ args }) => `delete webhook ${quotedValue(args.id)}`,
  done: ({ args }) => `deleted webhook "${args.id}"`,
})
