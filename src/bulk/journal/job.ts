// A job on this computer: its header, its file, and how it is found again.

import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { CsvForm } from '../../base/csv-form.ts'
import { pathBelow } from '../../base/files/path-below.ts'
import type { SharedEvidence } from '../evidence.ts'
import type { ResultName } from '../input/report-columns.ts'
import type { Shard } from '../shard.ts'
import { checksumOf } from './checksum.ts'
import { openJournalFile } from './journal-file.ts'
import { damagedJournal, guardStorage } from './storage-error.ts'

/** The identity of a job: enough to begin it again, and to see that it is still the same. No secret, no credentials. */
export interface JobHeader {
  id: string
  /** The command, as `vouchers:disable`. */
  command: string
  /** Its arguments and those of its flags that decide what is sent, as parsed. */
  args: Record<string, unknown>
  flags: Record<string, unknown>
  /** The name of the input: an absolute path, `-`, `arguments`, or `job ID` for an undo. */
  input: string
  /** SHA-256 over the bytes of the input. */
  input_sha256: string
  /** SHA-256 over the requests of the first rows. */
  plan_sha256: string
  /** SHA-256 over the requests of all rows of the input, however they were read; absent where they say nothing. */
  requests_sha256?: string
  /** SHA-256 over the command line, by which a job is found, and locked, before its input is read. */
  line: string
  /** What the job is about, by which the next one finds it, however it is begun: the folder of files that a plan was made from. */
  place?: string
  /** The part of the rows that this job takes; null: all. */
  shard: Shard | null
  profile: string
  /** SHA-256 over the service and the project the profile belonged to; where no project id was known, over the key's id. */
  project: string
  /** The id of that project; absent where it was not known. */
  project_id?: string
  /** The address of the service; for people. */
  origin: string
  /** The class of its calls: what one more identical call does (contract/endpoint.ts). */
  repeat: string
  /** `total` are the rows of this job; `others` those of the other shards. */
  rows: { total: number; others: number; duplicates: number; bad: number }
  promo_version: string
  /** ISO 8601 UTC. */
  created_at: string
  /** For an undo: the job that it undoes. */
  undoes?: string
  /** For the undo of a part: which rows of that job it took up. */
  undoes_part?: UndonePart
  /** The jobs that undid a part of this one, or began to. */
  undone_parts?: string[]
  /** The job that undid this one, or began to: its journal may be on another computer. */
  undone_by?: string
  /** The columns of the input in their order; absent where a row has members of its own. */
  columns?: string[]
  /** The titles of these columns in the input, where they are others. */
  titles?: string[]
  /** The evidence that several rows of the input share, those of other shards included; absent: none is shared. */
  shared_evidence?: SharedEvidence
  /** Which ids of its answers the job keeps. */
  results?: ResultName[]
  /** How the CSV of the input was written down; absent for other inputs. */
  csv?: CsvForm
}

/** How the rows of a part were chosen: as flags of `jobs undo`, and the SHA-256 over what these named. */
export interface UndonePart {
  flags: Record<string, unknown>
  sha256: string
}

/** Characters of the command line's hash in a file name: enough to find its jobs without opening all files. */
const lineCharacters = 12

const nameForm = /^(\d{8}-[a-z0-9]{6})\.([0-9a-f]{12})\.sqlite$/

/** Returns the id of a new job: its day and six characters that no other job has. */
export function newJobId(now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  return `${day}-${Array.from(randomBytes(6), (byte) => letters[byte % 32]).join('')}`
}

/** Returns the path of a job's file in the folder of jobs. */
export function jobPath(dir: string, id: string, line: string): string {
  return pathBelow(dir, `${id}.${line.slice(0, lineCharacters)}.sqlite`)
}

/** Returns the path of the lock that all jobs of a command line share: only one of them may run at a time. */
export function lineLockPath(dir: string, line: string): string {
  return pathBelow(dir, `${line.slice(0, lineCharacters)}.lock`)
}

/** A job's file, by its name alone. */
export interface JobFile {
  /** What users call the job: its id, or for one in a folder of its own the path of its file. */
  name: string
  path: string
  lockPath: string
}

/** Lists the files of jobs in the folder they share, newest day first; a missing folder has none. */
export async function jobFiles(dir: string): Promise<JobFile[]> {
  const names = await readdir(dir).catch(() => [])
  // There may be thousands of files: their names are sorted and put together as they are.
  return names
    .toSorted((a, b) => (a < b ? 1 : -1))
    .flatMap((name) => {
      const [, id, line] = nameForm.exec(name) ?? []
      return id === undefined ? [] : [{ name: id, path: `${dir}${sep}${name}`, lockPath: `${dir}${sep}${line}.lock` }]
    })
}

const aloneForm = /^(job|shard-(\d+)-of-(\d+))\.sqlite$/

/** Lists the files in a folder that `--journal` named, in the order of the shards; a missing folder has none. */
export async function ownJobFiles(dir: string): Promise<JobFile[]> {
  const names = await readdir(dir).catch(() => [])
  const shardIn = (name: string) => Number(aloneForm.exec(name)?.[2] ?? -1)
  return names
    .filter((name) => aloneForm.test(name))
    .toSorted((a, b) => shardIn(a) - shardIn(b) || (a < b ? -1 : 1))
    .map((name) => jobFileAt(join(dir, name)))
}

/** Returns the name of the job in a file, and where its lock is. Opens nothing. */
export function jobFileAt(path: string): JobFile {
  const [, id, line] = nameForm.exec(basename(path)) ?? []
  if (id !== undefined) return { name: id, path, lockPath: join(dirname(path), `${line}.lock`) }
  return { name: path, path, lockPath: path.replace(/\.sqlite$/, '.lock') }
}

/** Returns whether a file is named as only jobs are: another one that cannot be read may be anything. */
export function isNamedAsJob(path: string): boolean {
  return nameForm.test(basename(path)) || aloneForm.test(basename(path))
}

/** Returns the file name, without its extension, of a job in a folder of its own, or of one shard of it. */
export function aloneName(shard: Shard | null): string {
  return shard === null ? 'job' : `shard-${shard.index}-of-${shard.of}`
}

/** Returns into how many shards the jobs in a folder are divided, smallest first; 1 is an undivided job. */
export async function divisionsIn(dir: string): Promise<number[]> {
  const names = await readdir(dir).catch(() => [])
  const found = names.flatMap((name) => {
    const [, whole, , of] = aloneForm.exec(name) ?? []
    return whole === undefined ? [] : [Number(of ?? 1)]
  })
  return [...new Set(found)].toSorted((a, b) => a - b)
}

/** Reads the header of a job's file. Throws `journal` (exit 9) when it is damaged. */
export function headerIn(database: DatabaseSync): JobHeader {
  const found = guardStorage(() => database.prepare('SELECT * FROM job').get(), 'the journal cannot be read')
  if (found === undefined) throw damagedJournal('it has no header')
  const { header, sum } = found as { header: string; sum: number }
  if (sum !== checksumOf(header)) throw damagedJournal('its header is not what was written')
  return JSON.parse(header) as JobHeader
}

/** Replaces the header of a job. Throws `io` (exit 10). */
export function writeHeader(database: DatabaseSync, header: JobHeader): void {
  const text = JSON.stringify(header)
  guardStorage(() => database.prepare('UPDATE job SET header = ?, sum = ?').run(text, checksumOf(text)))
}

/** Returns the jobs of a command line in a folder, newest first. */
export async function jobsOfLine(dir: string, line: string): Promise<{ file: JobFile; header: JobHeader }[]> {
  const files = await jobFiles(dir)
  const jobs = files
    .filter(({ path }) => path.includes(`.${line.slice(0, lineCharacters)}.`))
    .map((file) => ({ file, header: readHeader(file.path) }))
    .filter(({ header }) => header.line === line)
  return jobs.toSorted((a, b) => (a.header.created_at < b.header.created_at ? 1 : -1))
}

/** Reads the header of the job in a file. Throws `journal` (exit 9) and `io` (exit 10). */
export function readHeader(path: string): JobHeader {
  return readJournal(path, headerIn)
}

/** Opens a journal for one reading. Throws like `openJournalFile`, and what `read` throws. */
export function readJournal<Result>(path: string, read: (database: DatabaseSync) => Result): Result {
  const database = openJournalFile(path, { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
