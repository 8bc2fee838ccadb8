import { PromoCommand } from '../../../cli/command.ts'
import { optionalArgument } from '../../../cli/flags/kinds.ts'
import { controlFlags, controlled } from '../../../cli/topics/sandbox/control.ts'

export default class Clear extends PromoCommand {
  static override summary = 'Remove the faults of a running sandbox, or one of them'
  static override examples = [
    'promo sandbox faults clear --data shop.db',
    'promo sandbox faults clear fault_1 --data shop.db',
  ]
  static override effect = 'local' as const
  static override args = { id: optionalArgument('the id of a fault (default: all)') }
  static override flags = controlFlags

  async run() {
    const { args, flags } = await this.input(Clear)
    const { removed } = await controlled(flags, this.host, ({ call }) => call('faults.clear', { id: args.id }), {
      mustServe: true,
    })
    this.messages(flags).say(removed === 1 ? 'removed 1 fault' : `removed ${removed} faults`)
  }
}
