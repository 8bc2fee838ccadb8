import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default class Show extends PromoCommand {
  static override summary = 'Show the time of the embedded service'
  static override description =
    'It is the time of the computer until it is set or advanced. `next_due_at` is when something happens by itself next, such as the expiry of points or one more attempt to deliver a webhook.'
  static override examples = ['promo sandbox clock show', 'promo sandbox clock show --json --query now']
  static override effect = 'none' as const
  static override columns = clockColumns
  static override flags = { ...outputFlags, ...controlFlags }

  async run() {
    const { flags } = await this.input(Show)
    const clock = await controlled(flags, this.host, ({ call }) => call('clock.show', undefined))
    await this.emitOne(clock, Show.columns, flags)
  }
}
