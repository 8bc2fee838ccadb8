// Resumes a job: its command is started again, with the arguments of the job and the pace and output of this command line.
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileChecksum } from '../../../bulk/input/input-checksum.ts'
import { type ExitCode, PromoError } from '../../../errors.ts'
import type { ReadableJob } from '../../bulk/known-jobs.ts'
import { mustNotBeUndone, type ResumeOptions, replayOf } from '../../bulk/replay-job.ts'
import { changedInput } from '../../bulk/same-project.ts'
import type { Replay } from '../../bulk/work.ts'
import type { CommandClass, CommandSource } from '../../command.ts'
import type { Host, ProgramConfig } from '../../run/host.ts'
import type { Run } from '../../session/run.ts'

/** The command that resumes a job of another. */
export interface ResumingCommand extends Pick<Run, 'show' | 'isDryRun' | 'canAsk' | 'clock'> {
  host: Host
  source: CommandSource
  config: ProgramConfig
}

/**
 * Resumes a job and returns the exit code of its worst outcome.
 *
 * Throws `journal` (exit 9) for a job that was undone, whose input has changed, whose profile now leads to another
 * project, or whose file is damaged; `held` (exit 8) while another process has it. Nothing was sent then.
 */
export async function resumeJob(
  job: ReadableJob,
  { again, flags, caution }: ResumeOptions,
  taker: ResumingCommand,
): Promise<ExitCode> {
  const { host, show } = taker
  await mustNotBeUndone(job, host)
  const notice = await inputNotice(job, host)
  if (notice !== undefined) show.say(notice)
  return await startInPlace(job.header.command, taker, replayOf(job, { again, flags, caution }, host))
}

/** Starts a command on behalf of a job. Throws `journal` (exit 9) for one that this version does not have. */
export async function startInPlace(command: string, taker: ResumingCommand, replay: Replay): Promise<ExitCode> {
  const { host, source, config } = taker
  const Class = await classOf(command, taker)
  Class.id = command
  return await Class.start([], config, { host, source, replay })
}

/** Returns the class of a job's command. Throws `journal` (exit 9) for one that this version does not have. */
export async function classOf(command: string, { source }: Pick<ResumingCommand, 'source'>): Promise<CommandClass> {
  if (!Object.hasOwn(source.index.commands, command)) {
    throw new PromoError('journal', `this version of promo has no command "${command}"; nothing was sent`)
  }
  return (await source.load(command.replaceAll(':', '/'))).default
}

/** Returns a notice if the input file of a job is gone. Throws `journal` (exit 9) when it has changed. */
async function inputNotice({ file, header }: ReadableJob, host: Pick<Host, 'stdin'>): Promise<string | undefined> {
  const { input, input_sha256 } = header
  // Arguments, a pipe, or another job.
  if (!isAbsolute(input)) return undefined
  const stat = statSync(input, { throwIfNoEntry: false })
  if (stat === undefined) return `"${input}" is gone; its rows are in the journal`
  if (!stat.isFile()) return undefined
  if ((await fileChecksum(input, host.stdin)) === input_sha256) return undefined
  throw changedInput({ ...header, name: file.name }, `"${input}"`)
}
