// A command line whose job is complete: nothing is sent, and the exit code is that of the job's outcomes.
import { shardText } from '../../bulk/shard.ts'
import { exitCodeOf } from '../../bulk/summary.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { emit } from '../../output/emit.ts'
import { messagesTo } from '../result/messages.ts'
import { formatOf, shapeOf, sinkOf } from '../result/output.ts'
import type { BulkDefinition, BulkFlags } from './definition.ts'
import { formsOf, nextStep, summaryLine, summaryRecord } from './outcome-records.ts'
import { countsTwice } from './repeat-policy.ts'
import type { BulkCommand, Complete, Work } from './work.ts'

/** Reports that nothing is left to do, in the form of a run over no rows, and returns the exit code of the job. */
export async function showCompleteJob<E extends Endpoint>(
  { job, name, at, summary, isPart, told, finish }: Complete,
  { shard, others }: Pick<Work, 'shard' | 'others'>,
  flags: BulkFlags,
  bulk: BulkDefinition<E>,
  { host, replay }: Pick<BulkCommand, 'host' | 'replay'>,
): Promise<ExitCode> {
  const { words } = bulk
  const { columns, line } = formsOf(bulk)
  const facts = { job, shard, others }
  const records = formatOf(flags) === 'jsonl' ? [summaryRecord(summary, words, facts)] : []
  await emit(records, columns, shapeOf(flags, host), sinkOf(flags, host), { nothing: '' })
  const messages = messagesTo(host, flags)
  const day = `${at.slice(0, 16).replace('T', ' ')} UTC`
  const twice = countsTwice(bulk.endpoint.repeat) ? ', and they count twice' : ''
  const again = replay === undefined ? `; --restart ${words.verb.replace(/^\w+/, '$&s')} them again${twice}` : ''
  const part = shard === null ? '' : `shard ${shardText(shard)}: `
  const done = `${part}nothing left to do: job ${job} ${words.done} these rows on ${day}${again}`
  const exitCode = exitCodeOf(summary)
  const tell = exitCode === EXIT.ok ? messages.say : messages.warn
  const isEmptyShard = shard !== null && summary.total === 0
  if (!isEmptyShard) tell(told ?? (isPart ? `nothing to do: job ${job} has no such rows` : done))
  // A run that was killed before its end has not reported the outcomes of its rows.
  if (isEmptyShard || exitCode !== EXIT.ok || finish !== undefined)
    tell(line?.(summary) ?? summaryLine(summary, words, facts))
  const step = nextStep(summary, name, undefined, bulk.endpoint.repeat)
  if (step !== undefined) messages.warn(step)
  finish?.()
  return exitCode
}
