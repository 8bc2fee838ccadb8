// A bulk run as its command line asks for it: what, where, how fast and how shown. Only this file knows the flags of bulk commands by name.
import { parseRate } from '../../api/pacing/rate.ts'
import { withoutUndefined } from '../../base/record.ts'
import type { InputOptions } from '../../bulk/input/input.ts'
import { parseShard } from '../../bulk/shard.ts'
import { tellLines } from '../../output/tell.ts'
import type { allowUnknownFlag, bulkFlags, readRowFlags, typeOfFlag, writeFlags } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import { askYesNo } from '../prompt/prompts.ts'
import type { ColumnChoice } from '../request/row-columns.ts'
import type { OutputFlags, Showing } from '../result/output.ts'
import type { Input } from '../run/host.ts'
import { stackOf } from '../run/report-error.ts'
import type { ConnectFlags } from '../session/connect.ts'
import type { Run } from '../session/run.ts'

/** The flags that every bulk command takes, as parsed. */
export type BulkFlags = ConnectFlags &
  OutputFlags &
  ValuesOf<typeof bulkFlags & typeof writeFlags & typeof allowUnknownFlag>

/** The rows of a file or a pipe, and how they are read. */
export interface Reading extends Omit<InputOptions, 'column' | 'columnGiven' | 'checkKey' | 'rules'> {
  columns: ColumnChoice
  say: Showing['say']
}

/** A bulk run as its command line asks for it. */
export type RunPlan = ReturnType<typeof runPlanOf>

/** Parses the flags of a bulk command, before anything is opened. Throws `usage`. */
export function runPlanOf(
  flags: BulkFlags &
    ValuesOf<typeof typeOfFlag> & {
      'as-source-id'?: boolean
      'if-exists'?: string
      except?: string
    },
  run: Run,
) {
  const { host, show } = run
  return {
    /** Undefined: the rows are arguments, or the command's own. */
    reading: readingOf(flags, run),
    /** What is left out of what filters choose. */
    except: readingOf({ ...flags, from: flags.except }, run),
    skipsBadRows: flags['skip-bad-rows'] ?? false,
    /** What names a customer is a source id. */
    takesSourceIds: flags['as-source-id'] ?? false,
    /** What exists already is refused, and the command line may say otherwise. */
    failsIfExists: flags['if-exists'] === 'fail',
    /** The fields whose type the command line says. */
    typed: (flags['type-of'] ?? []).map((text) => text.slice(0, text.lastIndexOf('='))),
    /** How the file writes days and numbers. Throws `usage`. */
    written: async () => (await import('../request/written-values.ts')).writtenValues(flags),
    /** The part of all rows; null: all of them. */
    shard: flags.shard === undefined ? null : parseShard(flags.shard, host.env),
    /** Only what would be sent is shown. */
    isDryRun: run.isDryRun,
    /** Nobody is asked. */
    isAgreed: run.isAgreed,
    /** The folder of its own, whether it is begun again, and who says that a job of another key is of the same project. */
    job: { folder: flags.journal, isRestarted: flags.restart ?? false, isSame: sameProject(flags, run) },
    pace: {
      /** Requests in flight at the same time. */
      concurrency: flags.concurrency ?? 8,
      /** Of all shards together. */
      rate: flags.rate === undefined ? undefined : parseRate(flags.rate),
      maxErrors: flags['max-errors'],
      maxOutageMs: flags['max-outage'],
    },
    /** The profile as it was named; undefined: it was not. */
    profileName: flags.profile,
    profile: run.profile,
    connect: run.openSession,
    show,
    /** Shows a bug in promo, where that was asked for. */
    onUnexpected(error: unknown) {
      if (flags.debug) tellLines(host.stderr, stackOf(error))
    },
  }
}

/** Returns how the file that is named is read; undefined where none is. */
export function readingOf(
  flags: Omit<ValuesOf<typeof readRowFlags> & BulkFlags, 'from'> & { from?: string | undefined },
  { host, show: { say }, clock }: Pick<Run, 'show' | 'clock'> & { host: Input },
): Reading | undefined {
  const { from } = flags
  if (from === undefined) return undefined
  return {
    from,
    stdin: host.stdin,
    signal: host.stop,
    timeZone: async () => (await clock()).timeZone,
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
  flags: { 'same-project'?: boolean },
  { host, canAsk }: Pick<Run, 'host' | 'canAsk'>,
): (question: string) => Promise<boolean> {
  return async (question) => flags['same-project'] === true || (canAsk() && (await askYesNo(question, host)))
}
