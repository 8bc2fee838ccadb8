// How what a command did is undone: from what the contract says of its call (contract/inverses.ts), by `jobs undo` and `history undo`.
import type { Row } from '../bulk/input/row.ts'
import type { JobHeader } from '../bulk/journal/job.ts'
import type { EffectiveRow } from '../bulk/journal/undo-rows.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type AppliedPath, type Inverse, type InverseCall, inverseOf } from '../contract/inverses.ts'
import type { CommandClass } from './command.ts'

/** Returns how the jobs of a command are undone; undefined for one that only reads, or makes any call. */
export function inverseOfJobs(made: Pick<CommandClass, 'byHand' | 'calls'>): Inverse | undefined {
  const writes = writeOf(made)
  return made.byHand !== undefined ? { byHand: made.byHand } : writes && inverseOf(writes)
}

/** Returns the call by which a command writes, unless it is another in another case. */
export function writeOf({ calls }: Pick<CommandClass, 'calls'>): Endpoint | undefined {
  return calls === 'any' ? undefined : calls.find(({ repeat }) => repeat !== 'read')
}

/** Returns that command line. */
export function insteadOf({ instead, id }: CommandClass, subject: string, args: Record<string, unknown>): string {
  if (typeof instead === 'function') return instead(subject, args)
  return instead ?? `promo help ${id.replaceAll(':', ' ')}`
}

/** The member of a row of an undo that says when the job changed its object. */
export const leftAt = 'undone_updated_at'

/** Returns the row that reverses another; undefined where the journal lacks what that takes. */
export function inverseRow(
  { marked, fields: wanted }: InverseCall,
  done: EffectiveRow,
  job: JobHeader,
): Row | undefined {
  const { row, results } = done
  if (marked === 'updated_at') {
    const at = results.updated_at
    return at === undefined ? undefined : { ...row, fields: { ...row.fields, [leftAt]: at } }
  }
  const fields: Record<string, string> = {}
  for (const [name, from] of Object.entries(wanted ?? {})) {
    const values =
      'has' in from ? [valueAt(from.has, done, job) && 'true', ''] : from.map((path) => valueAt(path, done, job))
    const value = values.find((one) => one !== undefined)
    // Several ids are separated by spaces.
    if (value === undefined || (name === 'id' && value.includes(' '))) return undefined
    fields[name] = value
  }
  // No other row has it, so it proves this one after a lost answer.
  if (marked === 'source_id') fields.source_id = `undo-${job.id}-${row.line}`
  return { line: row.line, key: Object.values(fields)[0] ?? '', fields }
}

/** Returns the columns of such rows; undefined: those of the job. */
export function inverseColumns({ marked, fields }: InverseCall): string[] | undefined {
  return fields && [...Object.keys(fields), ...(marked === 'source_id' ? ['source_id'] : [])]
}

/** Returns the flags of an undo that decide what is sent. */
export function inverseFlags({ marked, shared = [] }: InverseCall, { id, flags }: JobHeader): Record<string, unknown> {
  return {
    ...Object.fromEntries(shared.map((name) => [name, flags[name]])),
    ...(marked !== 'updated_at' && { reason: `undo of job ${id}` }),
  }
}

/** An empty cell of a file says nothing: then the flag holds. */
function valueAt(path: AppliedPath, { row, results }: EffectiveRow, { flags }: JobHeader): string | undefined {
  if (path === 'key') return row.key
  const at = path.indexOf('.')
  const name = path.slice(at + 1)
  if (path.startsWith('answer.')) return results[name as keyof typeof results]
  const value = [row.fields[name], flags[name]].find((one) => one !== undefined && one !== null && one !== '')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
