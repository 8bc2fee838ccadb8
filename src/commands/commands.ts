import { PromoCommand } from '../cli/command.ts'
import { outputFlags } from '../cli/flags/flags.ts'
import { commandRecord } from '../cli/help/command-record.ts'
import { describedCommands } from '../cli/help/manifest.ts'
import { commandColumns } from '../output/columns/program.ts'

export default class Commands extends PromoCommand {
  static override summary = 'List every command: what it does, its flags, its calls and its exit codes'
  static override description =
    'effect is none, local (this computer), read or write (the service). repeat is what one more identical run does there: read, idempotent, key (refused), reconcile (searched for first), duplicate (does no harm) or once (happens twice). In JSON, each command has its arguments, flags, needs (each with the ways to provide it), calls, columns, exit codes and examples.'
  static override examples = ['promo commands', `promo commands --json --query "[?effect=='write'].command"`]
  static override effect = 'none' as const
  static override columns = commandColumns
  static override flags = outputFlags

  async run() {
    const { flags } = await this.input(Commands)
    await this.emit(describedCommands(this.source.root).map(commandRecord), Commands.columns, flags)
  }
}
