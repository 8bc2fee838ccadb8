// Resumes a job: its command is started again, with the arguments of the job and the pace and output of this command line.
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { fileChecksum } from '../../../bulk/input/input-checksum.ts'
import type { JobHeader } from '../../../bulk/journal/job.ts'
import { shardText } from '../../../bulk/shard.ts'
import { type ExitCode, PromoError } from '../../../errors.ts'
import { environmentName } from '../../../profiles/profile.ts'
import type { ReadableJob } from '../../bulk/known-jobs.ts'
import { workOfJob } from '../../bulk/open-job.ts'
import type { RowsToRun } from '../../bulk/repeat-policy.ts'
import { changedInput } from '../../bulk/same-project.ts'
import type { Replay } from '../../bulk/work.ts'
import type { CommandClass, CommandSource } from '../../command.ts'
import { messagesTo } from '../../result/messages.ts'
import type { Host, ProgramConfig } from '../../run/host.ts'
import { lockJob, mustNotBeUndone } from './lock-job.ts'

/** The command that resumes a job of another. */
export interface ResumingCommand {
  host: Host
  source: CommandSource
  config: ProgramConfig
}

/** How a job is resumed. */
export interface ResumeOptions {
  again: RowsToRun
  /** The flags of this command line: pace, output, and answers to questions. */
  flags: Record<string, unknown>
  caution?: string
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
  const { file, header } = job
  const { host } = taker
  await mustNotBeUndone(job, host)
  const notice = await inputNotice(job, host)
  if (notice !== undefined) messagesTo(host, flags).say(notice)
  return await startInPlace(header.command, taker, {
    job: header.id,
    undoes: header.undoes,
    args: header.args,
    flags: replayedFlags(header, flags),
    again,
    ...(caution !== undefined && { caution }),
    async work() {
      const { lock, job: now } = await lockJob(job, host, flags['dry-run'] === true)
      try {
        // Decided again under the lock: the other process may have been its undo.
        await mustNotBeUndone(now, host)
        return workOfJob({ path: file.path, lock, again, now: host.now })
      } catch (error) {
        lock.release()
        throw error
      }
    },
  })
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

/** Returns the flags of a job, overlaid by those of this line; what decides what is sent comes from the job alone. */
function replayedFlags(header: JobHeader, flags: Record<string, unknown>): Record<string, unknown> {
  const { profile, shard, input } = header
  return {
    ...header.flags,
    ...flags,
    ...(header.flags.from !== undefined && { from: input }),
    // As it was resolved then: `auto` may be another number by now.
    ...(shard !== null && { shard: shardText(shard) }),
    ...(profile !== environmentName && { profile }),
  }
}

/** Returns a notice if the input file of a job is gone. Throws `journal` (exit 9) when it has changed. */
async function inputNotice({ file, header }: ReadableJob, host: Host): Promise<string | undefined> {
  const { input, input_sha256 } = header
  // Arguments, a pipe, or another job.
  if (!isAbsolute(input)) return undefined
  const stat = statSync(input, { throwIfNoEntry: false })
  if (stat === undefined) return `"${input}" is gone; its rows are in the journal`
  if (!stat.isFile()) return undefined
  if ((await fileChecksum(input, host.stdin)) === input_sha256) return undefined
  throw changedInput({ ...header, name: file.name }, `"${input}"`)
}
