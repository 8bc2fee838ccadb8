import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { snapshotColumns } from '../../../output/columns/program.ts'

export default class Load extends PromoCommand {
  static override summary = 'Go back to a snapshot of the embedded service'
  static override description =
    'Everything is replaced in one step: data, keys, clock and work that waits. A running sandbox goes on with it; what was not saved is gone. A snapshot is examined before anything is replaced, and one of another version of promo is refused.'
  static override examples = [
    'promo sandbox snapshot load before-checkout --data shop.db',
    'promo sandbox snapshot load monday --json --data shop.db',
  ]
  static override effect = 'local' as const
  static override columns = snapshotColumns
  static override args = { name: argument('its name') }
  static override flags = { ...outputFlags, ...controlFlags }

  async run() {
    const { args, flags } = await this.input(Load)
    const snapshot = await controlled(flags, this.host, ({ call }) => call('snapshot.load', { name: args.name }))
    await this.emitOne(snapshot, Load.columns, flags)
  }
}
