// Many rows through one engine: input checked, plan shown or confirmed, rows acted on, one outcome each, a summary.
import { join } from 'node:path'
import type { Config } from '@oclif/core'
import type { Client } from '../api/client.ts'
import { parseRate } from '../api/limits.ts'
import type { LooseRequest } from '../api/request.ts'
import { type BadRow, isBad, type Row } from '../bulk/row.ts'
import type { Outcome } from '../bulk/run.ts'
import type { Spool } from '../bulk/spool.ts'
import type { Summary } from '../bulk/summary.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { EXIT, type ExitCode, PromoError, usageError } from '../errors.ts'
import { planColumns } from '../output/columns/plan.ts'
import { folders } from '../profiles/folders.ts'
import { actOf, type RowCall } from './act.ts'
import { actOnBatch, type Batch } from './act-on-batch.ts'
import { announceWrite, type ConfirmFlags, confirmWrite } from './confirm.ts'
import { type ConnectFlags, connect } from './connect.ts'
import type { ErrorLimit } from './grammar.ts'
import { afterGrace, type Host, onlyClosedPipe, stoppedExitCode } from './host.ts'
import { outcomeColumns, outcomeRecord, summaryLine, summaryRecord } from './outcomes.ts'
import { startProgress } from './progress.ts'
import { formatOf, type OutputFlags, shapeOf, sinkOf } from './shaping.ts'
import { keepHeapSmall } from './small-heap.ts'
import { talkTo } from './talk.ts'

/** What a command over many items calls things. */
export interface ManyWords {
  /** `voucher`, also the member that holds the service's object in an outcome unless `member` names another. */
  noun: string
  /** `disable` */
  verb: string
  /** `disabled` */
  done: string
  /** What an item was before, when nothing had to change: `off already`. */
  unchanged: string
  /** The column, or JSON member, that names the item: `code`. */
  key: string
  /** The member that holds the service's object in an outcome, where the noun is taken. */
  member?: string
}

/** A command over many items: its words, and how a row becomes a call. */
export interface Many<E extends Endpoint> extends RowCall<E> {
  words: ManyWords
  /** What to do with a key that came before (bulk/spool.ts); `fold` unless given. */
  onDuplicate?: 'fold' | 'fold-identical' | 'keep'
  /** Whether even a single item is confirmed first, because nothing brings it back. */
  asksForOne?: boolean
  /** How rows share requests; absent: each has its own. */
  batch?: Batch<E>
}

export type ManyFlags = ConnectFlags &
  OutputFlags &
  ConfirmFlags & {
    from?: string | undefined
    column?: string | undefined
    'input-format'?: 'csv' | 'jsonl' | 'lines' | undefined
    delimiter?: string | undefined
    'skip-bad-rows'?: boolean
    concurrency?: number | undefined
    rate?: string | undefined
    'max-errors'?: ErrorLimit | undefined
    'dry-run'?: boolean
    'no-input'?: boolean
    quiet?: boolean
  }

/** Rows that a table of a plan shows. */
const plannedRowsShown = 10

/** Extra attempts of one row of many: at one fault in five, three attempts would still lose 80 rows of 10,000. */
const retriesPerRow = 9

/** How long requests in flight may take to finish after Ctrl-C. */
const graceMs = 10_000

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
  { host, config }: { host: Host; config: Config },
): Promise<ExitCode> {
  const rate = flags.rate === undefined ? undefined : parseRate(flags.rate)
  const spool = await spoolOf(items, flags, many, host)
  try {
    const planOnly = flags['dry-run'] ?? false
    const concurrency = flags.concurrency ?? 8
    const session = await connect(flags, host, config, {
      concurrency,
      ...(rate !== undefined && { rate }),
      retries: spool.count === 1 ? 2 : retriesPerRow,
      signal: afterGrace(host.stop, graceMs),
      planOnly,
    })
    try {
      const talk = talkTo(host, flags)
      for (const warning of spool.warnings) talk.warn(`warning: ${warning}`)
      announceWrite(session.profile, talk)
      if (planOnly) return await showPlan(session.client, spool, flags, many, host)
      const asks = spool.count > (many.asksForOne ? 0 : 1)
      const question = asks ? `${many.words.verb} ${counted(spool.count, many.words.noun)}` : undefined
      await confirmWrite({ profile: session.profile, flags, host, ...(question !== undefined && { question }) })
      return await act(session.client, spool, { ...flags, concurrency }, many, host)
    } finally {
      await session.close()
    }
  } finally {
    await spool.close()
  }
}

async function spoolOf<E extends Endpoint>(
  items: string[] | undefined,
  flags: ManyFlags,
  many: Many<E>,
  host: Host,
): Promise<Spool> {
  const { noun, key } = many.words
  const { onDuplicate = 'fold' } = many
  const { spool } = await import('../bulk/spool.ts')
  const { keyProblem } = await import('../bulk/key.ts')
  if (items !== undefined && flags.from !== undefined) {
    throw usageError(`give ${noun}s as arguments or by --from, not both`)
  }
  if (items !== undefined) {
    const { rowsFromArguments } = await import('../bulk/arguments.ts')
    return await spool(sendable(rowsFromArguments(items, { column: key, checkKey: keyProblem }), many), {
      name: 'the arguments',
      onDuplicate,
    })
  }
  if (flags.from === undefined)
    throw usageError(`no ${noun} given`, `name one, or take them from a file with --from FILE`)
  keepHeapSmall()
  const { readRows } = await import('../bulk/input.ts')
  const rows = readRows({
    from: flags.from,
    stdin: host.stdin,
    signal: host.stop,
    ...(flags['input-format'] && { format: flags['input-format'] }),
    ...(flags.delimiter !== undefined && { delimiter: flags.delimiter }),
    column: flags.column ?? key,
    columnGiven: flags.column !== undefined,
    checkKey: keyProblem,
  })
  const { state } = folders(host.env, host.platform, host.home)
  return await spool(sendable(rows, many), {
    name: flags.from,
    dir: join(state, 'spool'),
    onDuplicate,
    badRows: flags['skip-bad-rows'] ? 'keep' : 'refuse',
  })
}

/** Turns a row whose request the contract refuses into a bad row, so that it is found before the first request. */
export async function* sendable<E extends Endpoint>(
  rows: AsyncIterable<Row | BadRow> | Iterable<Row | BadRow>,
  { endpoint, request }: RowCall<E>,
): AsyncGenerator<Row | BadRow> {
  const { checkedRequest } = await import('../api/request.ts')
  for await (const row of rows) {
    const problem = isBad(row) ? undefined : problemOf(() => checkedRequest(endpoint, request(row) as LooseRequest))
    yield isBad(row) || problem === undefined
      ? row
      : { line: row.line, rule: 'request', message: `line ${row.line}: ${problem}` }
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

/** Shows the requests that would be sent; in a table the first few, in the other formats all of them. */
async function showPlan<E extends Endpoint>(
  client: Client,
  spool: Spool,
  flags: ManyFlags,
  { words, endpoint, request, batch }: Many<E>,
  host: Host,
): Promise<ExitCode> {
  const { emit } = await import('../output/emit.ts')
  const { batchesOf } = await import('../bulk/batch.ts')
  const isTable = formatOf(flags) === 'table'
  async function* planned() {
    let shown = 0
    for await (const rows of batchesOf(spool.rows(), batch?.size ?? 1)) {
      if (isTable && shown === plannedRowsShown) return
      shown += 1
      for (const one of batch ? [batch.request(rows)] : rows.map(request)) yield client.plan(endpoint, one)
    }
  }
  const requests = Math.ceil(spool.count / (batch?.size ?? 1))
  const hidden = isTable ? Math.max(0, requests - plannedRowsShown) : 0
  await emit(planned(), planColumns, shapeOf(flags, host), sinkOf(flags, host), {
    nothing: `no ${words.noun}s to ${words.verb}`,
    more: () => (hidden === 0 ? undefined : `and ${hidden} more`),
  })
  const folded = spool.duplicates === 0 ? '' : ` (${counted(spool.duplicates, 'duplicate')} folded)`
  talkTo(host, flags).say(`dry run: would ${words.verb} ${counted(spool.count, words.noun)}${folded}; nothing was sent`)
  return EXIT.ok
}

async function act<E extends Endpoint>(
  client: Client,
  spool: Spool,
  flags: ManyFlags & { concurrency: number },
  many: Many<E>,
  host: Host,
): Promise<ExitCode> {
  const { runBatches, runRows } = await import('../bulk/run.ts')
  const { exitCodeOf } = await import('../bulk/summary.ts')
  const { emit } = await import('../output/emit.ts')
  const progress = startProgress(host, flags)
  const format = formatOf(flags)
  let summary: Summary | undefined
  const options = {
    concurrency: flags.concurrency,
    ...(flags['max-errors'] !== undefined && { maxErrors: flags['max-errors'] }),
    signal: host.stop,
    onProgress: progress.update,
    now: host.now,
  }
  const { batch } = many
  const run = batch
    ? runBatches(spool, actOnBatch(client, many.endpoint, batch), batch.size, options)
    : runRows(spool, actOf(client, many), options)

  async function* records() {
    try {
      for (;;) {
        const next = await run.next()
        if (next.done) {
          summary = next.value
          return
        }
        if (format !== 'table' || needsAttention(next.value)) yield outcomeRecord(next.value, many.words)
      }
    } finally {
      summary ??= (await run.return()).value
      progress.end()
    }
  }
  async function* withSummary() {
    yield* records()
    if (summary) yield summaryRecord(summary, many.words)
  }

  const sink = { ...sinkOf(flags, host), signal: onlyClosedPipe(host.stop) }
  await emit(format === 'jsonl' ? withSummary() : records(), outcomeColumns(many.words), shapeOf(flags, host), sink, {
    nothing: '',
  })
  if (summary === undefined) return stoppedExitCode(host.stop) ?? EXIT.bug
  const exitCode = exitCodeOf(summary)
  const talk = talkTo(host, flags)
  const tell = exitCode === EXIT.ok ? talk.say : talk.warn
  tell(summaryLine(summary, many.words))
  if (summary.fatal) throw summary.fatal
  return exitCode
}

function needsAttention({ state }: Outcome): boolean {
  return state !== 'ok' && state !== 'ok_inferred' && state !== 'duplicate'
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
