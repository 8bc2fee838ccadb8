// The rows of a job, each with its outcome; the original columns are unchanged, so the report can be used as input.

import type { DatabaseSync } from 'node:sqlite'
import { isRepeatable } from '../../../api/outcome/retry.ts'
import { resultColumn } from '../../../bulk/input/report-columns.ts'
import { type JobHeader, readJournal } from '../../../bulk/journal/job.ts'
import { openJournalFile } from '../../../bulk/journal/journal-file.ts'
import { outcomesIn, type RecordedRow } from '../../../bulk/journal/outcome-store.ts'
import { positionsOf } from '../../../bulk/journal/row-store.ts'
import { mustBeWhole } from '../../../bulk/journal/whole.ts'
import { readPages } from '../../../bulk/paged.ts'
import type { RowState } from '../../../bulk/summary.ts'
import type { Repeat } from '../../../contract/endpoint.ts'
import type { Column, ColumnSet } from '../../../output/column.ts'
import { reportedColumns } from '../../../output/columns/jobs.ts'
import { leafPaths } from '../../../output/path.ts'
import type { ReadableJob } from '../../bulk/known-jobs.ts'
import { leftOpen } from '../../bulk/repeat-policy.ts'
import { holderSince } from './state.ts'

/** A row of a report, and its line in the input. */
export interface Reported {
  line: number
  state: RowState
  record: Record<string, unknown>
}

/**
 * Yields the rows of a job in the order of the input, page by page; with `states`, only those in one of them.
 *
 * Throws `journal` (exit 9) for a damaged file, and `io` (exit 10).
 */
export function* reportOf(
  { file, header }: ReadableJob,
  states?: readonly RowState[],
): Generator<Reported, void, undefined> {
  const database = openJournalFile(file.path, { readOnly: true })
  try {
    mustBeWhole(database, header)
    const store = outcomesIn(database)
    const isRunning = store.end() === null && holderSince(file.lockPath, store.startedAtMs()) !== undefined
    const isLost = !isRunning && !isRepeatable(header.repeat as Repeat)
    const begun = store.begun()
    for (const judged of judgedRows(database, states)) {
      const row = reportRow(judged, begun, isLost, header.results)
      if (states === undefined || states.includes(row.state)) yield row
    }
  } finally {
    database.close()
  }
}

/** Returns the outcomes of the rows of a job that are about an object; empty where it has none. Throws as `reportOf` does. */
export function outcomesAbout({ file, header }: ReadableJob, name: string): RowState[] {
  return readJournal(file.path, (database) => {
    const store = outcomesIn(database)
    const isRunning = store.end() === null && holderSince(file.lockPath, store.startedAtMs()) !== undefined
    const isLost = !isRunning && !isRepeatable(header.repeat as Repeat)
    return positionsOf(database, name)
      .flatMap((position) => store.report(position - 1, 1))
      .map((judged) => verdictOn(judged, store.begun(), isLost).state)
  })
}

function* judgedRows(database: DatabaseSync, states?: readonly RowState[]): Generator<RecordedRow, void, undefined> {
  const store = outcomesIn(database)
  for (const page of readPages((after, limit) => store.report(after, limit, states))) yield* page
}

/** `isLost`: a row whose request was in flight when promo ended has an unknown outcome. */
function reportRow(judged: RecordedRow, begun: number, isLost: boolean, results: JobHeader['results'] = []): Reported {
  const { row, outcome } = judged
  const { state, error } = verdictOn(judged, begun, isLost)
  const found = {
    promo_line: row.line,
    promo_state: state,
    promo_error: error?.api?.key ?? error?.kind ?? null,
    promo_message: error?.message ?? null,
    promo_request_id: outcome?.requestId ?? null,
    promo_attempts: outcome?.attempts ?? 0,
    ...Object.fromEntries(results.map((name) => [resultColumn(name), outcome?.results?.[name] ?? null])),
  }
  return { line: row.line, state, record: { ...row.ignored, ...row.fields, ...found } }
}

interface Verdict {
  state: RowState
  error?: { kind?: string; message?: string; api?: { key?: string } }
}

function verdictOn({ position, row, outcome }: RecordedRow, begun: number, isLost: boolean): Verdict {
  const isReached = position <= begun
  if (row.duplicateOf !== undefined) {
    const message = `the same as line ${row.duplicateOf}`
    return isReached ? { state: 'duplicate', error: { message } } : { state: 'pending' }
  }
  if (row.problem !== undefined) {
    return isReached ? { state: 'skipped', error: { kind: 'input', message: row.problem } } : { state: 'pending' }
  }
  const isOpen = outcome === null ? isReached : outcome.state === 'open'
  if (isOpen && isLost) return { state: 'unknown', error: leftOpen }
  if (outcome === null || outcome.state === 'open') return { state: 'pending' }
  const { state, error } = outcome
  return error === undefined ? { state } : { state, error: error as NonNullable<Verdict['error']> }
}

/**
 * Returns the columns of a report: those of the input, unchanged, then the reported ones.
 *
 * Where each row has members of its own, all rows are read once to collect them. `isExact`: input is written byte for
 * byte, which is right for everything but a terminal.
 */
export function reportColumnSet(jobs: readonly ReadableJob[], isExact: boolean): ColumnSet {
  const [first] = jobs
  const { columns, titles } = first?.header ?? {}
  const names = columns ?? [...new Set(jobs.flatMap(membersIn))]
  const given = names.map((name, at): Column => {
    const title = titles?.[at]
    // A step of a plan is its whole change, which a table has no room for.
    const inTable = first?.header.command !== 'config:apply' || planned.has(name)
    const own = { name, kind: isExact ? 'verbatim' : 'identifier', inTable } as const
    return title === undefined || title === name ? own : { ...own, title, label: title }
  })
  const made = (first?.header?.results ?? []).map((name) => ({ name: resultColumn(name), kind: 'identifier' as const }))
  return { columns: [...given, ...reportedColumns.columns, ...made] }
}

const planned: ReadonlySet<string> = new Set(['step', 'act', 'object'])

function membersIn({ file }: ReadableJob): string[] {
  return readJournal(file.path, (database) => {
    const names = new Set<string>()
    for (const { row } of judgedRows(database)) {
      for (const name of leafPaths({ ...row.ignored, ...row.fields }, () => false)) names.add(name)
    }
    return [...names]
  })
}
