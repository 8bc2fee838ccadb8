import { Flags } from '@oclif/core'
import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { clockColumns } from '../../../output/columns/program.ts'

export default class Resume extends PromoCommand {
  static override summary = 'Let the time of the embedded service go on'
  static override description =
    "It goes on from where it stands. With --real-time it is the computer's again, after everything that is due until then."
  static override examples = [
    'promo sandbox clock resume --data shop.db',
    'promo sandbox clock resume --real-time --allow-back --data shop.db',
  ]
  static override effect = 'local' as const
  static override columns = clockColumns
  static override flags = {
    ...outputFlags,
    ...controlFlags,
    'real-time': Flags.boolean({ description: "go on from the computer's time" }),
    'allow-back': Flags.boolean({ dependsOn: ['real-time'], description: 'go back in time, which undoes nothing' }),
  }

  async run() {
    const { flags } = await this.input(Resume)
    const body = { real_time: flags['real-time'], allow_back: flags['allow-back'] }
    const clock = await controlled(flags, this.host, ({ call }) => call('clock.resume', body))
    await this.emitOne(clock, Resume.columns, flags)
  }
}
