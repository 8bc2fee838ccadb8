// How answers are shown: the service's own object for programs, its rows for people, an explanation with --explain.
import type { ColumnSet } from '../../output/column.ts'
import { tellLines } from '../../output/tell.ts'
import type { Host } from '../run/host.ts'
import type { Showing } from './output.ts'

/** An answer and the ways to show it. */
export interface Shown {
  /** The answer itself. */
  answer: object
  /** The same as rows of a table or CSV. */
  rows: Iterable<object>
  columns: ColumnSet
  /** The message that a table shows instead of zero rows. */
  nothing?: string
  /** The same, explained; absent for what has no --explain. */
  explained?: () => AsyncIterable<string>
}

/** The part of a run that shows an answer. */
export interface AnswerRun {
  show: Showing
  /** Whether the explanation is asked for. */
  explains: boolean
  host: Pick<Host, 'stderr'>
}

/**
 * Writes an answer in the form the flags ask for.
 *
 * A query, JSON and YAML get the answer unchanged, a table, CSV and a workbook its rows. With --explain, the explanation replaces the
 * table; with the other formats it goes to stderr: stdout is data.
 */
export async function showAnswer(shown: Shown, { show, explains, host }: AnswerRun): Promise<void> {
  const { answer, rows, columns, nothing, explained } = shown
  if (show.isTable && explains && explained) return await show.text(explained())
  if (show.isTabular) await show.rows(rows, columns, { nothing })
  else await show.one(answer, columns)
  if (explains && explained && !show.isQuiet) for await (const text of explained()) tellLines(host.stderr, text)
}
