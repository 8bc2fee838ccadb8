import { writeCommand } from '../../cli/declared/write.ts'
import { argument, repeatable, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { readBy } from '../../cli/prompt/check-answer.ts'
import { eventChoices, eventsNamed } from '../../cli/topics/webhooks/events.ts'
import { getWebhook, updateWebhook, webhookConfiguration } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

const changes = ['url', 'event', 'active']

export default writeCommand('Change the address or the events of a webhook, or switch it on or off', {
  description:
    'The named events replace all existing ones. Everything else stays as it is: the webhook is read first, because the service would otherwise switch it on.',
  examples: [
    'promo webhooks update wh_19b8d627a800000001 --no-active --profile sandbox',
    "promo webhooks update wh_19b8d627a800000001 --event 'voucher.*,redemption.*' --dry-run --profile sandbox",
  ],
  calls: [updateWebhook, getWebhook],
  instead: 'promo webhooks update --help',
  columns: webhookColumns,
  args: { id: argument('the id of a webhook') },
  asks: {
    url: { check: readBy(webhookConfiguration.shape.target_url) },
    event: { question: 'which events?', choices: eventChoices },
  },
  flags: {
    url: textFlag('the address of the receiver', 'URL', { atLeastOne: changes }),
    event: repeatable("an event, or a pattern like 'voucher.*'", 'NAME', {
      atLeastOne: changes,
    }),
    active: switchFlag('switched on', { allowNo: true, atLeastOne: changes }),
  },
  request: ({ args: { id: webhookId }, flags: { url, event, active }, projectId }) => ({
    path: { projectId, webhookId },
    body: {
      ...(url !== undefined && { target_url: url }),
      ...(event !== undefined && { events: eventsNamed(event) }),
      ...(active !== undefined && { active }),
    } as never,
  }),
})
