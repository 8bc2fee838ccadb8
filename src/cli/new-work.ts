// Work that begins with a command line: its input is checked and made into a job, or it is the job that was stopped.
import type { LooseRequest } from '../api/request.ts'
import { type JobHeader, newJobId } from '../bulk/job.ts'
import { removeJournalFile } from '../bulk/journal-file.ts'
import type { Lock } from '../bulk/lock.ts'
import { type BadRow, isBad, type Row } from '../bulk/row.ts'
import { type Shard, shardOf, shardText } from '../bulk/shard.ts'
import { type Spool, spool } from '../bulk/spool.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { EXIT, PromoError } from '../errors.ts'
import type { RowCall } from './act.ts'
import { type CommandLine, decisiveFlags, lineSum } from './command-line.ts'
import type { Host } from './host.ts'
import type { InputRows } from './input-rows.ts'
import { lockFor, unlocked } from './job-lock.ts'
import { type JobPlace, jobsFolder, placeOf } from './job-place.ts'
import { misfit, workOfJob } from './job-work.ts'
import type { Many, ManyFlags } from './many-words.ts'
import type { Destination, Work } from './work.ts'

/** What a new job takes from its command. */
export interface Commanded {
  line: CommandLine
  flags: ManyFlags
  /** The name of the profile. */
  profile: string
  /** Which part of the rows to take; null: all. */
  shard: Shard | null
  host: Host
  version: string
  /** For an undo: the id of the job that is taken back. */
  undoes?: string
}

/**
 * Takes up the rows of a command line.
 *
 * The same command line continues the job it began. Everything in a new input is checked before this returns. Throws
 * `input` (exit 2) for bad rows, `held` (8) while another process has the job, `journal` (9) when a file is not what it was
 * when the job began, and `io` (10). One argument alone is a call and no job: nothing of it is kept.
 */
export async function newWork<E extends Endpoint>(rows: InputRows, many: Many<E>, commanded: Commanded): Promise<Work> {
  const { flags, host, shard } = commanded
  if (rows.isSingle && flags.journal === undefined) return inMemory(await spooled(rows, many, flags, shard))
  // ASSUMED A533: the same command line with the same path is the same job, whatever the file holds now; two pipes have
  // nothing but their contents to be told apart by, so a pipe is read before its job is looked for.
  const isPipe = rows.sha256Now === undefined && flags.journal === undefined
  const early = isPipe ? await spooled(rows, many, flags, shard, jobsFolder(host)) : undefined
  const line = lineOf(rows, commanded, isPipe ? rows.sha256() : null)
  const place = placeOf(line, { journal: flags.journal, shard, host, repeat: many.endpoint.repeat })
  const lock = flags['dry-run'] ? unlocked : await lockFor(place.lockPath, host)
  try {
    await place.mustBeFree()
    const known = flags.restart ? undefined : await place.find()
    if (known === undefined) {
      const kept = early ?? (await spooled(rows, many, flags, shard, place.dir))
      return workOfSpool(kept, { lock, place, shard, now: host.now }, (to) =>
        headerOf({ rows, kept, line, commanded, to }),
      )
    }
    await early?.close()
    if ((await sumNow(rows)) !== known.header.input_sha256) {
      throw misfit(known.header, `${shownInput(rows)} is not what it was when the job began`)
    }
    return workOfJob({ path: known.path, lock, again: 'rest', now: host.now })
  } catch (error) {
    await early?.close()
    lock.release()
    throw error
  }
}

/** The sum of the input as it is now; a pipe has to be read for it. */
async function sumNow({ sha256Now, sha256, rows }: InputRows): Promise<string> {
  if (sha256Now) return await sha256Now()
  for await (const _ of rows);
  return sha256()
}

function shownInput({ input, name }: InputRows): string {
  return input === '-' ? 'standard input' : `"${name}"`
}

async function spooled<E extends Endpoint>(
  { rows, name, isArguments }: InputRows,
  many: Many<E>,
  flags: ManyFlags,
  shard: Shard | null,
  dir?: string,
): Promise<Spool> {
  // Where equal rows are all acted on they have no key of their own; their lines spread them evenly.
  const shardKey = (row: { line: number; key: string }) => (many.onDuplicate === 'keep' ? String(row.line) : row.key)
  const counted = isArguments ? 'argument' : 'line'
  return await spool(sendable(rows, many, counted), {
    name,
    counted,
    onDuplicate: many.onDuplicate ?? 'fold',
    badRows: flags['skip-bad-rows'] ? 'keep' : 'refuse',
    ...(dir !== undefined && { dir }),
    ...(shard !== null && { isOurs: (row) => shardOf(shardKey(row), shard.of) === shard.index }),
  })
}

/** Turns a row whose request the contract refuses into a bad row, so that it is found before the first request. */
export async function* sendable<E extends Endpoint>(
  rows: AsyncIterable<Row | BadRow> | Iterable<Row | BadRow>,
  { endpoint, request }: RowCall<E>,
  counted: 'line' | 'argument' = 'line',
): AsyncGenerator<Row | BadRow> {
  const { checkedRequest } = await import('../api/request.ts')
  for await (const row of rows) {
    const problem = isBad(row) ? undefined : problemOf(() => checkedRequest(endpoint, request(row) as LooseRequest))
    yield isBad(row) || problem === undefined
      ? row
      : { line: row.line, rule: 'request', message: `${counted} ${row.line}: ${problem}`, fields: row.fields }
  }
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof PromoError && error.exitCode === EXIT.usage) return error.message
    throw error
  }
}

function inMemory(kept: Spool): Work {
  return {
    ...facts(kept, null),
    begin: async () => ({ total: kept.total, shard: null, others: 0, everyRow: () => kept.everyRow(), end: () => {} }),
    close: () => kept.close(),
  }
}

function facts(kept: Spool, shard: Shard | null): Omit<Work, 'begin' | 'close'> {
  const { total, count, duplicates, others, warnings } = kept
  const read = { rows: () => kept.rows(), sample: (size: number) => kept.sample(size) }
  return { total, count, duplicates, shard, others, warnings, ...read }
}

/** Rows that become a job when they are begun, and leave nothing behind when they are not. */
function workOfSpool(
  kept: Spool,
  { lock, place, shard, now }: { lock: Lock; place: JobPlace; shard: Shard | null; now: () => number },
  headerFor: (to: Destination) => JobHeader,
): Work {
  let job: ReturnType<typeof workOfJob> | undefined
  return {
    ...facts(kept, shard),
    async begin(to) {
      const header = headerFor(to)
      const path = place.pathOf(header.id)
      // What --restart leaves behind of the job that had this place.
      await removeJournalFile(path)
      await kept.publish(path, header)
      job = workOfJob({ path, lock, again: 'rest', now })
      return await job.begin(to)
    },
    async close() {
      await kept.close()
      if (job) await job.close()
      else lock.release()
    },
  }
}

function lineOf(rows: InputRows, { line, flags, profile, shard }: Commanded, sha: string | null): string {
  // A folder of its own says which job it is; the same file may have another path on another computer.
  const input = flags.journal === undefined ? rows.input : 'journal'
  return lineSum(line, { profile, shard, input, inputSha256: sha })
}

function headerOf(about: {
  rows: InputRows
  kept: Spool
  line: string
  commanded: Commanded
  to: Destination
}): JobHeader {
  const { rows, kept, line, commanded, to } = about
  const { profile, host, version, shard, undoes } = commanded
  const { total, others, duplicates, bad } = kept
  const columns = rows.columns?.()
  const now = new Date(host.now())
  return {
    id: newJobId(now),
    command: commanded.line.command,
    args: commanded.line.args,
    // Not `auto`: who continues the job may be no task of the scheduler.
    flags: { ...decisiveFlags(commanded.line.flags), ...(shard !== null && { shard: shardText(shard) }) },
    input: rows.input,
    input_sha256: rows.sha256(),
    plan_sha256: to.planSha256,
    line,
    shard,
    profile,
    project: to.project,
    origin: to.origin,
    repeat: to.repeat,
    rows: { total, others, duplicates, bad },
    promo_version: version,
    created_at: now.toISOString(),
    ...(undoes !== undefined && { undoes }),
    ...(columns && { columns: [...columns] }),
  }
}
