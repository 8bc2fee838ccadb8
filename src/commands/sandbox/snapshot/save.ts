import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { snapshotColumns } from '../../../output/columns/program.ts'

export default class Save extends PromoCommand {
  static override summary = 'Save everything that the embedded service holds, under a name'
  static override description =
    'Data, keys, clock and work that waits are copied while others read and write; a snapshot of the same name is replaced. It is one file, in the folder of snapshots beside the data.'
  static override examples = [
    'promo sandbox snapshot save before-checkout --data shop.db',
    'promo sandbox snapshot save monday --json --data shop.db',
  ]
  static override effect = 'local' as const
  static override columns = snapshotColumns
  static override args = { name: argument('its name') }
  static override flags = { ...outputFlags, ...controlFlags }

  async run() {
    const { args, flags } = await this.input(Save)
    const snapshot = await controlled(flags, this.host, ({ call }) => call('snapshot.save', { name: args.name }))
    await this.emitOne(snapshot, Save.columns, flags)
  }
}
