// A bulk run as its command line asks for it: what, where, how fast and how shown. Only this file knows the flags of bulk commands by name.
import { parseRate, type Rate } from '../../api/pacing/rate.ts'
import { withoutUndefined } from '../../base/record.ts'
import type { InputOptions } from '../../bulk/input/input.ts'
import { parseShard, type Shard } from '../../bulk/shard.ts'
import { tellLines } from '../../output/tell.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { allowUnknownFlag, bulkFlags, readRowFlags, typeOfFlag, writeFlags } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import { askYesNo, canAsk } from '../prompt/prompts.ts'
import { timeZoneOfDays } from '../request/days.ts'
import type { ColumnChoice } from '../request/row-columns.ts'
import type { WrittenValues } from '../request/written-values.ts'
import { type OutputFlags, type Showing, showingOf } from '../result/output.ts'
import { type Progress, type ProgressContext, startProgress } from '../result/progress.ts'
import type { Host, ProgramConfig } from '../run/host.ts'
import { stackOf } from '../run/report-error.ts'
import {
  type ClientSession,
  type ConnectFlags,
  type ConnectOptions,
  connect,
  resolveProfile,
} from '../session/connect.ts'

/** The flags that every bulk command takes, as parsed. */
export type BulkFlags = ConnectFlags &
  OutputFlags &
  ValuesOf<typeof bulkFlags & typeof writeFlags & typeof allowUnknownFlag>

/** The rows of a file or a pipe, and how they are read. */
export interface Reading extends Omit<InputOptions, 'column' | 'columnGiven' | 'checkKey' | 'rules'> {
  columns: ColumnChoice
  say: Showing['say']
}

/** How fast rows are sent, and when that ends. */
export interface Pace {
  /** Requests in flight at the same time. */
  concurrency: number
  /** Of all shards together. */
  rate: Rate | undefined
  maxErrors: BulkFlags['max-errors']
  maxOutageMs: number | undefined
}

/** Where the job is kept, and what it may do with an earlier one. */
export interface JobChoice {
  /** A folder of its own. */
  folder: string | undefined
  /** It is begun again, whatever was done. */
  isRestarted: boolean
  /** Asks whether a job of another key is of the same project. */
  isSame: (question: string) => Promise<boolean>
}

/** A bulk run as its command line asks for it. */
export interface RunPlan {
  /** Absent: the rows are arguments, or the command's own. */
  reading: Reading | undefined
  /** What is left out of what filters choose. */
  except: Reading | undefined
  skipsBadRows: boolean
  /** What names a customer is a source id. */
  takesSourceIds: boolean
  /** The fields whose type the command line says. */
  typed: readonly string[]
  /** How the file writes days and numbers. Throws `usage`. */
  written: () => Promise<WrittenValues>
  /** The part of all rows; null: all of them. */
  shard: Shard | null
  /** Only what would be sent is shown. */
  isDryRun: boolean
  /** Nobody is asked. */
  isAgreed: boolean
  job: JobChoice
  pace: Pace
  /** The profile as it was named; undefined: it was not. */
  profileName: string | undefined
  profile: () => Promise<Resolved>
  connect: (options?: ConnectOptions) => Promise<ClientSession>
  show: Showing
  progress: (context: ProgressContext) => Progress
  /** Shows a bug in promo, where that was asked for. */
  onUnexpected: (error: unknown) => void
}

/** Parses the flags of a bulk command, before anything is opened. Throws `usage`. */
export function runPlanOf(
  flags: BulkFlags & ValuesOf<typeof typeOfFlag> & { 'as-source-id'?: boolean; except?: string },
  { host, config }: { host: Host; config: ProgramConfig },
): RunPlan {
  const show = showingOf(flags, host)
  return {
    reading: readingOf(flags, host),
    except: readingOf({ ...flags, from: flags.except }, host),
    skipsBadRows: flags['skip-bad-rows'] ?? false,
    takesSourceIds: flags['as-source-id'] ?? false,
    typed: (flags['type-of'] ?? []).map((text) => text.slice(0, text.lastIndexOf('='))),
    written: async () => (await import('../request/written-values.ts')).writtenValues(flags),
    shard: flags.shard === undefined ? null : parseShard(flags.shard, host.env),
    isDryRun: flags['dry-run'] ?? false,
    isAgreed: flags.yes ?? false,
    job: { folder: flags.journal, isRestarted: flags.restart ?? false, isSame: sameProject(flags, host) },
    pace: {
      concurrency: flags.concurrency ?? 8,
      rate: flags.rate === undefined ? undefined : parseRate(flags.rate),
      maxErrors: flags['max-errors'],
      maxOutageMs: flags['max-outage'],
    },
    profileName: flags.profile,
    profile: () => resolveProfile(flags, host),
    connect: (options) => connect(flags, host, config, options),
    show,
    progress: (context) => startProgress(host, flags, context),
    onUnexpected(error) {
      if (flags.debug) tellLines(host.stderr, stackOf(error))
    },
  }
}

/** Returns how the file that is named is read; undefined where none is. */
export function readingOf(
  flags: Omit<ValuesOf<typeof readRowFlags> & BulkFlags, 'from'> & { from?: string | undefined },
  host: Host,
): Reading | undefined {
  const { from } = flags
  if (from === undefined) return undefined
  const { say } = showingOf(flags, host)
  return {
    from,
    stdin: host.stdin,
    signal: host.stop,
    timeZone: () => timeZoneOfDays(flags, host),
    columns: { column: flags.column, map: flags.map, ignored: flags['ignore-columns'] },
    ...withoutUndefined({
      format: flags['input-format'],
      delimiter: flags.delimiter,
      encoding: flags.encoding,
      trim: flags.trim,
      noQuotes: flags['no-quotes'],
      sheet: flags.sheet,
      asWritten: flags['as-written'],
    }),
    say,
    assumed: say,
  } as Reading
}

/** Returns the consent that `--same-project` gives, or that the user is asked for. */
export function sameProject(
  flags: { 'same-project'?: boolean; 'no-input'?: boolean },
  host: Host,
): JobChoice['isSame'] {
  return async (question) => flags['same-project'] === true || (canAsk(flags, host) && (await askYesNo(question, host)))
}
