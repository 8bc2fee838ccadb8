// What a tool works with: command lines whose results it puts together, bounded and paged.
import { readLosslessJson } from '../../../base/lossless-json.ts'
import { EXIT } from '../../../errors.ts'
import { type LineError, type LineOptions, type RanLine, runLine } from './run-line.ts'

/** A request that cannot be answered; its words are for the assistant. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly facts: LineError

  constructor(facts: LineError) {
    super(facts.message)
    this.facts = facts
  }
}

/** Which part of a listing is asked for. */
export interface Page {
  limit?: number | undefined
  cursor?: string | undefined
}

/** A part of a listing. */
export interface Rows {
  rows: unknown[]
  /** What to do about the others; absent when there are none. */
  more?: string
  cursor?: string
  /** How the command ended: 12 where its answer is no. */
  exitCode: number
}

/** How a command lists. */
export interface Listing {
  /** It has no --limit: everything is read. */
  isEntire?: boolean
  /** The rows that count; it needs everything. */
  keep?: (row: Record<string, unknown>) => boolean
}

/** Runs the command lines of one call of a tool. */
export interface CommandRunner {
  /** Returns the object that a command shows. Throws `Unanswered`. */
  one: (argv: readonly string[]) => Promise<Record<string, unknown>>
  /** The same, or undefined where the service refuses the request, as it does for what does not exist. */
  maybe: (argv: readonly string[]) => Promise<Record<string, unknown> | undefined>
  /** Returns a part of what a command lists. Throws `Unanswered`. */
  rows: (argv: readonly string[], page: Page, listing?: Listing) => Promise<Rows>
  /** Returns one cell of a command's CSV; empty where it has none. */
  cell: (argv: readonly string[], column: string) => Promise<string>
  /** Notices and warnings of the commands. */
  notes: string[]
}

/** Rows of a result, unless the request says otherwise. */
const usualRows = 20
/** The farthest row that a cursor reaches: each page reads those before it again. */
const farthestRow = 1000

/** Opens a desk for one call. */
export function openRunner(options: LineOptions): CommandRunner {
  const notes: string[] = []
  async function ran(argv: readonly string[]): Promise<RanLine> {
    const line = await runLine([...argv], options)
    notes.push(...line.notes)
    return line
  }

  async function one(argv: readonly string[]): Promise<Record<string, unknown>> {
    return objectIn(mustAnswer(await ran(withFlags(argv, '--json'))))
  }

  return {
    notes,
    one,
    async maybe(argv) {
      try {
        return await one(argv)
      } catch (error) {
        if (error instanceof Unanswered && error.facts.exit_code === EXIT.refused) return undefined
        throw error
      }
    },
    async cell(argv, column) {
      const { output, exitCode } = await ran(withFlags(argv, '--csv', '--no-header', `--columns=${column}`))
      return exitCode === EXIT.ok ? output.trim().replaceAll('"', '') : ''
    },
    async rows(argv, { limit = usualRows, cursor = '0' }, { isEntire, keep } = {}) {
      const from = Number(cursor)
      // One more shows that there are more.
      const most = Math.min(from + limit, farthestRow) + 1
      const line = mustAnswer(await ran(withFlags(argv, '--jsonl', ...(isEntire ? [] : [`--limit=${most}`]))))
      const lines = line.output.split('\n').filter(Boolean)
      const all = keep ? lines.map(parseJson).filter((row) => keep(row as Record<string, unknown>)) : lines
      const rows = all.slice(from, most - 1).map((row) => (typeof row === 'string' ? parseJson(row) : row))
      const end = from + rows.length
      if (all.length <= end) return { rows, exitCode: line.exitCode }
      if (end >= farthestRow) return { rows, more: 'there are more: narrow the request', exitCode: line.exitCode }
      const more = `${isEntire ? `and ${all.length - end} more` : 'there are more'}: pass cursor "${end}", or narrow the request`
      return { rows, more, cursor: String(end), exitCode: line.exitCode }
    },
  }
}

/** Adds flags before the arguments, which begin after `--`: no argument is taken for a flag. */
export function withFlags(argv: readonly string[], ...flags: string[]): string[] {
  const at = argv.indexOf('--')
  const end = at === -1 ? argv.length : at
  return [...argv.slice(0, end), '--no-input', ...flags, ...argv.slice(end)]
}

function mustAnswer(line: RanLine): RanLine {
  const { error, isTooLarge, exitCode } = line
  if (isTooLarge)
    throw new Unanswered({ kind: 'io', message: 'the result is too large', exit_code: exitCode, hint: narrow })
  if (error) throw new Unanswered(error)
  return line
}

const narrow = 'ask for fewer rows, or for one object'

function objectIn({ output, exitCode }: RanLine): Record<string, unknown> {
  const value = output === '' ? undefined : parseJson(output)
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw new Unanswered({ kind: 'stopped', message: 'the request ended without a result', exit_code: exitCode })
}

function parseJson(json: string): unknown {
  return readLosslessJson(json).exact
}
