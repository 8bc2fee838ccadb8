import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { confirmFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { count, duration, repeatable, switchFlag } from '../../cli/flags/kinds.ts'
import { time } from '../../cli/flags/time.ts'
import { durationMs } from '../../cli/flags/values.ts'
import { projectFlag } from '../../cli/session/project.ts'
import { tailWebhook } from '../../cli/topics/events/own-webhook.ts'
import { polledCalls } from '../../cli/topics/events/sources.ts'
import { tail } from '../../cli/topics/events/tail.ts'
import { createWebhook, deleteWebhook, listWebhooks } from '../../contract/webhooks.ts'
import { usageError } from '../../errors.ts'
import { happeningColumns } from '../../output/columns/events.ts'

export default class Tail extends PromoCommand {
  static override summary = 'Follow what happens in a project'
  static override description =
    'Reads the newest entries of lists again and again, and prints each new one once. Without --type these are redemptions, publications, customers, orders, background jobs and changed vouchers. A changed object is shown as it is now. Deletions, and entries that appear more than a minute late, are not seen. With --webhook they are: it makes a webhook and removes it at the end.'
  static override examples = [
    'promo events tail --profile sandbox',
    "promo events tail --type 'redemption.*' --since 1h --once --jsonl --profile sandbox",
    'promo events tail --webhook http://127.0.0.1:8090/ --for 10m --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [...polledCalls, listWebhooks, createWebhook, deleteWebhook]
  static override columns = happeningColumns
  static override flags = {
    ...serviceFlags,
    ...projectFlag,
    type: repeatable("only this type, or a pattern like 'redemption.*'", 'NAME'),
    since: time({ description: 'only from this time on, like 2026-01-05 or 1h (default: now)' }),
    interval: Flags.custom<number>({ parse: async (text) => atLeastOneSecond(durationMs(text)) })({
      description: 'the time between two polls (at least 1s, default 30s)',
      helpValue: '30s',
    }),
    once: switchFlag('show what happened since --since, and end', { dependsOn: ['since'] }),
    for: duration('end after this time (default: at Ctrl-C)', '10m'),
    jsonl: switchFlag('print each as one line of JSON'),
    webhook: Flags.string({
      description: 'receive by a temporary webhook; its address must lead to this computer',
      exclusive: ['since', 'once'],
      helpValue: 'URL',
    }),
    port: count('the port to listen on (default: that of a --webhook on this computer)', 0, 65_535, {
      dependsOn: ['webhook'],
    }),
    'secret-stdin': switchFlag("read the webhook secret from stdin, instead of the profile's", {
      dependsOn: ['webhook'],
    }),
    ...confirmFlags,
  }

  async run() {
    const { flags } = await this.input(Tail)
    const { webhook, interval = 30_000 } = flags
    if (webhook === undefined) await tail({ ...flags, interval }, () => this.connect(), this)
    else await tailWebhook({ ...flags, webhook }, this)
  }
}

function atLeastOneSecond(ms: number): number {
  if (ms < 1_000) throw usageError('an --interval is at least 1s', '--interval 10s')
  return ms
}
