// Shows the outcomes of many rows: as records for programs, as one sentence for people.
import { isRepeatable } from '../../api/outcome/retry.ts'
import { formatCount, formatNumber } from '../../base/numbers.ts'
import { shellWord } from '../../base/shell-word.ts'
import { type ResultName, resultColumn } from '../../bulk/input/report-columns.ts'
import type { RowOutcome } from '../../bulk/run.ts'
import { shardText } from '../../bulk/shard.ts'
import { haltReasons, type Summary, wrongRows } from '../../bulk/summary.ts'
import type { Endpoint, Repeat } from '../../contract/endpoint.ts'
import type { ColumnSet } from '../../output/column.ts'
import type { KeptResults } from './call-row.ts'
import type { BulkDefinition, BulkWords, OutcomeForms, WorkFacts } from './definition.ts'
import { itemsIn } from './repeated-rows.ts'
import type { BegunWork } from './work.ts'

/** Returns how a command shows its outcomes: in its own forms, or in the common ones. */
export function formsOf<E extends Endpoint>({
  forms = (common) => common,
  words,
  results,
}: Pick<BulkDefinition<E>, 'forms' | 'words' | 'results'>): OutcomeForms {
  return forms({
    columns: outcomeColumns(words, results),
    record: (outcome) => outcomeRecord(outcome, words),
    line: (summary, work) => summaryLine(summary, words, work),
    facts: () => ({}),
    rows: () => [],
  })
}

/** The columns of outcomes; CSV writes all of them. Those of what a row made are called as in the report of the job. */
export function outcomeColumns(
  { key, fallbackKey, noun, member = noun }: BulkWords,
  results: KeptResults = {},
): ColumnSet {
  const made = Object.keys(idsIn(results))
  return {
    also: [member, 'error', 'duplicate_of_line'],
    columns: [
      { name: 'line', kind: 'number', inTable: true },
      { name: key, kind: 'identifier', inTable: true },
      ...(fallbackKey === undefined ? [] : [{ name: fallbackKey, kind: 'identifier' as const, inTable: true }]),
      { name: 'state', kind: 'state', inTable: true },
      { name: 'changed', kind: 'flag', inTable: false },
      { name: 'error.api.key', label: 'error', kind: 'state', inTable: true },
      { name: 'error.message', label: 'message', kind: 'reason', inTable: true },
      { name: 'request_id', kind: 'identifier', inTable: false },
      { name: 'attempts', kind: 'number', inTable: false },
      ...made.map((name) => ({ name, kind: 'identifier' as const, inTable: false })),
    ],
  }
}

/**
 * Returns one row's outcome as a record: `t` is `item`, `line` and the key identify the row, `state` is its outcome, and
 * the service's object is unchanged under the name that the words define.
 */
function outcomeRecord(outcome: RowOutcome, { noun, key, fallbackKey, member = noun }: BulkWords): object {
  const { row, state, changed, duplicateOf, error, requestId, attempts, value, results = {} } = outcome
  return {
    t: 'item',
    line: row.line,
    [fallbackKey !== undefined && row.fields[key] !== row.key && row.fields[fallbackKey] === row.key
      ? fallbackKey
      : key]: row.key,
    state,
    ...(changed !== undefined && { changed }),
    ...idsIn(results),
    ...(duplicateOf !== undefined && { duplicate_of_line: duplicateOf }),
    ...(error !== undefined && { error: { kind: error.kind, message: error.message, ...error.facts } }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(attempts !== undefined && { attempts }),
    ...(value !== undefined && { [member]: value }),
  }
}

/** Returns what is kept of ids, by the column that has each. */
function idsIn(results: KeptResults): Record<string, unknown> {
  const { updated_at: _, ...ids } = results
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [resultColumn(name as ResultName), id]))
}

/** Returns the last line of a JSONL run: `t` is `summary`, then the counts. */
export function summaryRecord(
  summary: Summary,
  { verb }: BulkWords,
  { job, shard, others }: Pick<BegunWork, 'job' | 'shard' | 'others'>,
): object {
  const { counts, total, before, changed, unchanged, elapsedMs, stoppedBy } = summary
  return {
    t: 'summary',
    verb,
    job: job ?? null,
    shard: shard && shardText(shard),
    others,
    total,
    before,
    ...counts,
    changed,
    unchanged,
    wrong: wrongRows(summary),
    elapsed_ms: elapsedMs,
    stopped_by: stoppedBy ?? null,
  }
}

/** Returns the summary for people: `disabled 998 vouchers, 2 off already; 1 failed (1,001 rows in 1.2 s)`. */
function summaryLine(
  summary: Summary,
  { noun, done, unchanged }: BulkWords,
  { shard, others, items }: WorkFacts,
): string {
  const { counts, total, elapsedMs } = summary
  if (shard !== null && total === 0) return `shard ${shardText(shard)}: ${emptyShard(others)}`
  const well = counts.ok + counts.ok_inferred - summary.unchanged
  // Which rows ended well is not known here: with all of them, all items did, and with none, none.
  const isPart = items !== undefined && items < total && well > 0 && well < total
  const parts = [
    `${done} ${isPart ? `${noun}s, in ${formatCount(well, 'row')}` : itemsIn(well, noun, { ...(items !== undefined && { items }) })}`,
  ]
  if (summary.unchanged > 0) parts.push(`${formatNumber(summary.unchanged)} ${unchanged}`)
  if (counts.duplicate > 0) parts.push(`${formatCount(counts.duplicate, 'row')} deduplicated`)
  const sentence = [...parts, ...problemsIn(counts)].join(', ')
  const earlier = summary.before === 0 ? '' : `, ${formatNumber(summary.before)} of them before,`
  const extent = `${formatCount(total, 'row')}${earlier} in ${(elapsedMs / 1000).toFixed(1)} s`
  if (shard === null) return `${sentence} (${extent})`
  return `shard ${shardText(shard)}: ${sentence} (${extent}; ${formatCount(others, 'row')} in other shards)`
}

/** Lists how many rows did not end well, in words by outcome, such as `3 refused`. */
export function problemsIn(counts: Summary['counts']): string[] {
  return (['failed', 'conflict', 'skipped', 'exhausted', 'unknown', 'pending'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${formatNumber(counts[state])} ${wordOf[state]}`)
}

// Nothing went wrong, so the message must not suggest it.
function emptyShard(others: number): string {
  return others === 0 ? 'the input has no rows' : `nothing to do, ${formatCount(others, 'row')} in other shards`
}

/** What the next step may name as the cause when all rows are refused for one reason. */
export interface RowsSource {
  profile: string
  projectId?: string | undefined
  /** Absent for rows without columns. */
  column?: string | undefined
  /** What to do about keys that are taken; absent where the command line can do nothing. */
  ifTaken?: string | undefined
}

/**
 * Returns the next step for a job that did not end well, as one line; undefined when there is nothing to do.
 *
 * After ten refusals alike, the rest of the rows would be refused too, so that resuming is not the next step.
 */
export function nextStep(
  { counts, stoppedBy }: Summary,
  name: string | undefined,
  source?: RowsSource,
  repeat: Repeat = 'once',
): string | undefined {
  if (name === undefined) return undefined
  const job = shellWord(name)
  if (stoppedBy === 'same_refusal' && source !== undefined) {
    const { profile, projectId, column } = source
    const project = projectId === undefined ? '' : ` (project ${projectId})`
    const columns = column === undefined ? '' : `, and "${column}" the right column`
    const doubt = `is profile "${profile}"${project} the right one${columns}?`
    const look = `The refusals: promo jobs report ${job} --only failed --only conflict`
    return `${reasonOf[stoppedBy]}: ${doubt} ${look}; if you expected them, add --max-errors 100%`
  }
  const why = stoppedBy === undefined ? undefined : reasonOf[stoppedBy]
  const taken = counts.conflict > 0 && source?.ifTaken !== undefined ? `; ${source.ifTaken}` : ''
  if (counts.pending > 0) return `${why ?? 'stopped'}; resume with: promo jobs resume ${job}${taken}`
  if (counts.unknown > 0 && isRepeatable(repeat))
    return `resume with: promo jobs resume ${job}; what was applied is not applied twice`
  if (counts.unknown > 0) return `see which rows: promo jobs report ${job} --only unknown`
  if (counts.exhausted > 0) return `try them again: promo jobs retry ${job} --only temporary`
  if (counts.failed + counts.conflict > 0) return `all outcomes: promo jobs report ${job} --csv${taken}`
  if (counts.skipped > 0) return `the skipped rows: promo jobs report ${job} --only skipped --csv`
  return undefined
}

const reasonOf: Record<NonNullable<Summary['stoppedBy']>, string> = {
  signal: 'stopped',
  consumer: 'stopped',
  fatal: 'stopped',
  max_errors: `stopped, because ${haltReasons.max_errors}`,
  same_refusal: `stopped, because ${haltReasons.same_refusal}`,
}

const wordOf = {
  failed: 'refused',
  conflict: 'in conflict',
  skipped: 'skipped',
  exhausted: 'not applied',
  unknown: 'with an unknown outcome',
  pending: 'not attempted',
}
