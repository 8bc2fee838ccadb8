// The shards of one job, combined: whether they belong together, which are missing, and their rows in order.
import { shellWord } from '../../../base/shell-word.ts'
import { jsonChecksum } from '../../../bulk/input/input-checksum.ts'
import type { JobHeader } from '../../../bulk/journal/job.ts'
import { rowStates } from '../../../bulk/summary.ts'
import { PromoError } from '../../../errors.ts'
import { sentFlags } from '../../bulk/identity.ts'
import type { ReadableJob } from '../../bulk/known-jobs.ts'
import type { Reported } from './report.ts'
import type { JobStatus } from './state.ts'

/**
 * Returns the numbers of the shards that are missing.
 *
 * Throws `journal` (exit 9) for journals that are not parts of one job: of another command, project, input or number of
 * shards.
 */
export function missingShards(jobs: readonly ReadableJob[], folder: string): number[] {
  const [first, ...others] = jobs
  if (first === undefined) return []
  const isKnown = jobs.every(({ header }) => header.requests_sha256 !== undefined)
  const marks = marksOf(first.header, isKnown)
  for (const job of others) {
    const differing = Object.entries(marksOf(job.header, isKnown)).filter(([what, mark]) => marks[what] !== mark)
    if (differing.length === 0) continue
    const what = differing.map(([name]) => name).join(' and ')
    throw new PromoError('journal', `the journals in "${folder}" are not parts of one job: different ${what}`, {
      hint: `promo jobs list --journal ${shellWord(folder)}`,
    })
  }
  const { shard } = first.header
  if (shard === null) return []
  const present = new Set(jobs.map(({ header }) => header.shard?.index))
  return Array.from({ length: shard.of }, (_, index) => index).filter((index) => !present.has(index))
}

/** What the jobs of one input have in common: its requests, however each of them read it; of jobs of version 0.1.0, its bytes. */
function marksOf(
  { command, args, flags, requests_sha256, input_sha256, project, shard }: JobHeader,
  isKnown: boolean,
): Record<string, string | number | undefined> {
  return {
    command: jsonChecksum([command, args, sentFlags(flags)]),
    project,
    input: isKnown ? requests_sha256 : input_sha256,
    'number of shards': shard?.of ?? 1,
  }
}

/** Returns the status of a job from those of its shards: it runs or is stopped as long as one of them is. */
export function togetherOf(statuses: readonly JobStatus[]): JobStatus {
  const states = ['running', 'stopped', 'undone', 'finished'] as const
  const state = states.find((one) => statuses.some((status) => status.state === one)) ?? 'finished'
  const decisive = statuses.filter((status) => status.state === state)
  const sum = (count: (status: JobStatus) => number) => statuses.reduce((all, status) => all + count(status), 0)
  const counts = rowStates.map((name) => [name, sum(({ tally }) => tally.counts[name])])
  const started = statuses.flatMap(({ startedAtMs }) => startedAtMs ?? [])
  const ended = statuses.flatMap(({ endedAtMs }) => endedAtMs ?? [])
  return {
    state,
    why: [...new Set(decisive.map(({ why }) => why))].filter((why) => why !== '').join('; '),
    tally: {
      counts: Object.fromEntries(counts) as JobStatus['tally']['counts'],
      changed: sum(({ tally }) => tally.changed),
      unchanged: sum(({ tally }) => tally.unchanged),
      noted: sum(({ tally }) => tally.noted),
      inFlight: sum(({ tally }) => tally.inFlight),
    },
    done: sum(({ done }) => done),
    wrong: sum(({ wrong }) => wrong),
    holder: decisive.find(({ holder }) => holder)?.holder,
    startedAtMs: started.length === 0 ? null : Math.min(...started),
    endedAtMs: ended.length < statuses.length ? null : Math.max(...ended),
    endedBy: decisive.some(({ endedBy }) => endedBy === null) ? null : (decisive[0]?.endedBy ?? null),
  }
}

/** Merges the rows of shards by their lines; a line occurs once. Throws `journal` (exit 9) when two shards have the same. */
export function* mergedByLine(reports: Iterable<Reported>[]): Generator<Reported, void, undefined> {
  const sources = reports.map((report) => report[Symbol.iterator]())
  // The next row of each source, the highest line first.
  const heads: { source: Iterator<Reported>; row: Reported }[] = []
  try {
    for (const source of sources) take(source)
    for (let last = 0; ; ) {
      const head = heads.pop()
      if (head === undefined) return
      if (head.row.line === last) {
        throw new PromoError('journal', `two of the journals have line ${last}; they are not parts of one job`)
      }
      last = head.row.line
      yield head.row
      take(head.source)
    }
  } finally {
    for (const source of sources) source.return?.()
  }

  function take(source: Iterator<Reported>): void {
    const next = source.next()
    if (next.done) return
    let low = 0
    let high = heads.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((heads[middle]?.row.line ?? 0) > next.value.line) low = middle + 1
      else high = middle
    }
    heads.splice(low, 0, { source, row: next.value })
  }
}
