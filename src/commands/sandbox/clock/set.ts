import { Flags } from '@oclif/core'
import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { instantFrom } from '../../../cli/flags/time.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default class SetClock extends PromoCommand {
  static override summary = 'Stop the time of the embedded service at an instant'
  static override description =
    'Everything that is due until then is done first, in its order, as with `sandbox clock advance`. The time stands still until it is advanced or resumed.'
  static override examples = [
    'promo sandbox clock set 2099-12-24T18:00:00Z --data shop.db',
    'promo sandbox clock set 2026-01-01 --allow-back --data shop.db',
  ]
  static override effect = 'local' as const
  static override columns = clockColumns
  static override args = { time: argument('a day (in UTC) or an instant') }
  static override flags = {
    ...outputFlags,
    ...controlFlags,
    'allow-back': Flags.boolean({ description: 'go back in time, which undoes nothing' }),
  }

  async run() {
    const { args, flags } = await this.input(SetClock)
    const body = { time: instantFrom(args.time), allow_back: flags['allow-back'] }
    const clock = await controlled(flags, this.host, ({ call }) => call('clock.set', body))
    await this.emitOne(clock, SetClock.columns, flags)
  }
}
