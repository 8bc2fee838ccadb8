import { parseRate, type Rate, shareOf } from '../../api/pacing/rate.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import { counted } from '../../base/grouped.ts'
import type { Row } from '../../bulk/input/row.ts'
import { parseShard, type Shard } from '../../bulk/shard.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ExitCode } from '../../errors.ts'
import { checkShape } from '../../output/check.ts'
import { planColumns } from '../../output/columns/plan.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import { keepHeapSmall } from '../heap.ts'
import { quotedValue, shownValue } from '../prompt/asked-value.ts'
import { announceWrite, detailFor, isDeletion, isFinalCall } from '../prompt/confirm.ts'
import { messagesTo } from '../result/messages.ts'
import { shapeOf } from '../result/output.ts'
import { type ClientSession, connect, fingerprintsOf, resolveProfile } from '../session/connect.ts'
import { afterGrace } from '../stop.ts'
import type { BulkDefinition, BulkFlags } from './definition.ts'
import type { CommandContext } from './identity.ts'
import { formsOf } from './outcome-records.ts'
import { itemsIn, type RepeatedRows, repeatedRows } from './repeated-rows.ts'
import type { BulkCommand, Work } from './work.ts'

/** Retries of one row of many: at one fault in five, three attempts would still lose 80 rows of 10,000. */
const retriesPerRow = 9

/** How long an outage may last before a job stops (docs/reliability.md#health-and-outage). */
const defaultOutageMs = 600_000

/**
 * Acts on every item and returns the exit code of the worst outcome.
 *
 * Everything in the input is checked before the first request; a bad row throws `input` with exit 2 and nothing is sent.
 * More than one item asks first. Outcomes are written in input order as they arrive; messages go to stderr.
 */
export async function runBulk<E extends Endpoint>(
  items: string[] | undefined,
  flags: BulkFlags,
  bulk: BulkDefinition<E>,
  command: BulkCommand,
): Promise<ExitCode> {
  const { host } = command
  const planOnly = flags['dry-run'] ?? false
  await checkShape(shapeOf(flags, host), planOnly ? planColumns : formsOf(bulk).columns)
  const shard = flags.shard === undefined ? null : parseShard(flags.shard, host.env)
  // Before the input is opened: a pipe may keep the command waiting.
  if (flags.rate !== undefined) parseRate(flags.rate)
  const resolved = await resolveProfile(flags, host)
  const { replay } = command
  // On behalf of a job, the flag was not given on this command line.
  const profile: Resolved =
    replay !== undefined && flags.profile !== undefined ? { ...resolved, source: `job ${replay.job}` } : resolved
  const { name, projectId: id, isSandbox, origin } = profile
  const fingerprints = async () => await fingerprintsOf(profile)
  const project = { id, origin: isSandbox ? 'sandbox' : origin, fingerprints }
  const work = await workOf(items, flags, bulk, command, { profile: name, project, shard })
  try {
    if (work.same !== undefined) {
      const { mannerFlags } = await import('./identity.ts')
      const { replayOf } = await import('./replay-job.ts')
      return await command.startFor(replayOf(work.same, { again: 'rest', flags: mannerFlags(flags) }, host))
    }
    if (work.complete && !planOnly) {
      const { showCompleteJob } = await import('./complete-job.ts')
      return await showCompleteJob(work.complete, work, flags, bulk, command)
    }
    const known = await bulk.forRows?.(work.all())
    const repeated = repeatedRows(() => work.rows(), bulk)
    // The summary is about all rows of the job.
    const { items } = work.count === work.total ? repeated : repeatedRows(() => work.all(), bulk)
    const definition = { ...bulk, ...known, ...(items !== undefined && { words: { ...bulk.words, items } }) }
    let isJob = false
    const session = await sessionFor(work, flags, profile, command, () => isJob)
    try {
      const messages = messagesTo(host, flags)
      for (const warning of work.warnings) messages.warn(`warning: ${warning}`)
      const writing = writesOf(work, bulk)
      if (writing !== undefined) announceWrite(session.profile, messages)
      const notice = work.notice ?? bulk.chosen?.(work)
      if (notice !== undefined) messages.say(notice)
      if (planOnly) {
        const { showPlan } = await import('./plan.ts')
        return await showPlan(session.client, work, flags, definition, host, repeated)
      }
      if (writing !== undefined) {
        if (flags.yes && repeated.words !== undefined)
          messages.warn(`warning: ${repeated.words}, and all of them count`)
        await session.agree({
          ...actionOn(writing, work, bulk, repeated, replay?.caution),
          detail: detailOn(writing, work, bulk, session, host),
        })
      }
      await replay?.examine?.(session)
      await bulk.examine?.(session, work.recorded?.())
      const { destinationOf, projectConsent } = await import('./destination.ts')
      // A function, because only a job keeps where it leads, and its fingerprints take longer than one request to prepare.
      const begun = await work.begin(() => ({
        ...destinationOf(session, work, definition, known?.planFacts),
        consent: projectConsent(flags, host, { canRestart: replay === undefined }),
      }))
      isJob = begun.job !== undefined
      const onEnd =
        begun.job === undefined || writing === undefined
          ? undefined
          : session.history.job(begun.job, begun.total, replay?.isPart ? replay.undoes : undefined)
      const { runWork } = await import('./run-work.ts')
      const pace = { ...flags, concurrency: concurrencyOf(flags) }
      return await runWork(session, begun, pace, definition, { host, onEnd, isUndo: replay?.undoes !== undefined })
    } finally {
      await session.close()
    }
  } finally {
    await work.close()
  }
}

/** Requests in flight at the same time. */
function concurrencyOf({ concurrency = 8 }: Pick<BulkFlags, 'concurrency'>): number {
  return concurrency
}

/** Opens a client that keeps to the rate of the flags, and has the patience that many rows need. */
async function sessionFor(
  work: Pick<Work, 'total' | 'shard' | 'others'>,
  flags: BulkFlags,
  profile: Resolved,
  { host, config }: Pick<BulkCommand, 'host' | 'config'>,
  isJob: () => boolean,
): Promise<ClientSession> {
  const rate = rateOf(flags.rate ?? profile.rate, work.shard)
  return await connect(flags, host, config, {
    profile,
    concurrency: concurrencyOf(flags),
    ...(rate !== undefined && { rate }),
    ...(work.total + work.others > 1 && {
      retries: retriesPerRow,
      maxOutageMs: flags['max-outage'] ?? defaultOutageMs,
    }),
    drain: host.stop,
    signal: afterGrace(host.stop),
    planOnly: flags['dry-run'] ?? false,
    isJob,
  })
}

/** Returns how many rows write, and the words that confirm them; undefined: all of them only read. */
function writesOf<E extends Endpoint>(work: Work, { words, writes }: BulkDefinition<E>) {
  if (writes === undefined) return { count: work.count, verb: words.verb }
  let count = 0
  for (const row of work.rows()) if (writes.isWrite(row)) count += 1
  return count === 0 ? undefined : { count, verb: writes.verb }
}

/** Returns what is to be confirmed before rows are acted on. */
function actionOn<E extends Endpoint>(
  { count, verb }: { count: number; verb: string },
  work: Pick<Work, 'rows' | 'repeatsRows'>,
  { words, asksForOne, endpoint, callOf, isFinal, action, chosen }: BulkDefinition<E>,
  repeated: RepeatedRows,
  caution?: string,
) {
  const isCostly = asksForOne === true || endpoint.confirm !== undefined
  const isAlwaysAsked = isCostly || caution !== undefined || chosen !== undefined || work.repeatsRows
  const what = action ? action(work.rows()) : `${verb} ${namedOrCounted(count, work.rows(), words.noun, repeated)}`
  const repeats = repeated.words === undefined ? '' : `, of which ${repeated.words}`
  return {
    action: `${what}${repeats}${caution === undefined ? '' : `, ${caution}`}`,
    count,
    deletes: callOf ? [...work.rows()].some((row) => isDeletion(callOf(row))) : isDeletion(endpoint),
    asks: count > (isAlwaysAsked ? 0 : 1),
    isFinal: isFinal ?? isFinalCall(endpoint),
  }
}

/** Returns the detail of the question: of a single row, or of the first of several that all write. */
function detailOn<E extends Endpoint>(
  { count }: { count: number },
  work: Pick<Work, 'rows'>,
  { endpoint, callOf = () => endpoint, request, writes }: BulkDefinition<E>,
  session: ClientSession,
  host: BulkCommand['host'],
) {
  const writeOf = (row: Row) => ({
    key: isNamed(row) ? shownValue(row.key) : undefined,
    endpoint: callOf(row),
    request: request(row) as LooseRequest,
  })
  if (count > 1) {
    const rows = function* () {
      for (const row of work.rows()) yield writeOf(row)
    }
    if (writes !== undefined) return undefined
    return async () => {
      const { patientDetail } = await import('../prompt/detail.ts')
      return await patientDetail(session, rows(), count, host)
    }
  }
  const [only] = count === 1 ? work.rows() : []
  return only && detailFor(session, callOf(only), request(only) as LooseRequest)
}

/** A single row is named, unless its key is only its place in the input. */
function namedOrCounted(count: number, rows: Iterable<Row>, noun: string, repeated: RepeatedRows): string {
  if (count !== 1) return itemsIn(count, noun, repeated)
  const [only] = rows
  return only === undefined || !isNamed(only) ? counted(1, noun) : `${noun} ${quotedValue(only.key)}`
}

function isNamed({ key, line }: Row): boolean {
  return key !== String(line)
}

/** Returns the rate of the command line or the profile; each shard keeps to its part. */
function rateOf(given: string | undefined, shard: Shard | null): Rate | undefined {
  if (given === undefined) return undefined
  const rate = parseRate(given)
  return shard === null ? rate : shareOf(rate, shard)
}

async function workOf<E extends Endpoint>(
  items: string[] | undefined,
  flags: BulkFlags,
  bulk: BulkDefinition<E>,
  { host, config, line, replay }: BulkCommand,
  about: Pick<CommandContext, 'profile' | 'project' | 'shard'>,
): Promise<Work> {
  const { newWork } = await import('./new-work.ts')
  const commanded = { ...about, line, flags, host, version: config.version }
  if (replay || bulk.chosen || flags.from !== undefined) keepHeapSmall()
  if (replay) return await replay.work((rows, undoes) => newWork(rows, bulk, { ...commanded, undoes }))
  if (bulk.input) return await newWork(bulk.input(), bulk, commanded)
  const { inputRows } = await import('./input-rows.ts')
  const given = inputRows(items, flags, bulk, host)
  const hasBody = flags.from !== undefined && bulk.endpoint.body !== undefined
  const rows = hasBody
    ? (await import('./metadata-rows.ts')).withMetadata(given, bulk.endpoint, flags, { host, config })
    : given
  const mayName = bulk.customers !== undefined || hasBody
  if (!mayName) return await newWork(rows, bulk, commanded)
  const { withCustomers } = await import('./customer-rows.ts')
  return await newWork(await withCustomers(rows, bulk, flags, { host, config }), bulk, commanded)
}
