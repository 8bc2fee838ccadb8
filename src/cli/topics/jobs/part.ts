// The part of a job that is undone: the rows that a file names, or that have one outcome.
import { jsonChecksum } from '../../../bulk/input/input-checksum.ts'
import { readJournal, type UndonePart } from '../../../bulk/journal/job.ts'
import { keysLeft } from '../../../bulk/journal/row-store.ts'
import { type RowChoice, undoableStates } from '../../../bulk/journal/undo-rows.ts'
import { keyFlagsWith } from '../../flags/choosing.ts'
import { choiceFlag, textFlag } from '../../flags/kinds.ts'
import { jobsCalled } from './find-job.ts'
import { classOf, type ResumingCommand } from './resume-job.ts'

/** The flags that choose a part; the keys of the file are read as those of --from. */
export const partFlags = {
  only: textFlag('undo only the rows that this file names', 'FILE|-'),
  state: choiceFlag('undo only rows with this outcome; no others can be undone', undoableStates),
  ...keyFlagsWith('only'),
}

/** A part that was chosen. */
export interface ChosenPart extends RowChoice {
  /** What the undo keeps of it. */
  kept: UndonePart
  /** Keys that no row of the job has. */
  missing: readonly string[]
}

/** Returns the part of a job, or of its shards, that flags choose; undefined: all of it. Throws `input` for a bad file. */
export async function chosenPart(
  called: string,
  flags: Record<string, unknown>,
  taker: ResumingCommand,
): Promise<ChosenPart | undefined> {
  const { only, state } = flags as { only?: string; state?: RowChoice['state'] }
  if (only === undefined && state === undefined) return undefined
  const jobs = await jobsCalled(called, taker.host)
  const { words } = await classOf(jobs[0]?.header.command ?? '', taker)
  // Without them it takes no rows that have keys, and has no inverse.
  if (words === undefined) return undefined
  const { keysOf } = await import('../../bulk/several/read.ts')
  const { inputName } = await import('../../bulk/input-rows.ts')
  const { readingOf } = await import('../../bulk/run-plan.ts')
  const named =
    only === undefined ? undefined : await keysOf(undefined, readingOf({ ...flags, from: only }, taker), words)
  const keys = named && [...new Set(named)].toSorted()
  const missing = jobs.reduce(
    (left, { file }) => readJournal(file.path, (journal) => keysLeft(journal, left)),
    keys ?? [],
  )
  const typed = Object.entries(flags).filter(([name]) => Object.hasOwn(partFlags, name))
  const kept = Object.fromEntries(
    typed.map(([name, value]) => [name, name === 'only' ? inputName(only as string, process.cwd()) : value]),
  )
  return {
    ...(keys && { keys: new Set(keys) }),
    state,
    missing,
    kept: { flags: kept, sha256: jsonChecksum([keys, state]) },
  }
}
