import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags } from '../../../cli/flags/flags.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'
import { faultColumns } from '../../../output/columns/program.ts'

export default class List extends PromoCommand {
  static override summary = 'List the faults of a running sandbox, and how often each struck'
  static override examples = [
    'promo sandbox faults list --data shop.db',
    'promo sandbox faults list --json --data shop.db',
  ]
  static override effect = 'none' as const
  static override columns = faultColumns
  static override flags = { ...outputFlags, ...controlFlags }

  async run() {
    const { flags } = await this.input(List)
    const { faults } = await controlled(flags, this.host, ({ call }) => call('faults.list', undefined), {
      mustServe: true,
    })
    await this.emit(faults, List.columns, flags, { nothing: 'no faults' })
  }
}
