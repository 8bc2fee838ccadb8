// One run: find the command, run it, turn any failure into a message and an exit code.
import { EXIT, type ExitCode, PromoError } from '../../errors.ts'
import type { CommandSource } from '../command.ts'
import { stoppedExitCode } from '../stop.ts'
import { findCommand, wantedHelp } from './find-command.ts'
import type { Host, ProgramConfig } from './host.ts'
import { reportError } from './report-error.ts'

/**
 * Runs one command line and returns its exit code; everything it prints goes to the host's streams.
 *
 * Never throws: a failure becomes a line on stderr (or one JSON object in the JSON formats) and an exit code of the table.
 */
export async function run(argv: string[], outer: Host, source: CommandSource): Promise<ExitCode> {
  const host = argv.some((word) => /^-p|^--(profile|data|url)/.test(word))
    ? (await import('./as-typed.ts')).withPlace(argv, outer, source)
    : outer
  let id: string | undefined
  try {
    const found = await findCommand(argv, source.index, source.root)
    const help = wantedHelp(argv)
    if (help !== undefined || found.kind === 'topic') {
      const after = argv.length === 0 ? (await import('../help/greeting.ts')).greeting(host) : undefined
      const { showHelp } = await import('../help/help.ts')
      await showHelp(found, source.root, host, { ...help, after })
      return stoppedExitCode(host.stop) ?? EXIT.ok
    }
    const { default: Class } = await source.load(found.id.replaceAll(':', '/'))
    id = found.id
    Class.id = id
    const exitCode = await Class.start(found.argv, configOf(source), { host, source })
    return stoppedExitCode(host.stop) ?? exitCode
  } catch (error) {
    const stopped = stoppedExitCode(host.stop)
    if (stopped === undefined) return await reportError(withNextStep(error, id), argv, host)
    if (stopped === EXIT.closedPipe) return stopped
    return await reportError(new PromoError('stopped', `stopped by ${host.stop.reason}`, {}, stopped), argv, host)
  }
}

/** A command line or an input that cannot be used always has a next step: the help of its command, unless there is a better one. */
function withNextStep(error: unknown, id: string | undefined): unknown {
  if (error instanceof PromoError && /^(usage|input)$/.test(error.kind) && id !== undefined)
    error.facts.hint ??= `promo ${id.replaceAll(':', ' ')} --help`
  return error
}

/** Returns what a run says about the program itself. */
function configOf({ version }: Pick<CommandSource, 'version'>): ProgramConfig {
  return { version, userAgent: `promo/${version} ${process.platform}-${process.arch} node-${process.version}` }
}
