// The command lines that send nothing: a dry run shows the requests, and a job that is complete ends as it did.

import type { Client, RequestOf } from '../../api/client.ts'
import { formatCount } from '../../base/numbers.ts'
import { batchesOf, isActable } from '../../bulk/batch.ts'
import type { Row } from '../../bulk/input/row.ts'
import { shardText } from '../../bulk/shard.ts'
import { exitCodeOf } from '../../bulk/summary.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { planColumns } from '../../output/columns/plan.ts'
import type { Showing } from '../result/output.ts'
import { type BulkDefinition, rowsPerRequest } from './definition.ts'
import { formsOf, nextStep, summaryRecord } from './outcome-records.ts'
import { countsTwice } from './repeat-policy.ts'
import { itemsIn, type RepeatedRows } from './repeated-rows.ts'
import type { Complete, Replay, Work } from './work.ts'

/** Requests that a table of a plan shows. */
const plannedRowsShown = 10

/** Shows the requests that would be sent; in a table the first few, in the other formats all of them. */
export async function showPlan<E extends Endpoint>(
  client: Client,
  work: Work,
  bulk: BulkDefinition<E>,
  show: Showing,
  repeated: RepeatedRows,
): Promise<ExitCode> {
  const { words, endpoint, callOf = () => endpoint, request, act } = bulk
  const size = rowsPerRequest(bulk)
  const isTable = show.shape.format === 'table'
  function* planned() {
    let shown = 0
    for (const rows of batchesOf(work.rows(), size)) {
      if (isTable && shown === plannedRowsShown) return
      const acted = rows.filter(isActable)
      if (acted.length === 0) continue
      shown += 1
      for (const one of requestsFor(acted)) yield client.plan(callOf(acted[0] as Row), one)
    }
  }
  function requestsFor(rows: readonly Row[]): RequestOf<E>[] {
    return typeof act === 'object' ? [act.request(rows)] : rows.map(request)
  }
  const requests = Math.ceil(work.count / size)
  const hidden = isTable ? Math.max(0, requests - plannedRowsShown) : 0
  await show.rows(planned(), planColumns, {
    nothing: `no ${words.noun}s to ${words.verb}`,
    more: () => (hidden === 0 ? undefined : `and ${hidden} more`),
  })
  const deduplicated = work.duplicates === 0 ? '' : ` (${formatCount(work.duplicates, 'row')} deduplicated)`
  const part =
    work.shard === null ? '' : `; shard ${shardText(work.shard)}, ${formatCount(work.others, 'row')} in other shards`
  const skipped = work.bad === 0 ? '' : `, ${formatCount(work.bad, 'bad row')} skipped`
  const plan = `would ${words.verb} ${itemsIn(work.count, words.noun, repeated)}${deduplicated}${skipped}`
  const repeats = repeated.words === undefined ? '' : `; ${repeated.words}`
  show.say(`dry run: ${plan}${part}${repeats}; nothing was sent`)
  return EXIT.ok
}

/** Reports that nothing is left to do, in the form of a run over no rows, and returns the exit code of the job. */
export async function showCompleteJob<E extends Endpoint>(
  { job, name, at, summary, isPart, told, finish }: Complete,
  { shard, others }: Pick<Work, 'shard' | 'others'>,
  show: Showing,
  bulk: BulkDefinition<E>,
  replay: Replay | undefined,
): Promise<ExitCode> {
  const { words } = bulk
  const { columns, line } = formsOf(bulk)
  const facts = { job, shard, others, items: undefined }
  const records = show.shape.format === 'jsonl' ? [summaryRecord(summary, words, facts)] : []
  await show.rows(records, columns, { nothing: '' })
  const day = `${at.slice(0, 16).replace('T', ' ')} UTC`
  const twice = countsTwice(bulk.endpoint.repeat) ? ', and they count twice' : ''
  const again = replay === undefined ? `; --restart ${words.verb.replace(/^\w+/, '$&s')} them again${twice}` : ''
  const part = shard === null ? '' : `shard ${shardText(shard)}: `
  const done = `${part}nothing left to do: job ${job} ${words.done} these rows on ${day}${again}`
  const exitCode = exitCodeOf(summary)
  const tell = exitCode === EXIT.ok ? show.say : show.warn
  const isEmptyShard = shard !== null && summary.total === 0
  if (!isEmptyShard) tell(told ?? (isPart ? `nothing to do: job ${job} has no such rows` : done))
  // A run that was killed before its end has not reported the outcomes of its rows.
  if (isEmptyShard || exitCode !== EXIT.ok || finish !== undefined) tell(line(summary, facts))
  const step = nextStep(summary, name, undefined, bulk.endpoint.repeat)
  if (step !== undefined) show.warn(step)
  finish?.()
  return exitCode
}
