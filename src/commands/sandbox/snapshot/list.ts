import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { snapshotColumns } from '../../../output/columns/program.ts'

export default class List extends PromoCommand {
  static override summary = 'List the snapshots of the embedded service'
  static override examples = [
    'promo sandbox snapshot list --data shop.db',
    'promo sandbox snapshot list --json --data shop.db',
  ]
  static override effect = 'none' as const
  static override columns = snapshotColumns
  static override flags = { ...outputFlags, ...controlFlags }

  async run() {
    const { flags } = await this.input(List)
    const { snapshots } = await controlled(flags, this.host, ({ call }) => call('snapshot.list', undefined))
    await this.emit(snapshots, List.columns, flags, { nothing: 'no snapshots' })
  }
}
