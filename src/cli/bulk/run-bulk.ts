import { parseRate, type Rate, shareOf } from '../../api/pacing/rate.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import { formatCount } from '../../base/numbers.ts'
import type { Row } from '../../bulk/input/row.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ExitCode } from '../../errors.ts'
import { planColumns } from '../../output/columns/plan.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import { keepHeapSmall } from '../heap.ts'
import { quotedValue, shownValue } from '../prompt/asked-value.ts'
import { announceWrite, detailFor, isDeletion, isFinalCall } from '../prompt/confirm.ts'
import { type ClientSession, fingerprintsOf } from '../session/connect.ts'
import { afterGrace } from '../stop.ts'
import type { BulkDefinition } from './definition.ts'
import type { CommandContext } from './identity.ts'
import { formsOf } from './outcome-records.ts'
import { itemsIn, type RepeatedRows, repeatedRows } from './repeated-rows.ts'
import type { RunPlan } from './run-plan.ts'
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
  plan: RunPlan,
  bulk: BulkDefinition<E>,
  command: BulkCommand,
): Promise<ExitCode> {
  const { host, replay } = command
  const { show } = plan
  await show.check(plan.isDryRun ? planColumns : formsOf(bulk).columns)
  const resolved = await plan.profile()
  // On behalf of a job, the flag was not given on this command line.
  const profile: Resolved =
    replay !== undefined && plan.profileName !== undefined ? { ...resolved, source: `job ${replay.job}` } : resolved
  const { name, projectId: id, isSandbox, origin } = profile
  const fingerprints = async () => await fingerprintsOf(profile)
  const project = { id, origin: isSandbox ? 'sandbox' : origin, fingerprints }
  const work = await workOf(items, plan, bulk, command, { profile: name, project })
  try {
    if (work.same !== undefined) {
      const { mannerFlags } = await import('./identity.ts')
      const { replayOf } = await import('./replay-job.ts')
      return await command.startFor(
        replayOf(work.same, { again: 'rest', flags: mannerFlags(command.line.flags) }, host),
      )
    }
    if (work.complete && !plan.isDryRun) {
      const { showCompleteJob } = await import('./nothing-sent.ts')
      return await showCompleteJob(work.complete, work, show, bulk, replay)
    }
    const known = await bulk.forRows?.(work.all())
    const repeated = repeatedRows(() => work.rows(), bulk)
    // The summary is about all rows of the job.
    const { items } = work.count === work.total ? repeated : repeatedRows(() => work.all(), bulk)
    const definition = { ...bulk, ...known }
    let isJob = false
    const session = await sessionFor(work, plan, profile, host, () => isJob)
    try {
      for (const warning of work.warnings) show.warn(`warning: ${warning}`)
      const writing = writesOf(work, bulk)
      if (writing > 0) announceWrite(session.profile, show)
      const notice = work.notice ?? ('read' in bulk.input ? bulk.input.told(work) : undefined)
      if (notice !== undefined) show.say(notice)
      if (plan.isDryRun) {
        const { showPlan } = await import('./nothing-sent.ts')
        return await showPlan(session.client, work, definition, show, repeated)
      }
      if (writing > 0) {
        if (plan.isAgreed && repeated.words !== undefined)
          show.warn(`warning: ${repeated.words}, and all of them count`)
        await session.agree({
          ...actionOn(writing, work, bulk, repeated, replay?.caution),
          detail: detailOn(writing, work, bulk, session, host),
        })
      }
      await replay?.examine?.(session)
      await known?.examine(session, work.recorded?.())
      const { destinationOf } = await import('./destination.ts')
      // A function, because only a job keeps where it leads, and its fingerprints take longer than one request to prepare.
      const begun = await work.begin(() => ({
        ...destinationOf(session, work, definition, known?.planFacts),
        consent: { isSame: plan.job.isSame, canRestart: replay === undefined },
      }))
      isJob = begun.job !== undefined
      const onEnd =
        begun.job === undefined || writing === 0
          ? undefined
          : session.history.job(begun.job, begun.total, replay?.isPart ? replay.undoes : undefined)
      const { runWork } = await import('./run-work.ts')
      const isUndo = replay?.undoes !== undefined
      return await runWork(session, begun, plan, definition, { host, onEnd, isUndo, items })
    } finally {
      await session.close()
    }
  } finally {
    await work.close()
  }
}

/** Opens a client that keeps to the pace of the plan, and has the patience that many rows need. */
async function sessionFor(
  work: Pick<Work, 'total' | 'shard' | 'others'>,
  { pace, isDryRun, connect }: RunPlan,
  profile: Resolved,
  { stop }: Pick<BulkCommand['host'], 'stop'>,
  isJob: () => boolean,
): Promise<ClientSession> {
  const ofProfile = profile.rate === undefined ? undefined : parseRate(profile.rate)
  const rate = partFor(work.shard, pace.rate ?? ofProfile)
  return await connect({
    profile,
    concurrency: pace.concurrency,
    ...(rate !== undefined && { rate }),
    ...(work.total + work.others > 1 && {
      retries: retriesPerRow,
      maxOutageMs: pace.maxOutageMs ?? defaultOutageMs,
    }),
    drain: stop,
    signal: afterGrace(stop),
    planOnly: isDryRun,
    isJob,
  })
}

/** Returns how many rows write: of a call that reads, those whose own call does not. */
function writesOf<E extends Endpoint>(work: Work, { endpoint, callOf = () => endpoint }: BulkDefinition<E>): number {
  if (endpoint.repeat !== 'read') return work.count
  let count = 0
  for (const row of work.rows()) if (callOf(row).repeat !== 'read') count += 1
  return count
}

/** Returns what is to be confirmed before rows are acted on. */
function actionOn<E extends Endpoint>(
  count: number,
  work: Pick<Work, 'rows' | 'repeatsRows'>,
  { words: { noun, verb }, endpoint, callOf, undo, action, input }: BulkDefinition<E>,
  repeated: RepeatedRows,
  caution?: string,
) {
  const isCostly = endpoint.confirm !== undefined || 'read' in input
  const isAlwaysAsked = isCostly || caution !== undefined || work.repeatsRows
  const what = action ? action(work.rows()) : `${verb} ${namedOrCounted(count, work.rows(), noun, repeated)}`
  const repeats = repeated.words === undefined ? '' : `, of which ${repeated.words}`
  return {
    action: `${what}${repeats}${caution === undefined ? '' : `, ${caution}`}`,
    count,
    deletes: callOf ? [...work.rows()].some((row) => isDeletion(callOf(row))) : isDeletion(endpoint),
    asks: count > (isAlwaysAsked ? 0 : 1),
    isFinal: undo === undefined && isFinalCall(endpoint),
  }
}

/** Returns the detail of the question: of a single row, or of the first of several that all write. */
function detailOn<E extends Endpoint>(
  count: number,
  work: Pick<Work, 'rows'>,
  { endpoint, callOf = () => endpoint, request }: BulkDefinition<E>,
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
  return only === undefined || !isNamed(only) ? formatCount(1, noun) : `${noun} ${quotedValue(only.key)}`
}

function isNamed({ key, line }: Row): boolean {
  return key !== String(line)
}

/** Each shard keeps to its part of a rate. */
function partFor(shard: Shard | null, rate: Rate | undefined): Rate | undefined {
  return shard === null || rate === undefined ? rate : shareOf(rate, shard)
}

async function workOf<E extends Endpoint>(
  items: string[] | undefined,
  plan: RunPlan,
  bulk: BulkDefinition<E>,
  { host, config, line, replay }: BulkCommand,
  about: Pick<CommandContext, 'profile' | 'project'>,
): Promise<Work> {
  const { newWork } = await import('./new-work.ts')
  const commanded = { ...about, line, plan, host, version: config.version }
  const { reading } = plan
  const { words, endpoint, input } = bulk
  if (replay || 'read' in input || reading) keepHeapSmall()
  if (replay) return await replay.work((rows, undoes) => newWork(rows, bulk, { ...commanded, undoes }))
  if ('read' in input) return await newWork(input.read(), bulk, commanded)
  const { inputRows } = await import('./input-rows.ts')
  const given = inputRows(items, reading, words, endpoint, input)
  const hasBody = reading !== undefined && endpoint.body !== undefined
  const rows = hasBody ? (await import('./metadata-rows.ts')).withMetadata(given, endpoint, plan) : given
  const mayName = bulk.customers !== undefined || hasBody
  const completed = mayName ? await (await import('./customer-rows.ts')).withCustomers(rows, bulk, plan) : rows
  return await newWork(completed, bulk, commanded, items?.length === 1)
}
