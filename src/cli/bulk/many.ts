// Many rows through one engine: input checked, plan shown or confirmed, rows acted on, one outcome each, a summary.
import type { Config } from '@oclif/core'
import type { Client, RequestOf } from '../../api/client.ts'
import { parseRate, type Rate } from '../../api/pacing/rate.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import type { Row } from '../../bulk/input/row.ts'
import { parseShard, type Shard, shardText } from '../../bulk/shard.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { planColumns } from '../../output/columns/plan.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import { announceWrite, confirmWrite } from '../prompt/confirm.ts'
import { talkTo } from '../result/messages.ts'
import { formatOf, shapeOf, sinkOf } from '../result/output.ts'
import { keepHeapSmall } from '../run/heap.ts'
import { afterGrace, type Host } from '../run/host.ts'
import { connect, resolveProfile, type Session } from '../session/connect.ts'
import type { CommandLine } from './command-identity.ts'
import { counted, type Many, type ManyFlags } from './definition.ts'
import type { Recall } from './replay.ts'
import type { Destination, Work } from './work.ts'

/** The command that has many items, as far as a job needs to know it. */
export interface ManyCommand {
  host: Host
  config: Config
  line: CommandLine
  /** For `jobs resume`, `retry` and `undo`: the job in whose place the command runs. */
  recall?: Recall
}

/** Rows that a table of a plan shows. */
const plannedRowsShown = 10

/** Extra attempts of one row of many: at one fault in five, three attempts would still lose 80 rows of 10,000. */
const retriesPerRow = 9

/** How long requests in flight may take to finish after Ctrl-C. */
const graceMs = 10_000

/** How long the service may be away before a job stops (docs/reliability.md#health-and-outage). */
const defaultOutageMs = 600_000

/** Rows whose requests tell whether a job that is continued would still send the same. */
const sampledRows = 20

/**
 * Acts on every item and gives the worst outcome as the exit code.
 *
 * Everything in the input is checked before the first request; a bad row throws `input` with exit 2 and nothing is sent.
 * More than one item asks first. Outcomes are written in input order as they come; talk goes to stderr.
 */
export async function overMany<E extends Endpoint>(
  items: string[] | undefined,
  flags: ManyFlags,
  many: Many<E>,
  command: ManyCommand,
): Promise<ExitCode> {
  const { host } = command
  const shard = flags.shard === undefined ? null : parseShard(flags.shard, host.env)
  const profile = await resolveProfile(flags, host)
  const work = await workOf(items, flags, many, command, { profile: profile.name, shard })
  try {
    const planOnly = flags['dry-run'] ?? false
    if (work.complete && !planOnly) {
      const { showComplete } = await import('./nothing-left.ts')
      return await showComplete(work.complete, work, flags, many.words, command)
    }
    const session = await sessionFor(work, flags, profile, command)
    try {
      const talk = talkTo(host, flags)
      for (const warning of work.warnings) talk.warn(`warning: ${warning}`)
      announceWrite(session.profile, talk)
      if (work.notice !== undefined) talk.say(work.notice)
      if (planOnly) return await showPlan(session.client, work, flags, many, host)
      const question = questionFor(work, many, command.recall?.caution)
      await confirmWrite({ profile: session.profile, flags, host, ...(question !== undefined && { question }) })
      const begun = await work.begin(await destination(session, work, many))
      const { runWork } = await import('./run-work.ts')
      return await runWork(session.client, begun, { ...flags, concurrency: concurrencyOf(flags) }, many, host)
    } finally {
      await session.close()
    }
  } finally {
    await work.close()
  }
}

/** Requests in flight at the same time. */
export function concurrencyOf({ concurrency = 8 }: Pick<ManyFlags, 'concurrency'>): number {
  return concurrency
}

/** Opens a client that keeps to the pace of the flags, and has the patience that many rows need. */
export async function sessionFor(
  work: Pick<Work, 'total' | 'shard' | 'others'>,
  flags: ManyFlags,
  profile: Resolved,
  { host, config }: Pick<ManyCommand, 'host' | 'config'>,
): Promise<Session> {
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
    signal: afterGrace(host.stop, graceMs),
    planOnly: flags['dry-run'] ?? false,
  })
}

/** What has to be asked before rows are acted on; undefined: nothing. */
function questionFor<E extends Endpoint>(work: Work, { words, asksForOne }: Many<E>, caution?: string) {
  if (work.count <= (asksForOne || caution !== undefined ? 0 : 1)) return undefined
  return `${words.verb} ${counted(work.count, words.noun)}${caution === undefined ? '' : `, ${caution}`}`
}

/** The rate of the command line or the profile; each of n shards keeps to its n-th part. */
function rateOf(given: string | undefined, shard: Shard | null): Rate | undefined {
  if (given === undefined) return undefined
  const { requests, perMs } = parseRate(given)
  return { requests: requests / (shard?.of ?? 1), perMs }
}

async function workOf<E extends Endpoint>(
  items: string[] | undefined,
  flags: ManyFlags,
  many: Many<E>,
  { host, config, line, recall }: ManyCommand,
  about: { profile: string; shard: Shard | null },
): Promise<Work> {
  const { newWork } = await import('./new-work.ts')
  const commanded = { ...about, line, flags, host, version: config.version }
  if (recall || flags.from !== undefined) keepHeapSmall()
  if (recall) return await recall.work((rows, undoes) => newWork(rows, many, { ...commanded, undoes }))
  const { inputRows } = await import('./input-rows.ts')
  return await newWork(inputRows(items, flags, many.words, host), many, commanded)
}

/** Says where and as what the rows will be sent. */
export async function destination<E extends Endpoint>(
  session: Session,
  work: Pick<Work, 'sample'>,
  { endpoint, request, batch }: Pick<Many<E>, 'endpoint' | 'request' | 'batch'>,
): Promise<Destination> {
  const { checkedRequest } = await import('../../api/request/request.ts')
  const { sumOfJson } = await import('../../bulk/journal/input-checksum.ts')
  const sent = work.sample(sampledRows).map((row) => {
    const { target, body } = checkedRequest(endpoint, request(row) as LooseRequest)
    return [endpoint.method, target, typeof body === 'string' ? body : null]
  })
  return {
    project: session.project,
    origin: session.profile.isSandbox ? 'sandbox' : session.profile.origin,
    planSha256: sumOfJson(sent),
    repeat: endpoint.repeat,
    grouped: (batch?.size ?? 1) > 1,
    ahead: mayRunAhead(endpoint),
  }
}

/**
 * Says whether a row that was never sent may count as begun. Not where a refusal would then pass for a proof that it was
 * applied (a taken key, nothing left to delete), nor where it could never be sent again.
 */
function mayRunAhead({ repeat, method }: Endpoint): boolean {
  return (repeat === 'idempotent' && method !== 'DELETE') || repeat === 'read'
}

/** Shows the requests that would be sent; in a table the first few, in the other formats all of them. */
async function showPlan<E extends Endpoint>(
  client: Client,
  work: Work,
  flags: ManyFlags,
  { words, endpoint, request, batch }: Many<E>,
  host: Host,
): Promise<ExitCode> {
  const { emit } = await import('../../output/emit.ts')
  const { batchesOf, isActable } = await import('../../bulk/batch.ts')
  const isTable = formatOf(flags) === 'table'
  async function* planned() {
    let shown = 0
    for (const rows of batchesOf(work.rows(), batch?.size ?? 1)) {
      if (isTable && shown === plannedRowsShown) return
      const acted = rows.filter(isActable)
      if (acted.length === 0) continue
      shown += 1
      for (const one of requestsFor(acted)) yield client.plan(endpoint, one)
    }
  }
  function requestsFor(rows: readonly Row[]): RequestOf<E>[] {
    return batch ? [batch.request(rows)] : rows.map(request)
  }
  const requests = Math.ceil(work.count / (batch?.size ?? 1))
  const hidden = isTable ? Math.max(0, requests - plannedRowsShown) : 0
  await emit(planned(), planColumns, shapeOf(flags, host), sinkOf(flags, host), {
    nothing: `no ${words.noun}s to ${words.verb}`,
    more: () => (hidden === 0 ? undefined : `and ${hidden} more`),
  })
  const folded = work.duplicates === 0 ? '' : ` (${counted(work.duplicates, 'duplicate')} folded)`
  const part =
    work.shard === null ? '' : `; shard ${shardText(work.shard)}, ${counted(work.others, 'row')} in other shards`
  const plan = `would ${words.verb} ${counted(work.count, words.noun)}${folded}`
  talkTo(host, flags).say(`dry run: ${plan}${part}; nothing was sent`)
  return EXIT.ok
}
