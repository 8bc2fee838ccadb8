// From the name of a job, as typed, to its file: an id, its beginning or end, `latest`, or the folder or file of `--journal`.
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { listNames } from '../../../base/name-list.ts'
import { nearest } from '../../../base/nearest.ts'
import { formatNumber } from '../../../base/numbers.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { type JobFile, type JobHeader, jobFileAt, jobFiles, ownJobFiles } from '../../../bulk/journal/job.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { jobsFolder, jobsIn, type KnownJob, type ReadableJob, readableJob } from '../../bulk/known-jobs.ts'
import { bringing, readsJournal } from '../../exits.ts'
import { argument, optionalArgument } from '../../flags/kinds.ts'
import type { Choice } from '../../prompt/needs.ts'
import { askOne } from '../../prompt/prompts.ts'
import type { Keeper } from '../../run/host.ts'
import type { Run } from '../../session/run.ts'
import { knownStatus } from './state.ts'

const mostJobsNamed = 5

const jobNames = 'the id of a job, its beginning or end, "latest", or the folder or file of its --journal'

/** The argument of every command about one job. */
export const jobArgument = { job: bringing(readsJournal, argument(jobNames)) }

/** The argument of a command that finds the only stopped job by itself. */
export const stoppedJobArgument = {
  job: bringing(readsJournal, optionalArgument(`${jobNames}; not needed where only one job is stopped`)),
}

/** How the user is asked for it. */
export const jobAsks = { job: { question: 'which job?', choices: jobChoices } }

/** Returns the jobs on this computer to choose from, newest first. Throws `usage` when there are none. */
async function jobChoices(host: Keeper): Promise<Choice[]> {
  const jobs = await jobsIn(host)
  if (jobs.length === 0) throw usageError('there is no job on this computer')
  return jobs.map(choiceOf)
}

function choiceOf({ file, header }: KnownJob): Choice {
  return { value: file.name, about: header ? summaryOf(header) : 'damaged' }
}

function summaryOf({ command, rows, created_at }: JobHeader): string {
  return `${command.replaceAll(':', ' ')}, ${formatNumber(rows.total)} rows, ${created_at}`
}

/** Finds a job. Throws `usage` (exit 2) when no job, or more than one, has this name. */
async function findJob(called: string, host: Keeper): Promise<JobFile> {
  const files = await jobFiles(jobsFolder(host))
  const exact = files.find(({ name }) => name === called)
  if (exact) return exact
  if (called === 'latest') {
    const [newest] = await jobsIn(host, { most: 1 })
    if (newest) return newest.file
  }
  for (const [place, isNamed] of [
    ['begin', (name: string) => name.startsWith(called)],
    ['end', (name: string) => name.endsWith(called)],
  ] as const) {
    const found = called === '' ? [] : files.filter(({ name }) => isNamed(name))
    if (found.length > 1) throw severalJobs(called, place, found)
    if (found[0]) return found[0]
  }
  if (called !== '' && existsSync(called)) return jobAt(called)
  throw unknownJob(called, files)
}

/** Finds the only stopped job, or asks which one. Throws `usage` (exit 2) when there is none, or nobody to ask. */
export async function stoppedJob({ host, canAsk }: Pick<Run, 'host' | 'canAsk'>): Promise<JobFile> {
  const jobs = await jobsIn(host)
  const stopped = jobs.filter((job) => {
    const status = knownStatus(job, jobs)
    return !(status instanceof PromoError) && status.state === 'stopped'
  })
  const [only, ...others] = stopped
  if (only === undefined) throw usageError('no job on this computer is stopped', 'promo jobs list')
  if (others.length === 0) return only.file
  if (!canAsk()) {
    const names = stopped.map(({ file }) => file.name)
    throw usageError(
      `${names.length} jobs are stopped: ${listNames(names, mostJobsNamed)}`,
      `promo jobs resume ${shellWord(only.file.name)}`,
    )
  }
  const name = await askOne('which job?', stopped.map(choiceOf), host)
  return await findJob(name, host)
}

/**
 * Finds the journals of a job: several when a folder of shards is named.
 *
 * Throws as `findJob`, and `journal` (exit 9) when one is damaged.
 */
export async function jobsCalled(called: string, host: Keeper): Promise<ReadableJob[]> {
  return (await jobFilesCalled(called, host)).map(readableJob)
}

/** Does the same without opening any of them. */
export async function jobFilesCalled(called: string, host: Keeper): Promise<JobFile[]> {
  const isFolder = called !== '' && statSync(called, { throwIfNoEntry: false })?.isDirectory()
  const shards = isFolder ? await ownJobFiles(resolve(called)) : []
  return shards.length === 0 ? [await findJob(called, host)] : shards
}

// A folder that has journals is found before any name is.
function jobAt(path: string): JobFile {
  if (statSync(path).isDirectory()) throw usageError(`"${path}" contains no journal`, 'promo jobs list')
  return jobFileAt(resolve(path))
}

function severalJobs(called: string, place: 'begin' | 'end', files: readonly JobFile[]): PromoError {
  return usageError(
    `${files.length} jobs ${place} with "${called}": ${listNames(
      files.map(({ name }) => name),
      mostJobsNamed,
    )}`,
    'promo jobs list',
  )
}

function unknownJob(called: string, files: readonly JobFile[]): PromoError {
  const names = files.map(({ name }) => name)
  const near = nearest(called, names)
  const known = near === undefined ? `; there are ${listNames(names, mostJobsNamed)}` : `; did you mean ${near}?`
  return usageError(`there is no job "${called}"${names.length === 0 ? '' : known}`, 'promo jobs list')
}
