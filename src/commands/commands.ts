import { PromoCommand } from '../cli/command.ts'
import { outputFlags } from '../cli/flags/flags.ts'
import { commandRecord } from '../cli/help/command-record.ts'
import { describedCommands } from '../cli/help/manifest.ts'
import { commandColumns } from '../output/columns/program.ts'

export default class Commands extends PromoCommand {
  static override summary = 'List every command: what it does, takes, calls, and how it can end'
  static override description =
    'effect is none, local (this computer), read or write (the service). repeat says what one more identical run does there: read, idempotent, key (refused), reconcile (looked for first), duplicate (does no harm) or once (happens twice). In JSON each command has its arguments, flags, needs (each as the ways to give it), calls, columns, exit codes and examples.'
  static override examples = [
    '<%= config.bin %> commands',
    `<%= config.bin %> commands --json --query "[?effect=='write'].command"`,
  ]
  static override effect = 'none' as const
  static override columns = commandColumns
  static override flags = outputFlags

  async run() {
    const { flags } = await this.input(Commands)
    await this.emit(describedCommands(this.source.root).map(commandRecord), Commands.columns, flags)
  }
}
