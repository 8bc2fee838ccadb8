import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, serviceFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument, repeatable, switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { readBy } from '../../cli/prompt/check-answer.ts'
import { projectFlag } from '../../cli/session/project.ts'
import { eventChoices, eventsNamed } from '../../cli/topics/webhooks/events.ts'
import { updateOnce } from '../../cli/topics/webhooks/update.ts'
import { getWebhook, updateWebhook, webhookConfiguration } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

const changes = ['url', 'event', 'active']

export default class Update extends PromoCommand {
  static override summary = 'Change the address or the events of a webhook, or switch it on or off'
  static override description =
    'The named events replace all existing ones. Everything else stays as it is: the webhook is read first, because the service would otherwise switch it on.'
  static override examples = [
    'promo webhooks update wh_19b8d627a800000001 --no-active --profile sandbox',
    "promo webhooks update wh_19b8d627a800000001 --event 'voucher.*,redemption.*' --dry-run --profile sandbox",
  ]
  static override effect = 'write' as const
  static override undoOne = {
    because: 'its address may hold a secret, which the history does not keep',
    instead: () => 'promo webhooks update --help',
  }
  static override calls = [getWebhook, updateWebhook]
  static override columns = webhookColumns
  static override args = { id: argument('the id of a webhook') }
  static override asks = {
    url: { check: readBy(webhookConfiguration.shape.target_url) },
    event: { question: 'which events?', choices: eventChoices },
  }
  static override flags = {
    ...serviceFlags,
    ...projectFlag,
    ...outputFlags,
    url: textFlag('the new address for deliveries', 'URL', { atLeastOne: changes }),
    event: repeatable("its new events: a name, several separated by commas, or a pattern like 'voucher.*'", 'NAME', {
      atLeastOne: changes,
    }),
    active: switchFlag('whether it delivers', { allowNo: true, atLeastOne: changes }),
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Update)
    const { url, event, active } = flags
    const change = {
      ...(url !== undefined && { target_url: url }),
      ...(event !== undefined && { events: eventsNamed(event) }),
      ...(active !== undefined && { active }),
    }
    await updateOnce(flags, args.id, change, this)
  }
}
