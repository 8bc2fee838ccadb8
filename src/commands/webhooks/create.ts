import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, serviceFlags, writeFlags } from '../../cli/flags/flags.ts'
import { choiceFlag } from '../../cli/flags/kinds.ts'
import { readBy } from '../../cli/prompt/check-answer.ts'
import { projectFlag } from '../../cli/session/project.ts'
import { createOnce, webhookChoices } from '../../cli/topics/webhooks/create.ts'
import { eventChoices, eventsNamed } from '../../cli/topics/webhooks/events.ts'
import { createWebhook, listWebhooks, updateWebhook, webhookConfiguration } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

export default class Create extends PromoCommand {
  static override summary = 'Create a webhook that sends events to an address'
  static override description =
    'Existing webhooks are listed first. One that sends the same events to the same address is refused, because every event would arrive twice; --if-exists says what else to do. If the answer is lost, a listing shows whether the webhook was created.'
  static override examples = [
    "promo webhooks create --url http://127.0.0.1:8090/ --event 'voucher.*' --profile sandbox",
    'promo webhooks create --url https://shop.example/hooks --event voucher.disabled,voucher.enabled --if-exists reuse --json --profile sandbox',
  ]
  static override effect = 'write' as const
  static override instead = (webhook: string) => `promo webhooks delete ${webhook} --dry-run`
  static override calls = [createWebhook, listWebhooks, updateWebhook]
  static override columns = webhookColumns
  static override asks = {
    url: { check: readBy(webhookConfiguration.shape.target_url) },
    event: { question: 'which events?', choices: eventChoices },
  }
  static override flags = {
    ...serviceFlags,
    ...projectFlag,
    ...outputFlags,
    url: Flags.string({
      description: 'the address of the receiver',
      helpValue: 'URL',
      required: true,
    }),
    event: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: "an event, or a pattern like 'voucher.*'",
      helpValue: 'NAME',
      required: true,
    }),
    active: Flags.boolean({ allowNo: true, default: true, description: 'switched on from the start' }),
    'if-exists': choiceFlag('if it exists: fail, reuse it, update it, or add another', webhookChoices, {
      default: 'fail',
    }),
    ...writeFlags,
  }

  async run() {
    const { flags } = await this.input(Create)
    const { url: target_url, event, active } = flags
    await createOnce({ target_url, events: eventsNamed(event), active }, flags, this)
  }
}
