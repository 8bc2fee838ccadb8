// `events tail`: what happens in a project, a line each, until it is stopped.
import type { Client } from '../../../api/client.ts'
import { formatNumber } from '../../../base/numbers.ts'
import { happeningColumns } from '../../../output/columns/events.ts'
import type { Parts } from '../../../output/form/line.ts'
import { timeRangeFrom } from '../../flags/time.ts'
import { endOf, follow } from '../../result/follow.ts'
import type { ShowingHost } from '../../result/output.ts'
import type { Run } from '../../session/run.ts'
import { happenings } from './poll.ts'
import { type FeedItem, sourcesFor } from './sources.ts'

export interface TailFlags {
  type?: string[] | undefined
  since?: string | undefined
  interval: number
  once?: boolean
  for?: number | undefined
  jsonl?: boolean
}

/** The part of a run that follows. */
export type TailRun = Pick<Run, 'clock' | 'show'> & { host: ShowingHost }

/** Follows the lists of a project. Throws `usage` for an unknown type or time, and what the calls throw. */
export async function tail(flags: TailFlags, connect: () => Promise<Client>, run: TailRun): Promise<void> {
  const { polled, isWanted } = sourcesFor(flags.type)
  const sinceMs = flags.since === undefined ? undefined : timeRangeFrom(flags.since, await run.clock()).fromMs
  const { say, warn } = run.show
  const isOnce = flags.once ?? false
  const client = await connect()
  if (!isOnce) {
    const seconds = flags.interval / 1_000
    const hourly = Math.round((polled.length * 3_600) / seconds)
    const nouns = polled.map(({ noun }) => noun).join(', ')
    say(`following ${nouns} every ${seconds}s, ${formatNumber(hourly)} requests an hour; Ctrl-C ends it`)
  }
  const polling = { polled, isWanted, sinceMs, intervalMs: flags.interval, isOnce, stop: endOf(flags, run.host), warn }
  await show(happenings(client, polling), flags, run)
}

/** Prints what happens as it comes. */
export async function show(
  rows: AsyncIterable<FeedItem>,
  flags: Pick<TailFlags, 'jsonl'>,
  { host }: TailRun,
): Promise<void> {
  await follow(rows, happeningColumns, happeningLine, flags, host)
}

function happeningLine({ at, type, id, about, customer, detail }: FeedItem): Parts {
  return [at, type, about, customer === undefined ? undefined : `customer ${customer}`, detail, id]
}
