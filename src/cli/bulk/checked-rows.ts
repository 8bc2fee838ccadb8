// The rows of an input, checked against the contract and stored before the first request.
import { randomUUID } from 'node:crypto'
import type { CheckedRequest, LooseRequest } from '../../api/request/request.ts'
import { readJson } from '../../base/nesting.ts'
import { countEvidence, type EvidenceCount, type SharedEvidence } from '../../bulk/evidence.ts'
import { type InputChecksum, inputChecksum } from '../../bulk/input/input-checksum.ts'
import { customerColumn } from '../../bulk/input/report-columns.ts'
import { type BadRow, badFrom, isBad, type Row } from '../../bulk/input/row.ts'
import { type Spool, spool } from '../../bulk/input/spool.ts'
import { type Shard, shardOf } from '../../bulk/shard.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT, PromoError } from '../../errors.ts'
import { evidenceOf } from '../../writes/prove.ts'
import type { BulkDefinition, InputRows } from './definition.ts'
import type { RunPlan } from './run-plan.ts'
import type { Work } from './work.ts'

/** The rows of an input, and by what several of them would be recognized. */
export interface CheckedRows extends Spool {
  shared: SharedEvidence
  /** The SHA-256 over the requests of all rows, however they were read; absent where no job is made of them. */
  requestsSha256: string | undefined
  /** The rows that the report of a job says were applied, or may have been. */
  applied: number
}

/** Stores the rows of this process: in memory, or in a file in `dir`. Throws `input` (exit 2) for bad ones. */
export async function spoolRows<E extends Endpoint>(
  { rows, name, input, placeOf }: InputRows,
  bulk: BulkDefinition<E>,
  { shard, skipsBadRows }: Pick<RunPlan, 'shard' | 'skipsBadRows'>,
  dir?: string,
): Promise<CheckedRows> {
  // Where duplicates are all acted on, rows have no key of their own; their lines spread them evenly.
  const onDuplicate = bulk.onDuplicate === 'each' ? 'keep' : bulk.onDuplicate
  const shardKey = (row: { line: number; key: string }) => (onDuplicate === 'keep' ? String(row.line) : row.key)
  const counted = input === 'arguments' ? 'argument' : 'line'
  const evidence = countEvidence()
  // The steps of a plan are what they are called, and a plan has a checksum of its own.
  const requests = dir === undefined || typeof bulk.act === 'function' ? undefined : inputChecksum()
  const found = { requests, applied: 0 }
  const kept = await spool(withEvidence(checkRequests(rows, bulk, placeOf, found), bulk, evidence), {
    name,
    counted,
    placeOf,
    onDuplicate,
    badRows: skipsBadRows ? 'keep' : 'refuse',
    // Rows of a form of their own are all needed: a suite of carts without one of them proves nothing.
    ...(!('read' in bulk.input) && input !== 'arguments' && { skipFlag: '--skip-bad-rows' }),
    ...(dir !== undefined && { dir }),
    ...(shard !== null && { isOurs: (row) => shardOf(shardKey(row), shard.of) === shard.index }),
  })
  return Object.assign(kept, { shared: evidence.shared(), requestsSha256: requests?.sha256(), applied: found.applied })
}

/** Counts by what each row of the input would be recognized, also those that other processes send. */
async function* withEvidence<E extends Endpoint>(
  rows: AsyncIterable<Row | BadRow>,
  { endpoint, callOf = () => endpoint, request }: Judged<E>,
  count: EvidenceCount,
): AsyncGenerator<Row | BadRow> {
  if (endpoint.proof?.by !== 'source') return yield* rows
  for await (const row of rows) {
    const evidence = isBad(row) ? undefined : evidenceOf(callOf(row), request(row) as LooseRequest)
    if (evidence !== undefined) count.add(evidence)
    yield row
  }
}

type Judged<E extends Endpoint> = Pick<BulkDefinition<E>, 'endpoint' | 'callOf' | 'request'>

/** Turns a row whose request the contract refuses into a bad row, to find it before the first request. */
async function* checkRequests<E extends Endpoint>(
  rows: AsyncIterable<Row | BadRow> | Iterable<Row | BadRow>,
  { endpoint, callOf = () => endpoint, request }: Judged<E>,
  placeOf: (line: number) => string,
  found: { requests: InputChecksum | undefined; applied: number },
): AsyncGenerator<Row | BadRow> {
  const { checkRequest } = await import('../../api/request/request.ts')
  const requestOf = (row: Row) => checkRequest(callOf(row), request(row) as LooseRequest)
  const { requests } = found
  const { drawn = [] } = endpoint
  for await (const row of rows) {
    if (!isBad(row) && row.wasApplied) found.applied += 1
    const named = isBad(row) || requests === undefined ? undefined : sameInEveryRun(row, drawn)
    if (!isBad(row)) drawInto(row, drawn)
    const error = isBad(row)
      ? undefined
      : errorOf(() => {
          const sent = requestOf(row)
          requests?.add(requestText(callOf(row), named === undefined ? sent : requestOf(named), named !== undefined))
        })
    yield isBad(row) || error === undefined
      ? row
      : {
          ...badFrom(row),
          rule: 'request',
          message: `${placeOf(row.line)}: ${error.message.replace(`${endpoint.id}: `, '')}`,
          ...(await remedyFor(error, row.fields)),
        }
  }
}

/** Returns a row without what is drawn or looked up for it; undefined: nothing is. */
function sameInEveryRun(row: Row, drawn: readonly string[]): Row | undefined {
  const missing = drawn.filter((name) => isEmpty(row.fields[name]))
  if (missing.length === 0 && !(customerColumn in row.fields)) return undefined
  const fields: Row['fields'] = Object.assign(Object.create(null), row.fields)
  delete fields[customerColumn]
  for (const name of missing) fields[name] = name
  return { ...row, fields }
}

/** Returns a request as a text that does not depend on the order of its members. */
function requestText({ id }: Endpoint, { target, body }: CheckedRequest, isNamed: boolean): string {
  const text = typeof body === 'string' && /^[[{]/.test(body) ? JSON.stringify(inOrder(readJson(body))) : String(body)
  return `${id} ${target} ${text}${isNamed ? ' named' : ''}\n`
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const members = value as Record<string, unknown>
  // Twice as fast as entries.
  const sorted: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(members).toSorted()) sorted[name] = inOrder(members[name])
  return sorted
}

/** Returns the next step for a value in a form that a flag would read, or columns that the request does not take. */
async function remedyFor({ message, facts }: PromoError, fields: Row['fields']): Promise<Pick<BadRow, 'remedy'>> {
  if (/^--(?:dates|decimal|amounts-in) /.test(facts.hint ?? '')) return { remedy: facts.hint as string }
  const [, listed = ''] = /has no field ("[^"]+"(?:, "[^"]+")*)(?:;|$)/.exec(message) ?? []
  const names = [...listed.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
  if (names.length === 0 || names.some((name) => !(name in fields) || name.includes(','))) return {}
  const { shellWord } = await import('../../base/shell-word.ts')
  const left = `--ignore-columns ${shellWord(names.join(','))} leaves ${names.length === 1 ? 'that column' : 'these columns'} out`
  const mapped = names.slice(0, 4).map((name) => `--map ${shellWord(`${name}=FIELD`)}`)
  return { remedy: `${left}; ${mapped.join(' ')} gives ${names.length === 1 ? 'it' : 'each'} the name of a field` }
}

/** What is random is part of the row from now on: every run of a job must send the same requests. */
function drawInto({ fields }: Row, drawn: readonly string[]): void {
  for (const name of drawn) if (isEmpty(fields[name])) fields[name] = randomUUID()
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function errorOf(check: () => unknown): PromoError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof PromoError && error.exitCode === EXIT.usage) return error
    throw error
  }
}

/** Returns the facts about rows that have not been acted on. */
export function facts(kept: Spool, shard: Shard | null): Omit<Work, 'begin' | 'close'> {
  const { total, count, duplicates, bad, others, warnings } = kept
  const read = { all: () => kept.rows(), rows: () => kept.rows(), sample: (size: number) => kept.sample(size) }
  return { total, count, duplicates, bad, shard, others, warnings, ...read }
}
