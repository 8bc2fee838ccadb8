// What an earlier job of the same command line already sent, before a new one begins: it could be sent twice.

import { counted, grouped } from '../../base/grouped.ts'
import { shellWord } from '../../base/shell-word.ts'
import { readJournal } from '../../bulk/journal/job.ts'
import { rowsLeft } from '../../bulk/journal/journal.ts'
import { holderOf } from '../../bulk/journal/lock.ts'
import { outcomesIn } from '../../bulk/journal/outcome-store.ts'
import { appliedRows } from '../../bulk/journal/row-store.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Tally } from '../../bulk/summary.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import { EXIT, PromoError } from '../../errors.ts'
import type { Host } from '../run/host.ts'
import type { CheckedRows } from './checked-rows.ts'
import { type CommandLine, commandFingerprint } from './command-identity.ts'
import type { CandidateJob, JobPlace } from './job-place.ts'
import { jobsIn, type ReadableJob, undoneBy } from './known-jobs.ts'
import { countsTwice, selectionOf, settledTally } from './repeat-policy.ts'

/**
 * Returns a sentence about the stopped job of the same command line that read another pipe; undefined: there is none.
 *
 * ASSUMED A540: for calls that count twice it throws `journal` (exit 9) instead: a pipe whose contents changed since the
 * stop most likely repeats some of its rows. The newest such job decides, so that a later one may supersede it.
 */
export async function noticeOfOtherPipe(
  { line, profile, shard, host }: { line: CommandLine; profile: string; shard: Shard | null; host: Host },
  isMeant: boolean,
): Promise<string | undefined> {
  const known = await jobsIn(host)
  const wanted = fingerprint(line, profile, shard)
  const job = known.find(
    (one): one is ReadableJob =>
      one.header?.input === '-' &&
      one.header.undoes === undefined &&
      fingerprint(one.header, one.header.profile, one.header.shard) === wanted,
  )
  // Two pipes may be sent at the same time.
  if (job === undefined || undoneBy(job, known) !== undefined || holderOf(job.file.lockPath) !== undefined)
    return undefined
  const { id, rows } = job.header
  const repeat = job.header.repeat as Repeat
  const left = rowsLeft(tallyOf(job.file.path, repeat), selectionOf('rest', repeat))
  if (left === 0) return undefined
  const stopped = `job ${id} of the same command line stopped with ${grouped(left)} of ${counted(rows.total, 'row')} left`
  if (countsTwice(repeat) && !isMeant) {
    throw new PromoError('journal', `${stopped}, and standard input has changed since; nothing was sent`, {
      hint: `promo jobs resume ${shellWord(id)} sends the rows that are left; after that, or after promo jobs discard ${shellWord(id)}, this input begins a job of its own`,
    })
  }
  return `${stopped}; this input is another, and begins a new job (to resume the other: promo jobs resume ${shellWord(id)})`
}

function fingerprint({ command, args, flags }: CommandLine, profile: string, shard: Shard | null) {
  return commandFingerprint({ command, args, flags }, { profile, shard, input: '-', inputSha256: null })
}

/** Returns a warning that `--restart` sends again what counts twice; undefined when nothing was sent. */
export async function warningOfRestart(place: JobPlace): Promise<string | undefined> {
  try {
    const known = await place.find()
    if (known === undefined) return undefined
    const repeat = known.header.repeat as Repeat
    if (!countsTwice(repeat)) return undefined
    const { counts } = tallyOf(known.path, repeat)
    const sent = counts.ok + counts.ok_inferred
    if (sent + counts.unknown === 0) return undefined
    const unsure = counts.unknown === 0 ? '' : `, and ${grouped(counts.unknown)} more may have arrived`
    return `job ${known.header.id} sent ${counted(sent, 'row')}${unsure}; --restart sends them again, and they count twice`
  } catch (error) {
    if (!(error instanceof PromoError) || error.exitCode !== EXIT.journal) throw error
    return `what was sent before cannot be read (${error.message}); it is sent again, and may count twice`
  }
}

/** Says how many rows of a changed input a finished job of the same command line had already; undefined: none. */
export function sentBefore(
  { path, header }: Pick<CandidateJob, 'path' | 'header'>,
  { total, rows }: Pick<CheckedRows, 'total' | 'rows'>,
): string | undefined {
  const count = readJournal(path, (database) => {
    const isSent = appliedRows(database)
    let sent = 0
    for (const row of rows()) if (isSent(row)) sent += 1
    return sent
  })
  if (count === 0) return undefined
  const [were, they] = count === 1 ? ['was', 'it counts'] : ['were', 'they count']
  const day = header.created_at.slice(0, 10)
  return `${grouped(count)} of ${counted(total, 'row')} ${were} in job ${header.id} of ${day} already, which is finished; ${they} twice`
}

function tallyOf(path: string, repeat: Repeat): Tally {
  return readJournal(path, (database) => settledTally(outcomesIn(database).tally(), repeat))
}
