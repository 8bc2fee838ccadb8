// Where the journal of a command line is, in the shared state folder or in a folder of its own, and its lock.
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Lock } from '../../base/lock.ts'
import { shellWord } from '../../base/shell-word.ts'
import {
  aloneName,
  divisionsIn,
  headerIn,
  type JobHeader,
  jobFileAt,
  jobPath,
  jobsOfLine,
  lineLockPath,
  readHeader,
  readJournal,
} from '../../bulk/journal/job.ts'
import { rowsLeft } from '../../bulk/journal/journal.ts'
import { takeLock } from '../../bulk/journal/lock.ts'
import { outcomesIn } from '../../bulk/journal/outcome-store.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import { PromoError } from '../../errors.ts'
import { type JobsHost, jobsFolder, jobsIn, type KnownJob, knownJob, undone, undoneBy } from './known-jobs.ts'
import { isMarkedDone } from './open-job.ts'
import { countsTwice, selectionOf, settledTally } from './repeat-policy.ts'

/** A job that may be the one of this command line. */
export interface CandidateJob {
  path: string
  header: JobHeader
  /** Nothing of it is left to send or to report. */
  isOver: boolean
}

/** The place of a command line's job, now or in future. */
export interface JobPlace {
  dir: string
  lockPath: string
  /** Throws `journal` (exit 9) when the place holds the same rows divided differently: they would be sent again. */
  mustBeFree(): Promise<void>
  /** Finds the job to resume, by its command line alone; throws `journal` (exit 9) for a damaged one. */
  find(): Promise<CandidateJob | undefined>
  /** Returns the jobs that may have the same rows, newest first. */
  jobs(): Promise<KnownJob[]>
  /** The path of a new job's file. */
  pathOf(id: string): string
}

/** Finds the place of a command line's job; `--journal DIR` reserves the folder for this job, or for its shards. */
export function placeOf(
  line: string,
  { journal, shard, host }: { journal: string | undefined; shard: Shard | null; host: JobsHost },
): JobPlace {
  return journal === undefined ? amongOthers(host, line) : alone(resolve(journal), shard, host)
}

function amongOthers(host: JobsHost, line: string): JobPlace {
  const dir = jobsFolder(host)
  return {
    dir,
    lockPath: lineLockPath(dir, line),
    mustBeFree: async () => {},
    pathOf: (id) => jobPath(dir, id, line),
    jobs: () => jobsIn(host),
    async find() {
      const [newest] = await jobsOfLine(dir, line)
      if (newest === undefined) return undefined
      const place = { path: newest.file.path, header: newest.header }
      const known = { ...place, isOver: progressIn(place.path).isOver }
      // ASSUMED A532: a complete job of calls that happen twice is not begun again by accident; every other complete job is,
      // because its rows may legitimately be wanted in the same state again.
      const repeat = newest.header.repeat as Repeat
      const isWanted =
        countsTwice(repeat) || (!known.isOver && undoneBy(newest, await jobsIn(host, { after: newest })) === undefined)
      return isWanted ? known : undefined
    },
  }
}

function alone(dir: string, shard: Shard | null, host: JobsHost): JobPlace {
  const file = jobFileAt(join(dir, `${aloneName(shard)}.sqlite`))
  const { path, lockPath } = file
  return {
    dir,
    lockPath,
    pathOf: () => path,
    // ASSUMED A515: a folder belongs to one job, and the number of its shards is part of what the job is.
    async mustBeFree() {
      const others = (await divisionsIn(dir)).filter((of) => of !== (shard?.of ?? 1))
      if (others.length === 0) return
      const held = others[0] === 1 ? 'a job in one piece' : `a job in ${others[0]} shards`
      throw new PromoError('journal', `"${dir}" holds ${held}; nothing was sent`, {
        hint: `run it with the shards it has, take another folder for --journal, or give that job up: promo jobs discard ${shellWord(dir)}`,
      })
    },
    jobs: async () => (existsSync(path) ? [knownJob(file)] : []),
    async find() {
      if (!existsSync(path)) return undefined
      const header = readHeader(path)
      const undo = undoneBy({ file, header }, await jobsIn(host, { after: { file, header } }))
      if (undo !== undefined) throw undone({ file, header }, undo)
      return { path, header, isOver: progressIn(path).isOver }
    },
  }
}

/** Returns how far a job is on which no process works, and whether its rows count twice. */
export function progressIn(path: string) {
  return readJournal(path, (database) => {
    const store = outcomesIn(database)
    const repeat = headerIn(database).repeat as Repeat
    const tally = settledTally(store.tally(), repeat)
    const left = rowsLeft(tally, selectionOf('rest', repeat))
    // A run that was killed after its last row has not reported the outcomes, and is resumed to report them.
    return { counts: tally.counts, left, isOver: left === 0 && isMarkedDone(store), isTwice: countsTwice(repeat) }
  })
}

/** Takes a lock in the name of this process. Throws `held` (exit 8) while another process has it, and `io` (exit 10). */
export async function lockFor(lockPath: string, host: Pick<JobsHost, 'now'>, what?: string): Promise<Lock> {
  const since = new Date(host.now()).toISOString()
  return await takeLock(lockPath, { pid: process.pid, host: hostname(), since }, what)
}

/** Takes the place of a lock where nothing is begun under it. */
export const unlocked: Lock = { release() {}, remove() {} }
