// The rows of an input, checked against the contract and stored before the first request.
import type { LooseRequest } from '../../api/request/request.ts'
import { countEvidence, type EvidenceCount, type SharedEvidence } from '../../bulk/evidence.ts'
import { type BadRow, badFrom, isBad, placeOf as lineOf, type Row } from '../../bulk/input/row.ts'
import { type Spool, spool } from '../../bulk/input/spool.ts'
import { type Shard, shardOf } from '../../bulk/shard.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { EXIT, PromoError } from '../../errors.ts'
import type { BulkDefinition, BulkFlags, InputRows } from './definition.ts'
import type { Work } from './work.ts'

/** The rows of an input, and by what several of them would be recognized. */
export interface CheckedRows extends Spool {
  shared: SharedEvidence
}

/** Stores the rows of this process: in memory, or in a file in `dir`. Throws `input` (exit 2) for bad ones. */
export async function spooled<E extends Endpoint>(
  { rows, name, isArguments, placeOf = lineOf }: InputRows,
  bulk: BulkDefinition<E>,
  flags: BulkFlags,
  shard: Shard | null,
  dir?: string,
): Promise<CheckedRows> {
  // Where duplicates are all acted on, rows have no key of their own; their lines spread them evenly.
  const shardKey = (row: { line: number; key: string }) => (bulk.onDuplicate === 'keep' ? String(row.line) : row.key)
  const counted = isArguments ? 'argument' : 'line'
  const evidence = countEvidence()
  const kept = await spool(withEvidence(judged(rows, bulk, placeOf), bulk.proof, evidence), {
    name,
    counted,
    placeOf,
    onDuplicate: bulk.onDuplicate ?? 'fold',
    badRows: flags['skip-bad-rows'] ? 'keep' : 'refuse',
    // Rows of a form of their own are all needed: a suite of carts without one of them proves nothing.
    ...(bulk.input === undefined && !isArguments && { skipFlag: '--skip-bad-rows' }),
    ...(dir !== undefined && { dir }),
    ...(shard !== null && { isOurs: (row) => shardOf(shardKey(row), shard.of) === shard.index }),
  })
  return Object.assign(kept, { shared: evidence.shared() })
}

/** Counts by what each row of the input would be recognized, also those that other processes send. */
async function* withEvidence(
  rows: AsyncIterable<Row | BadRow>,
  proof: BulkDefinition<Endpoint>['proof'],
  count: EvidenceCount,
): AsyncGenerator<Row | BadRow> {
  if (proof === undefined) return yield* rows
  for await (const row of rows) {
    const evidence = isBad(row) ? undefined : proof(row)?.evidence
    if (evidence !== undefined) count.add(evidence)
    yield row
  }
}

type Judged<E extends Endpoint> = Pick<BulkDefinition<E>, 'endpoint' | 'callOf' | 'request' | 'drawn'>

/** Turns a row whose request the contract refuses into a bad row, to find it before the first request. */
async function* judged<E extends Endpoint>(
  rows: AsyncIterable<Row | BadRow> | Iterable<Row | BadRow>,
  { endpoint, callOf = () => endpoint, request, drawn }: Judged<E>,
  placeOf: (line: number) => string,
): AsyncGenerator<Row | BadRow> {
  const { checkedRequest } = await import('../../api/request/request.ts')
  for await (const row of rows) {
    if (drawn !== undefined && !isBad(row)) drawInto(row, drawn)
    const error = isBad(row) ? undefined : errorOf(() => checkedRequest(callOf(row), request(row) as LooseRequest))
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
function drawInto({ fields }: Row, drawn: NonNullable<BulkDefinition<Endpoint>['drawn']>): void {
  for (const [name, draw] of Object.entries(drawn)) {
    const given = fields[name]
    if (given === undefined || given === null || given === '') fields[name] = draw()
  }
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
