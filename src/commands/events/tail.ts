import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { serviceFlags } from '../../cli/flags/flags.ts'
import { durationMs } from '../../cli/flags/values.ts'
import { polledCalls, polledTypes } from '../../cli/topics/events/sources.ts'
import { tail } from '../../cli/topics/events/tail.ts'
import { usageError } from '../../errors.ts'
import { happeningColumns } from '../../output/columns/events.ts'

export default class Tail extends PromoCommand {
  static override summary = 'Follow what happens in a project'
  static override description =
    `It reads the newest entries of lists again and again, and prints each new one once, with the service's time. What no list shows, polling cannot see: changes and deletions, points and credits, what was created and deleted between two looks, and entries that appear more than a minute late; webhooks listen receives all of that. It sees ${polledTypes.join(', ')}; vouchers and campaigns only when --type names them. While the service is unavailable it keeps trying.`
  static override examples = [
    '<%= config.bin %> events tail --profile sandbox',
    "<%= config.bin %> events tail --type 'redemption.*' --since 1h --once --jsonl --profile sandbox",
  ]
  static override calls = polledCalls
  static override columns = happeningColumns
  static override flags = {
    ...serviceFlags,
    type: Flags.string({
      description: "only these; a name, several separated by commas, or a pattern like 'redemption.*'",
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    since: Flags.string({
      description: 'begin in the past: 2026-01-05, 2026-01-05T12:00:00Z or 1h (default: now)',
      helpValue: 'TIME',
    }),
    interval: Flags.custom<number>({ parse: async (text) => atLeastOneSecond(durationMs(text)) })({
      default: 30_000,
      description: 'the time between two looks, at least 1s (default 30s)',
      helpValue: '30s',
    }),
    once: Flags.boolean({ dependsOn: ['since'], description: 'show what happened since then, and end' }),
    jsonl: Flags.boolean({ description: 'print each as a JSON object on a line of its own, with the entry as data' }),
  }

  async run() {
    const { flags } = await this.input(Tail)
    await tail(flags, () => this.connect(flags), this.host)
  }
}

function atLeastOneSecond(ms: number): number {
  if (ms < 1_000) throw usageError('an --interval is at least 1s', '--interval 10s')
  return ms
}
