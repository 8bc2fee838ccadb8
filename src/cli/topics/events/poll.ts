// Following lists by polling: what is new since the last look, each entry once, in the order of its time.
import type { Client } from '../../../api/client.ts'
import { sleep } from '../../../api/connection.ts'
import type { Item } from '../../../api/list-answer.ts'
import { formatNumber } from '../../../base/numbers.ts'
import { EXIT, PromoError } from '../../../errors.ts'
import { warnAfterRows } from '../../../output/warn-after-rows.ts'
import type { FeedItem, Source } from './sources.ts'

/** How lists are followed. */
export interface Polling {
  polled: readonly Source[]
  isWanted: (type: string) => boolean
  /** Where to begin, in Unix time; absent: with what happens from now on. */
  sinceMs?: number | undefined
  intervalMs: number
  /** Ends after the first look. */
  isOnce: boolean
  stop: AbortSignal
  warn: (line: string) => void
}

/**
 * How far back a list is read again, in milliseconds: an entry may appear after a later one.
 *
 * ASSUMED A1463: no entry appears more than a minute after the time it carries.
 */
const overlapMs = 60_000

/** Entries read of one list at one look, and when it begins in the past. */
const most = { start: 100, look: 500, past: 5_000 }

/** The longest memory of one list, in entries. */
const longestMemory = 20_000

/** What is known of one list. */
interface Place {
  /** The time of the newest entry seen; absent before the first look. */
  newestMs?: number
  /** Nothing before this time is shown. */
  floorMs: number
  /** Entries that were shown, or were there at the beginning. */
  seen: Set<string>
}

/**
 * Yields what happens, oldest first within a look, until the run is told to stop.
 *
 * Where the lists begin is read from the lists themselves, so the clock of this computer does not matter. While the
 * service is unavailable it warns and looks again; any other error of a call ends it.
 */
export async function* happenings(client: Client, polling: Polling): AsyncGenerator<FeedItem> {
  const { polled, isWanted, sinceMs, intervalMs, isOnce, stop, warn } = polling
  const places = new Map(
    polled.map((source) => [source, { floorMs: sinceMs ?? 0, seen: new Set<string>() } satisfies Place as Place]),
  )
  const lists = warnAfterRows()
  // What a further look catches up with need not be shown now.
  const rowsOf = (items: AsyncIterable<Item>) => (isOnce ? lists.of(items) : items)
  while (!stop.aborted) {
    const found: FeedItem[] = []
    for (const [source, place] of places) {
      try {
        found.push(...(await look(source, place, { client, rowsOf, isFromNow: sinceMs === undefined, warn })))
      } catch (error) {
        const isTransient = error instanceof PromoError && error.exitCode === EXIT.unavailable
        if (isOnce || stop.aborted || !isTransient) throw error
        warn(`${source.noun} could not be read: ${error.message}; the next look catches up`)
      }
    }
    yield* found.filter(({ type }) => isWanted(type)).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    if (isOnce) return lists.mustBeComplete()
    await sleep(intervalMs, stop).catch(() => {})
  }
}

async function look(
  source: Source,
  place: Place,
  {
    client,
    rowsOf,
    isFromNow,
    warn,
  }: {
    client: Client
    rowsOf: (items: AsyncIterable<Item>) => AsyncIterable<Item>
    isFromNow: boolean
    warn: (line: string) => void
  },
): Promise<FeedItem[]> {
  const isFirst = place.newestMs === undefined
  const limit = isFirst ? (isFromNow ? most.start : most.past) : most.look
  const fromMs = Math.max(place.floorMs, (place.newestMs ?? 0) - overlapMs)
  const read: FeedItem[] = []
  let hasMore = false
  for await (const item of rowsOf(source.read(client, limit + 1, fromMs))) {
    const one = source.happeningOf(item)
    if (!source.isChanging && Date.parse(one.at) < fromMs) break
    hasMore = read.length === limit
    if (hasMore) break
    read.push(one)
  }
  const newestMs = Math.max(place.newestMs ?? 0, ...read.map(({ at }) => Date.parse(at)).filter(Number.isFinite))
  place.newestMs = newestMs
  const fresh = read.filter((one) => !(Date.parse(one.at) < place.floorMs) && !place.seen.has(keyOf(one)))
  for (const one of fresh) remember(place.seen, keyOf(one))
  if (isFirst && isFromNow) {
    place.floorMs = newestMs
    return []
  }
  // What is not shown takes up the look too, and what was read before was warned about before.
  if (hasMore && fresh.length > 0) {
    warn(
      `more ${source.noun} than the ${formatNumber(limit)} newest, which are read at a time: older ones were left out`,
    )
  }
  return fresh.filter(({ data }) => source.isNews?.(data) ?? true)
}

/** An entry that changes is a new one in each state, and at each change. */
function keyOf({ id, type, at }: FeedItem): string {
  return `${id} ${type} ${at}`
}

function remember(seen: Set<string>, key: string): void {
  seen.add(key)
  const [oldest] = seen
  if (seen.size > longestMemory && oldest !== undefined) seen.delete(oldest)
}
