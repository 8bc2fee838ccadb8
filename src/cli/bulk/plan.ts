// The output of --dry-run for many rows: the requests that would be sent.

import type { Client, RequestOf } from '../../api/client.ts'
import { counted } from '../../base/grouped.ts'
import { batchesOf, isActable } from '../../bulk/batch.ts'
import type { Row } from '../../bulk/input/row.ts'
import { shardText } from '../../bulk/shard.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { planColumns } from '../../output/columns/plan.ts'
import { emit } from '../../output/emit.ts'
import { messagesTo } from '../result/messages.ts'
import { formatOf, shapeOf, sinkOf } from '../result/output.ts'
import type { Host } from '../run/host.ts'
import type { BulkDefinition, BulkFlags } from './definition.ts'
import { itemsIn, type RepeatedRows } from './repeated-rows.ts'
import type { Work } from './work.ts'

/** Requests that a table of a plan shows. */
const plannedRowsShown = 10

/** Shows the requests that would be sent; in a table the first few, in the other formats all of them. */
export async function showPlan<E extends Endpoint>(
  client: Client,
  work: Work,
  flags: BulkFlags,
  { words, endpoint, callOf = () => endpoint, request, batch }: BulkDefinition<E>,
  host: Host,
  repeated: RepeatedRows,
): Promise<ExitCode> {
  const isTable = formatOf(flags) === 'table'
  function* planned() {
    let shown = 0
    for (const rows of batchesOf(work.rows(), batch?.size ?? 1)) {
      if (isTable && shown === plannedRowsShown) return
      const acted = rows.filter(isActable)
      if (acted.length === 0) continue
      shown += 1
      for (const one of requestsFor(acted)) yield client.plan(callOf(acted[0] as Row), one)
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
  const deduplicated = work.duplicates === 0 ? '' : ` (${counted(work.duplicates, 'row')} deduplicated)`
  const part =
    work.shard === null ? '' : `; shard ${shardText(work.shard)}, ${counted(work.others, 'row')} in other shards`
  const skipped = work.bad === 0 ? '' : `, ${counted(work.bad, 'bad row')} skipped`
  const plan = `would ${words.verb} ${itemsIn(work.count, words.noun, repeated)}${deduplicated}${skipped}`
  const repeats = repeated.words === undefined ? '' : `; ${repeated.words}`
  messagesTo(host, flags).say(`dry run: ${plan}${part}${repeats}; nothing was sent`)
  return EXIT.ok
}
