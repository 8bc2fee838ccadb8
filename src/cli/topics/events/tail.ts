// `events tail`: what happens in a project, a line each, until it is stopped.
import type { Client } from '../../../api/client.ts'
import { grouped } from '../../../base/grouped.ts'
import { happeningColumns } from '../../../output/columns/events.ts'
import { emit } from '../../../output/emit.ts'
import { sanitize } from '../../../output/form/sanitize.ts'
import { writerTo } from '../../../output/write.ts'
import { timeRangeFrom } from '../../flags/time.ts'
import { clockOf } from '../../request/days.ts'
import { messagesTo } from '../../result/messages.ts'
import { shapeOf, sinkOf } from '../../result/output.ts'
import { type Host, onlyClosedPipe } from '../../run/host.ts'
import { happenings } from './poll.ts'
import { type Happening, sourcesFor } from './sources.ts'

export interface TailFlags {
  profile?: string | undefined
  type?: string[] | undefined
  since?: string | undefined
  interval: number
  once?: boolean
  for?: number | undefined
  jsonl?: boolean
  quiet?: boolean
}

/** Follows the lists of a project. Throws `usage` for an unknown type or time, and what the calls throw. */
export async function tail(flags: TailFlags, connect: () => Promise<Client>, host: Host): Promise<void> {
  const { polled, isWanted } = sourcesFor(flags.type)
  const sinceMs = flags.since === undefined ? undefined : timeRangeFrom(flags.since, await clockOf(flags, host)).fromMs
  const { say, warn } = messagesTo(host, flags)
  const isOnce = flags.once ?? false
  const client = await connect()
  if (!isOnce) {
    const seconds = flags.interval / 1_000
    const hourly = Math.round((polled.length * 3_600) / seconds)
    const nouns = polled.map(({ noun }) => noun).join(', ')
    say(`following ${nouns} every ${seconds}s, ${grouped(hourly)} requests an hour; Ctrl-C ends it`)
  }
  const polling = { polled, isWanted, sinceMs, intervalMs: flags.interval, isOnce, stop: endOf(flags, host), warn }
  await show(happenings(client, polling), flags, host)
}

/** Returns the signal that ends the following: the run's own, or the time of `--for`. */
export function endOf(flags: Pick<TailFlags, 'for'>, host: Pick<Host, 'stop'>): AbortSignal {
  return flags.for === undefined ? host.stop : AbortSignal.any([host.stop, AbortSignal.timeout(flags.for)])
}

/** Prints what happens as it comes: a line each, or JSON Lines. */
export async function show(rows: AsyncIterable<Happening>, flags: Pick<TailFlags, 'jsonl'>, host: Host): Promise<void> {
  const signal = onlyClosedPipe(host.stop)
  if (flags.jsonl) {
    await emit(rows, happeningColumns, shapeOf({ jsonl: true }, host), { ...sinkOf({}, host), signal })
    return
  }
  const out = writerTo(host.stdout, signal)
  for await (const row of rows) await out.write(`${sanitize(lineOf(row))}\n`)
}

function lineOf({ at, type, id, about, customer, detail }: Happening): string {
  const parts = [at, type, about, customer === undefined ? undefined : `customer ${customer}`, detail, id]
  return parts.filter((part) => part !== undefined).join('  ')
}
