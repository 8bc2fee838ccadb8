import { listCommand } from '../../cli/declared/list.ts'
import { listWebhooks } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

export default listCommand('List the webhooks of a project', {
  description:
    'A webhook that is not active may have been switched off by the service, which does so after a day of failed deliveries.',
  examples: [
    'promo webhooks list --profile sandbox',
    "promo webhooks list --json --query '[?active].target_url' --profile sandbox",
  ],
  calls: [listWebhooks],
  columns: webhookColumns,
  noun: 'webhooks',
  request: ({ projectId }) => ({ path: { projectId } }),
})
