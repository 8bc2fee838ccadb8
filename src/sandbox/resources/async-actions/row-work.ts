// Actions over many rows: imports, and updates in bulk. The request stores its rows and is answered; the work is done
// piece by piece between other requests. A piece is one transaction, which changes what its rows say, counts them, and
// removes them from the input: a process that is killed has done a piece entirely or not at all, and the next one goes on.
// Source: docs/service/async-actions.md#rows.
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { dayMs } from '../../../base/duration.ts'
import { checkBody } from '../../http/check-input.ts'
import { invalidPayload, Refusal } from '../../http/refusal.ts'
import type { Context, JobContext, LocalJob } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import type { Collection, Stored } from '../../storage/collection.ts'
import { is } from '../../storage/conditions.ts'
import {
  type ActionInput,
  type ActionType,
  actionInputs,
  actionOutcomes,
  asyncActions,
  type StoredAction,
} from '../../stores/async-actions.ts'
import { bySourceId } from '../update.ts'
import { enqueueAction, failAction, finishAction, progressAction } from './progress.ts'
import { type CsvColumn, type CsvLayout, type CsvRow, csvPieces, csvRows } from './rows.ts'

/** The outcome of a row of an update: whether it named something that existed, and whether it was stored. */
export interface RowUpdate {
  found: boolean
  updated: boolean
}

/** The outcome of a row; an import says nothing more of one that it stored. */
export type RowOutcome = RowUpdate | undefined

/** An action over rows. `About` is what its rows share, such as the campaign or the metadata; it passes through JSON. */
export interface RowWork<Row, About> {
  type: ActionType
  /** What one row is, in messages. */
  noun: string
  /** How reports name a row, and where the name is found. */
  key: { name: 'code' | 'source_id'; of: (row: Row) => unknown }
  /** Whether a report lists every row with `found` and `updated`; an import lists those that failed. */
  isUpdate: boolean
  /**
   * Prepares a piece: what is looked up here is looked up once for all of its rows. Returns the work on one row, which throws
   * a Refusal for a row that cannot be stored; everything else ends the attempt at the piece. A Refusal thrown here ends
   * the action.
   */
  begin: (about: About, context: Context) => (row: Row) => RowOutcome
  /** Called once after the last row, with how many were stored. */
  onEnd?: (about: About, done: number, context: JobContext) => void
}

/** An action over rows that can be started, and the job that does its work. */
export interface StartableWork<Row, About> {
  kind: string
  job: LocalJob
  /** Starts the work on values of a JSON body. Throws 400 for too many. */
  start: (rows: readonly unknown[], about: About, context: Context) => StoredAction
  /** Does the work at once. Returns the outcome of each row; throws the refusal of the first that cannot be stored. */
  now: (rows: readonly Row[], about: About, context: Context) => Record<string, unknown>[]
  /** Starts the work on the records of a CSV file. Throws 400, before anything is stored, for a file that cannot be read. */
  startCsv: (file: string, layout: CsvLayout, about: About, context: Context) => StoredAction
}

interface Progress<About> {
  action_id: string
  total: number
  done: number
  failed: number
  about: About
  /** Of a CSV file. */
  columns?: CsvColumn[]
}

// Some milliseconds of work: requests wait no longer than one piece (bench/README.md#imports-and-bulk-updates).
const rowsPerPiece = 200
const charactersPerPiece = 131_072

// ASSUMED A1154: a call takes 100,000 rows, the published limit of codes in one import; bulk calls have none but 10 MB.
const rowsLimit = 100_000

// ASSUMED A1155: reports can be read for a week; only that they are available for some time is published.
const reportDays = 7

/** Declares the action of a resource; its `kind` and `job` go into the jobs of that resource. */
export function rowWork<Row, About>(
  type: ActionType,
  noun: string,
  work: Omit<RowWork<Row, About>, 'type' | 'noun' | 'isUpdate'>,
): StartableWork<Row, About> {
  const declared = { type, noun, isUpdate: type.endsWith('_UPDATE'), ...work }
  const kind = `rows.${type}`
  const beginAction = (
    inputs: readonly Piece[],
    progress: Pick<Progress<About>, 'total' | 'about' | 'columns'>,
    context: Context,
  ) => {
    if (progress.total > rowsLimit) throw invalidPayload(`Payload must NOT have more than ${rowsLimit} items`)
    const action = enqueueAction(declared.type, context)
    if (declared.isUpdate) context.in(asyncActions).update({ ...action, report_token: randomBytes(24).toString('hex') })
    const table = context.in(actionInputs)
    for (const input of inputs)
      table.insert({ id: context.id(actionInputs.prefix), created_at: context.now, action_id: action.id, ...input })
    context.later(kind, { action_id: action.id, done: 0, failed: 0, ...progress } satisfies Progress<About>)
    return action
  }
  return {
    kind,
    start: (rows, about, context) => {
      const total = rows.length
      return beginAction(total > rowsLimit ? [] : piecesOf(rows), { total, about }, context)
    },
    now: (rows, about, context) => {
      const work = declared.begin(about, context)
      return rows.map((row) => ({ [declared.key.name]: declared.key.of(row), ...work(row) }))
    },
    startCsv: (file, layout, about, context) => {
      const { columns, pieces } = csvPieces(file, layout, rowsPerPiece)
      const total = pieces.reduce((sum, piece) => sum + piece.rows, 0)
      const inputs = pieces.map(({ text, first_row }) => ({ rows: text, first_row }))
      return beginAction(inputs, { total, about, columns }, context)
    },
    job: job<Progress<About>>(
      (progress, context) => workOn(declared, progress, context),
      (progress, context) => failWork(progress, context),
    ),
  }
}

/** A row that names what it is about by its source id. */
interface SourcedRow {
  id?: unknown
  source_id: string
}

/** Declares the updates of what has a source id: each as its row says, or all by the same metadata. What is not found is created. */
export function sourcedUpdates<Row extends SourcedRow, Doc extends Stored & { source_id?: string | null }>(
  types: 'CUSTOMERS' | 'PRODUCTS',
  noun: string,
  of: {
    declared: Collection<Doc>
    schema: z.ZodType<Row>
    upsert: (facts: Omit<Row, 'id'>, context: Context) => unknown
  },
) {
  const storeRow = (row: unknown, context: Context): RowUpdate => {
    // The source id decides here, so that an id of another one cannot redirect the row.
    const { id: _, ...facts } = checkBody(of.schema, row)
    const found = bySourceId(context.in(of.declared), facts.source_id) !== undefined
    of.upsert(facts, context)
    return { found, updated: true }
  }
  return {
    update: rowWork<Row, null>(`${types}.BULK_UPDATE`, noun, {
      key: { name: 'source_id', of: ({ source_id }) => source_id },
      begin: (_, context) => (row) => storeRow(row, context),
    }),
    metadataUpdate: rowWork<string, { metadata: Record<string, unknown> }>(`${types}.METADATA_UPDATE`, noun, {
      key: { name: 'source_id', of: (sourceId) => sourceId },
      begin:
        ({ metadata }, context) =>
        (source_id) =>
          storeRow({ source_id, metadata }, context),
    }),
  }
}

type Piece = Pick<ActionInput, 'first_row' | 'rows'>

function piecesOf(rows: readonly unknown[], first_row = 1): Piece[] {
  if (rows.length <= rowsPerPiece && (rows.length < 2 || JSON.stringify(rows).length <= charactersPerPiece))
    return rows.length === 0 ? [] : [{ first_row, rows: [...rows] }]
  const half = rows.length > rowsPerPiece ? rowsPerPiece * Math.ceil(rows.length / rowsPerPiece / 2) : rows.length >> 1
  return [...piecesOf(rows.slice(0, half), first_row), ...piecesOf(rows.slice(half), first_row + half)]
}

function workOn<Row, About>(declared: RowWork<Row, About>, progress: Progress<About>, context: JobContext) {
  const { action_id, about, total } = progress
  const inputs = context.in(actionInputs)
  const { items, has_more } = inputs.cursor([is(actionInputs, 'action_id', action_id)], 'id', 1)
  const [input] = items
  const { outcomes, done, failed } = input
    ? context.store.piecewise((undoable) => rowsDone(declared, input, progress, context, undoable))
    : { outcomes: [], done: 0, failed: 0 }
  if (input) inputs.remove(input.id)
  if (outcomes.length > 0)
    context
      .in(actionOutcomes)
      .insert({ id: context.id(actionOutcomes.prefix), created_at: context.now, action_id, rows: outcomes })
  const next = { ...progress, done: progress.done + done, failed: progress.failed + failed }
  if (has_more) {
    progressAction(action_id, next.done + next.failed, total, context)
    return { again: 0, payload: next }
  }
  declared.onEnd?.(about, next.done, context)
  const counts = { done_count: next.done, failed_count: next.failed }
  const reports_available_till = new Date(Date.parse(context.now) + reportDays * dayMs).toISOString()
  const result = declared.isUpdate
    ? { ...counts, reports_available_till, errors: [] }
    : { message: `${next.done} ${declared.noun}(s) imported successfully, ${next.failed} failed.`, ...counts }
  finishAction(action_id, result, context)
  return undefined
}

function rowsDone<Row, About>(
  declared: RowWork<Row, About>,
  input: ActionInput,
  { about, columns = [] }: Progress<About>,
  context: JobContext,
  undoable: <Value>(act: () => Value) => Value,
) {
  const work = declared.begin(about, context)
  const outcomes: Array<Record<string, unknown>> = []
  let [done, failed] = [0, 0]
  for (const { number, row, reason } of rowsOf(input, columns)) {
    const outcome = row === undefined ? { reason } : outcomeOf(() => undoable(() => work(row as Row)))
    const isFailed = outcome !== undefined && ('reason' in outcome || !outcome.updated)
    if (isFailed) failed += 1
    else done += 1
    if (!declared.isUpdate && !isFailed) continue
    const name = row === undefined || row === null ? undefined : declared.key.of(row as Row)
    outcomes.push({
      [declared.key.name]: typeof name === 'string' ? name : null,
      row: number,
      ...(declared.isUpdate && { found: false, updated: false }),
      ...outcome,
    })
  }
  return { outcomes, done, failed }
}

function* rowsOf(input: ActionInput, columns: readonly CsvColumn[]) {
  const { rows, first_row } = input
  if (typeof rows === 'string') {
    yield* csvRows({ text: rows, first_row, rows: 0 }, columns) as Generator<{
      number: number
      row: CsvRow | undefined
      reason?: string
    }>
    return
  }
  for (const [at, row] of rows.entries()) yield { number: first_row + at, row, reason: undefined }
}

function outcomeOf(act: () => RowOutcome): RowUpdate | { reason: string } | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { body } = error
    return { reason: ('details' in body ? body.details : undefined) ?? body.message }
  }
}

/** Ends an action whose work cannot go on: what was stored stays and is counted, the rest is not attempted. */
function failWork<About>({ action_id, total, done, failed }: Progress<About>, context: JobContext): void {
  const inputs = context.in(actionInputs)
  for (const { id } of inputs.all([is(actionInputs, 'action_id', action_id)])) inputs.remove(id)
  const message = `The work stopped after ${done + failed} of ${total} rows`
  failAction(action_id, { message, done_count: done, failed_count: total - done }, context)
}
