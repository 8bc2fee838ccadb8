// Help, on the host's streams, with what somebody in a hurry reads first on top: how to type it, and examples.
import { CommandHelp, Config, Help } from '@oclif/core'
import type { FoundCommand } from '../run/find-command.ts'
import type { Host } from '../run/host.ts'

/** Shows the help of a command, a topic, or the whole program, on stdout. */
export async function showHelp(found: FoundCommand, root: string, host: Host): Promise<void> {
  const config = await Config.load({ root })
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

class ShortHelp extends CommandHelp {
  // oclif's own usage repeats all the flags, in nine lines, before it says what any of them is.
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

  // The summary stands in the first line of all.
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(this.render(description))
  }

  protected override sections() {
    const rank = ({ header }: { header: string }) => (first.includes(header) ? first.indexOf(header) : first.length)
    return super.sections().toSorted((one, other) => rank(one) - rank(other))
  }
}
