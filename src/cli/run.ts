// One run: find the command, run it, turn whatever went wrong into words and an exit code.
import { Config } from '@oclif/core'
import { EXIT, type ExitCode } from '../errors.ts'
import type { PromoCommand } from './command.ts'
import { findCommand, wantsHelp } from './find-command.ts'
import { type Host, stoppedExitCode } from './host.ts'
import { reportError } from './report-error.ts'

/** A command class as a module exports it. */
export type CommandClass = typeof PromoCommand & (new (argv: string[], config: Config) => PromoCommand)

/** Where commands come from: the package's root folder, and a loader that takes a path like `vouchers/disable`. */
export interface CommandSource {
  root: string
  load: (path: string) => Promise<{ default: CommandClass }>
}

/**
 * Runs one command line and returns its exit code; everything it prints goes to the host's streams.
 *
 * Never throws: a failure becomes a line on stderr (or one JSON object in the JSON formats) and a code of the table.
 */
export async function run(argv: string[], host: Host, source: CommandSource): Promise<ExitCode> {
  try {
    const config = await Config.load({ root: source.root })
    const found = findCommand(argv, config)
    if (wantsHelp(argv) || found.kind === 'topic') {
      const { showHelp } = await import('./help.ts')
      await showHelp(found, config, host)
      return EXIT.ok
    }
    const { default: Class } = await source.load(found.id.replaceAll(':', '/'))
    Class.id = found.id
    const exitCode = await Class.start(found.argv, config, host)
    return stoppedExitCode(host.stop) ?? exitCode
  } catch (error) {
    const stopped = stoppedExitCode(host.stop)
    if (stopped === undefined) return await reportError(error, argv, host)
    if (stopped !== EXIT.closedPipe) host.stderr.write(`promo: stopped by ${host.stop.reason}\n`)
    return stopped
  }
}
