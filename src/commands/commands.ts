import { PromoCommand } from '../cli/command.ts'
import { outputFlags } from '../cli/flags/flags.ts'
import { argumentList } from '../cli/flags/kinds.ts'
import type { DescribedCommand } from '../cli/help/manifest.ts'
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
    const { args } = await this.input(Commands)
    const { root, index } = this.source
    const { id } = await findCommand([...(args.words ?? []), '--help'], index, root)
    const described = describedCommands(root).filter((command) => id === '' || `${command.id}:`.startsWith(`${id}:`))
    await this.show.rows(described.map(commandRecord), Commands.columns)
  }
}

/** Returns the record of a command. Names are written as they are typed: `vouchers disable`, `--from`. */
function commandRecord({ id, aliases, args, flags, examples, needs, calls, ...rest }: DescribedCommand): object {
  const { summary, description, effect, repeat, columns, reads, exit_codes } = rest
  return {
    command: id.replaceAll(':', ' '),
    effect,
    repeat,
    summary,
    ...(description !== undefined && { description }),
    aliases: aliases.map((alias) => alias.replaceAll(':', ' ')),
    arguments: Object.values(args).map(({ name, required = false, multiple = false, options, ...argument }) => ({
      name,
      required,
      multiple,
      ...(options && { values: options }),
      description: argument.description,
    })),
    flags: Object.values(flags)
      .filter(({ hidden }) => !hidden)
      .map(({ name, char, type, options, required = false, multiple = false, allowNo = false, ...flag }) => ({
        name: flagWord(name),
        ...(char !== undefined && { short: `-${char}` }),
        takes_value: type === 'option',
        ...(flag.helpValue !== undefined && { value: flag.helpValue }),
        ...(options && { values: options }),
        required,
        multiple,
        ...(flag.default !== undefined && { default: flag.default }),
        ...(flag.exclusive && { excludes: flag.exclusive.map(flagWord) }),
        ...(flag.dependsOn && { requires: flag.dependsOn.map(flagWord) }),
        ...(allowNo && { no_form: `--no-${name}` }),
        ...(flag.helpGroup !== undefined && { group: flag.helpGroup.toLowerCase() }),
        description: flag.description,
      })),
    needs,
    calls,
    columns,
    ...(reads !== undefined && { reads }),
    exit_codes,
    examples,
  }
}

function flagWord(name: string): string {
  return `--${name}`
}
