// Help, on the host's streams. oclif's own help writes; ours only says where to.
import { Config, Help } from '@oclif/core'
import type { Found } from './find-command.ts'
import type { Host } from './host.ts'

/** Shows the help of a command, a topic, or the whole program, on stdout. */
export async function showHelp(found: Found, root: string, host: Host): Promise<void> {
  const config = await Config.load({ root })
  class HostedHelp extends Help {
    protected override log(...texts: string[]): void {
      host.stdout.write(`${texts.join('\n')}\n`)
    }
  }
  const help = new HostedHelp(config, { ...config.pjson.oclif.helpOptions, stripAnsi: host.stdout.isTTY !== true })
  await help.showHelp(found.id === '' ? [] : [found.id])
}
