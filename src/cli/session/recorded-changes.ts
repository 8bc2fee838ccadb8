// Reading and pruning the history of this computer, which history.ts writes.
import { statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keptLines } from '../../base/files/kept-lines.ts'
import { readJson } from '../../base/nesting.ts'
import { isRecord } from '../../base/record.ts'
import { readReasonOf, reasonOf, whatToDoAbout } from '../../base/sqlite.ts'
import { PromoError } from '../../errors.ts'
import type { Keeper } from '../run/host.ts'
import { type Change, type ChangeOutcome, historyFile, historyFolder } from './history.ts'

/** A file of the history. */
export interface HistoryDay {
  /** In UTC: `2026-11-22`. */
  day: string
  path: string
  size_bytes: number
}

export interface ChangeFilter {
  /** Only changes that began at or after this time, Unix ms. */
  sinceMs?: number | undefined
  profile?: string | undefined
  /** Only changes of which this is so. */
  where?: ((change: Change) => boolean) | undefined
  /** How many of the newest; default: all. */
  most?: number | undefined
}

const dayMs = 86_400_000

/**
 * Returns the changes, newest first: each write once, and each job once with the counts of its last run. They are in the order
 * in which they were recorded, because a clock may go back. Days before those of the `most` newest are not read.
 *
 * `damaged` counts lines that cannot be read, as the last one of a process that was killed. Throws `io` (exit 10).
 */
export async function changesOf(
  host: Keeper,
  { sinceMs = Number.NEGATIVE_INFINITY, profile, where = () => true, most }: ChangeFilter,
): Promise<{ changes: Change[]; damaged: number }> {
  const byId = new Map<string, Change>()
  const since = (timeMs: number) =>
    [...byId.values()].filter(
      (change) =>
        Date.parse(change.at) >= timeMs && (profile === undefined || change.profile === profile) && where(change),
    )
  let damaged = 0
  /** Where the line is in which a change last began, or else its first one; a day has fewer lines than milliseconds. */
  const recordedAt = new Map<string, number>()
  const beganLater = new Set<string>()
  for (const { day, path } of (await daysOf(host)).toReversed()) {
    const dayStartMs = Date.parse(day)
    // A line is in the file of the day it was written, which is that of its change or a later one.
    if (dayStartMs + dayMs <= sinceMs) break
    const ofDay = new Map<string, Change>()
    const began: string[] = []
    let place = dayStartMs
    for await (const text of linesOf(path)) {
      place += 1
      const change = changeIn(text)
      if (change === undefined) damaged += 1
      else {
        const { id, outcome } = change
        if (outcome === 'began' ? !beganLater.has(id) : !recordedAt.has(id)) recordedAt.set(id, place)
        if (outcome === 'began') began.push(id)
        ofDay.set(change.id, { ...ofDay.get(change.id), ...change })
      }
    }
    for (const id of began) beganLater.add(id)
    for (const [id, change] of ofDay) byId.set(id, { ...change, ...byId.get(id) })
    // No earlier file has a change that began on this day or after it.
    if (most !== undefined && since(Math.max(dayStartMs, sinceMs)).length >= most) break
  }
  const placeOf = ({ id }: Change) => recordedAt.get(id) ?? 0
  const changes = since(sinceMs).toSorted((one, other) => placeOf(other) - placeOf(one))
  return { changes: changes.slice(0, most), damaged }
}

/** Returns the files of the history, oldest first. Throws `io` (exit 10). */
async function daysOf(host: Keeper): Promise<HistoryDay[]> {
  const dir = historyFolder(host)
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw unreadable(dir, error)
  })
  const days = names.flatMap((name) => {
    const [, day] = historyFile.exec(name) ?? []
    const path = join(dir, name)
    const size_bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    return day === undefined ? [] : [{ day, path, size_bytes }]
  })
  return days.toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

/** Returns the days that ended more than `olderThanMs` ago, oldest first; the current day is never one. */
export async function oldDays(host: Keeper, olderThanMs: number): Promise<HistoryDay[]> {
  const days = await daysOf(host)
  return days.filter(({ day }) => Date.parse(day) + dayMs <= host.now() - olderThanMs)
}

/** Removes the file of a day. Throws `io` (exit 10). */
export async function removeDay({ path }: HistoryDay): Promise<void> {
  await rm(path, { force: true }).catch((error: NodeJS.ErrnoException) => {
    throw new PromoError('io', `"${path}" cannot be removed: ${reasonOf(error)}`, {
      hint: whatToDoAbout(error),
      cause: error,
    })
  })
}

async function* linesOf(path: string): AsyncGenerator<string | undefined> {
  try {
    yield* keptLines(path)
  } catch (error) {
    if (error instanceof PromoError) throw error
    // Pruned in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(path, error)
  }
}

function changeIn(line: string | undefined): Change | undefined {
  if (line === undefined) return undefined
  try {
    const change = readJson(line)
    return isChange(change) ? change : undefined
  } catch {
    return undefined
  }
}

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isPath = (value: unknown) => isText(value) && decodeURIComponent(value as string) !== undefined
const outcomes: readonly unknown[] = [
  'began',
  'applied',
  'refused',
  'not_sent',
  'unknown',
  'done',
  'stopped',
] satisfies ChangeOutcome[]

/** What each member of a line is; whoever can write the file can write anything. */
const required: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: isText,
  at: (value) => isText(value) && !Number.isNaN(Date.parse(value as string)),
  command: isText,
  profile: isText,
  outcome: (value) => outcomes.includes(value),
}
const optional: Readonly<Record<string, (value: unknown) => boolean>> = {
  project: isTextOrNull,
  service: isText,
  subject: isTextOrNull,
  by: isText,
  reason: isText,
  call: isText,
  method: isText,
  path: isPath,
  status: isNumber,
  request_id: isText,
  source_id: isText,
  newest: isText,
  before: isRecord,
  after: isRecord,
  job: isText,
  rows: isNumber,
  part_of: isText,
  counts: (value) => isRecord(value) && Object.values(value).every(isNumber),
}

function isChange(value: unknown): value is Change {
  if (!isRecord(value)) return false
  return (
    Object.entries(required).every(([name, isSo]) => Object.hasOwn(value, name) && isSo(value[name])) &&
    Object.entries(optional).every(([name, isSo]) => !Object.hasOwn(value, name) || isSo(value[name]))
  )
}

function unreadable(path: string, error: unknown): PromoError {
  return new PromoError('io', `"${path}" cannot be read: ${readReasonOf(error)}`, {
    hint: 'check who owns it, or set PROMO_STATE_DIR to a folder of your own',
    cause: error,
  })
}
