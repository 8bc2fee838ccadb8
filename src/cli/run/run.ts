// One run: find the command, run it, turn any failure into a message and an exit code.
import { Config } from '@oclif/core'
import { EXIT, type ExitCode } from '../../errors.ts'
import { tell } from '../../output/tell.ts'
import type { CommandSource } from '../command.ts'
import { findCommand, wantsHelp } from './find-command.ts'
import { type Host, stoppedExitCode } from './host.ts'
import { reportError } from './report-error.ts'

/**
 * Runs one command line and returns its exit code; everything it prints goes to the host's streams.
 *
 * Never throws: a failure becomes a line on stderr (or one JSON object in the JSON formats) and an exit code of the table.
 */
export async function run(argv: string[], host: Host, source: CommandSource): Promise<ExitCode> {
  try {
    const found = findCommand(argv, source.index)
    if (wantsHelp(argv) || found.kind === 'topic') {
      const { showHelp } = await import('../help/help.ts')
      await showHelp(found, source.root, host)
      return EXIT.ok
    }
    const { default: Class } = await source.load(found.id.replaceAll(':', '/'))
    Class.id = found.id
    const exitCode = await Class.start(found.argv, new LightConfig(source), { host, source })
    return stoppedExitCode(host.stop) ?? exitCode
  } catch (error) {
    const stopped = stoppedExitCode(host.stop)
    if (stopped === undefined) return await reportError(error, argv, host)
    if (stopped !== EXIT.closedPipe) tell(host.stderr, `promo: stopped by ${host.stop.reason}`)
    return stopped
  }
}

/**
 * What oclif's parser and `Command` read of a configuration, without its hooks.
 *
 * `Config.load` would read the entire manifest and look for plugins, a shell and a theme, which takes as long as most
 * commands; only help needs it.
 */
class LightConfig extends Config {
  override readonly name = 'promo'
  override readonly bin = 'promo'

  constructor({ root, version }: CommandSource) {
    super({ root })
    this.root = root
    this.version = version
    this.userAgent = `promo/${version} ${process.platform}-${process.arch} node-${process.version}`
  }

  // There are no plugins and thus no hooks; typed as the method it replaces.
  override runHook: Config['runHook'] = async () => ({ failures: [], successes: [] })
}
