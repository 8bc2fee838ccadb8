// Help, on the host's streams. Usage and examples come first, for users in a hurry.
import { type Command, CommandHelp, Config, Help } from '@oclif/core'
import type { FoundCommand } from '../run/find-command.ts'
import type { Host } from '../run/host.ts'
import { readManifest } from './manifest.ts'

/** Shows the help of a command, a topic, or the entire program, on stdout. */
export async function showHelp(found: FoundCommand, root: string, host: Host): Promise<void> {
  const config = await Config.load({ root })
  // oclif reads the same file, but does not know where the shared flags are. An alias shares those of its command.
  for (const { id, flags } of Object.values(readManifest(root))) {
    Object.assign(config.findCommand(id, { must: true }).flags, flags)
  }
  class HostedHelp extends Help {
    protected override CommandHelpClass = ShortHelp
    protected override log(...texts: string[]): void {
      host.stdout.write(`${texts.join('\n')}\n`)
    }
  }
  const help = new HostedHelp(config, { ...config.pjson.oclif.helpOptions, stripAnsi: host.stdout.isTTY !== true })
  await help.showHelp(found.id === '' ? [] : [found.id])
}

const first = ['USAGE', 'DESCRIPTION', 'EXAMPLES']

/** Groups of flags that most commands have: those specific to a command come before them. */
const generalGroups = ['SERVICE', 'OUTPUT', 'GLOBAL']

class ShortHelp extends CommandHelp {
  // oclif's own usage repeats all flags, in nine lines, before it describes any of them.
  protected override defaultUsage(): string {
    const { id, args, flags } = this.command
    const words = Object.values(args).map(({ name, multiple, required }) => {
      const word = `${name.toUpperCase()}${multiple ? '...' : ''}`
      return required ? word : `[${word}]`
    })
    const needed = Object.values(flags).filter(({ required }) => required)
    const values = needed.map(
      (flag) => `--${flag.name} ${('helpValue' in flag && [flag.helpValue].flat()[0]) || 'VALUE'}`,
    )
    return [id, ...words, ...values, '[flags]'].join(' ')
  }

  // The summary is already the first line of all.
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(this.render(description))
  }

  protected override groupFlags(flags: Command.Flag.Any[]) {
    const { mainFlags, flagGroups } = super.groupFlags(flags)
    const isGeneral = ([group]: [string, unknown]) => generalGroups.includes(group)
    const groups = Object.entries(flagGroups).toSorted(
      (one, other) => Number(isGeneral(one)) - Number(isGeneral(other)),
    )
    return { mainFlags, flagGroups: Object.fromEntries(groups) }
  }

  protected override sections() {
    const rank = ({ header }: { header: string }) => (first.includes(header) ? first.indexOf(header) : first.length)
    return super.sections().toSorted((one, other) => rank(one) - rank(other))
  }
}
