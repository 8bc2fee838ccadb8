import { PromoCommand } from '../cli/command.ts'
import { outputFlags } from '../cli/flags/flags.ts'
import { argumentList } from '../cli/flags/kinds.ts'
import { commandRecord } from '../cli/help/command-record.ts'
import { describedCommands } from '../cli/help/manifest.ts'
import { findCommand } from '../cli/run/find-command.ts'
import { commandColumns } from '../output/columns/program.ts'

export default class Commands extends PromoCommand {
  static override summary =
    'List every command, or those of some words: what they do, flags, columns, calls and exit codes'
  static override description =
    'effect is none, local (this computer), read or write (the service). repeat is what one more identical run does there: read, idempotent, key (refused), reconcile (searched for first), duplicate (does no harm) or once (happens twice). In JSON, each command has its arguments, flags, needs (each with the ways to provide it), calls, columns, exit codes and examples.'
  static override examples = [
    'promo commands',
    "promo commands redemptions list --json --query '[].columns[]'",
    `promo commands --json --query "[?effect=='write'].command"`,
  ]
  static override effect = 'none' as const
  static override args = { words: argumentList('a command, or a topic; absent: all') }
  static override columns = commandColumns
  static override flags = outputFlags

  async run() {
    const { args, flags } = await this.input(Commands)
    const { root, index } = this.source
    const { id } = await findCommand([...(args.words ?? []), '--help'], index, root)
    const described = describedCommands(root).filter((command) => id === '' || `${command.id}:`.startsWith(`${id}:`))
    await this.emit(described.map(commandRecord), Commands.columns, flags)
  }
}
