import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { durationMs } from '../../../cli/flags/values.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default class Advance extends PromoCommand {
  static override summary = 'Move the time of the embedded service ahead, and do what is due in between'
  static override description =
    'The time stops at each instant at which something is due until it is done, in order: points expire, attempts to deliver a webhook are made, background jobs end. Codes expire, validity begins and tokens run out as time passes them. The command ends when all of that is done.'
  static override examples = [
    'promo sandbox clock advance 30d --data shop.db',
    'promo sandbox clock advance 36h --json --query now --data shop.db',
  ]
  static override effect = 'local' as const
  static override columns = clockColumns
  static override args = { duration: argument('how far: 90s, 30m, 36h or 30d') }
  static override flags = { ...outputFlags, ...controlFlags }

  async run() {
    const { args, flags } = await this.input(Advance)
    durationMs(args.duration)
    const clock = await controlled(flags, this.host, ({ call }) => call('clock.advance', { by: args.duration }))
    await this.emitOne(clock, Advance.columns, flags)
  }
}
