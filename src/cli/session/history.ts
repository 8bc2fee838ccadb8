// What this computer changed: a line before and a line after each write, in one file a day, for `promo history`.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ChangedValues } from '../../api/changed-values.ts'
import type { CallObserver } from '../../api/connection.ts'
import { appendLine } from '../../base/files/kept-lines.ts'
import { pathBelow } from '../../base/files/path-below.ts'
import { withoutUndefined } from '../../base/record.ts'
import { reasonOf } from '../../base/sqlite.ts'
import type { Summary } from '../../bulk/summary.ts'
import { PromoError } from '../../errors.ts'
import { createFolder, stateFolder } from '../../profiles/folders.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import { messagesTo } from '../result/messages.ts'
import type { Host, Keeper } from '../run/host.ts'

/**
 * How a change ended. `began`: no end was recorded, because the process still runs or was killed, so it may have been
 * applied.
 */
export type ChangeOutcome = 'began' | 'applied' | 'refused' | 'not_sent' | 'unknown' | 'done' | 'stopped'

/** One line of the history: a single write, or a run of a job. Of bodies and answers only `reason`, `source_id`, `before` and `after` are in it. */
export interface Change {
  /** The same in the line that a change began and in the line that it ended. */
  id: string
  /** When it began, ISO 8601 UTC. */
  at: string
  /** Who changed it: `PROMO_ACTOR`, else the user of the computer. */
  by?: string
  /** Why: what the call itself says, else `--reason`, else `PROMO_REASON`. */
  reason?: string
  command: string
  profile: string
  project: string | null
  /** Scheme and host, or `sandbox`. */
  service: string
  /** What was changed: the ids in the path of the call, the id of what was created, or the codes of a cart that was not redeemed; or null. */
  subject: string | null
  outcome: ChangeOutcome
  /** Of a single write; the path is without its query. */
  call?: string
  method?: string
  path?: string
  status?: number
  request_id?: string
  /** The caller's own id of a call that counts twice, and the newest that was listed before it (writes/prove.ts); empty: nothing was. */
  source_id?: string
  newest?: string
  /** Balances, switches, and members of configuration that it changed: `{"balance": 82}`. */
  before?: ChangedValues
  after?: ChangedValues
  /** Of a job. */
  job?: string
  rows?: number
  /** The job of which it undoes a part. */
  part_of?: string
  counts?: Record<string, number>
}

/** Returns the folder of the history. Throws `config` (exit 4). */
export function historyFolder(host: Pick<Host, 'env' | 'platform' | 'home'>): string {
  return join(stateFolder(host), 'history')
}

/** The files of the history by the day of their lines, in UTC: `2026-11-22.jsonl`. */
export const historyFile = /^(\d{4}-\d\d-\d\d)\.jsonl$/

const dayMs = 86_400_000

type Place = Pick<Resolved, 'name' | 'projectId' | 'origin' | 'isSandbox'>

/** The flag by which a command line says why it changes something. */
export interface Why {
  reason?: string | undefined
}

/** Records the changes of one run. Recording never fails a write: what cannot be recorded is a warning, once. */
export interface Recorder {
  /** For the single writes of a client. */
  onChange: CallObserver
  /** Records that a run of a job begins, which may undo a part of another; what it returns records how it ended. */
  job: (job: string, rows: number, partOf?: string) => (summary: Summary) => void
}

/**
 * Opens the history for the writes of a command line to one place; `reason` is that of its flag `--reason`, where it has one.
 * Nothing is opened or created before the first write.
 */
export function recorderFor(
  profile: Place,
  host: Keeper & Pick<Host, 'stderr' | 'command'>,
  { reason: why = host.env.PROMO_REASON }: Why,
): Recorder {
  let hasWarned = false
  function record(change: Change): void {
    let dir = ''
    try {
      dir = historyFolder(host)
      createFolder(dir)
      const [path = '', tomorrow = ''] = [0, dayMs].map((ms) =>
        pathBelow(dir, `${new Date(host.now() + ms).toISOString().slice(0, 10)}.jsonl`),
      )
      // A clock may go back over midnight: what is recorded later stays behind what was recorded before.
      appendLine(existsSync(tomorrow) ? tomorrow : path, `${JSON.stringify(change)}\n`)
    } catch (error) {
      if (hasWarned) return
      hasWarned = true
      const { code } = error as NodeJS.ErrnoException
      const place = code === undefined || dir === '' ? '' : ` in ${dir}`
      const what = `the history of this computer cannot be written${place} (${reasonOf(error)})`
      const { warn } = messagesTo(host, {})
      warn(`warning: ${what}; the change itself does not depend on it`)
      if (error instanceof PromoError && error.facts.hint !== undefined) warn(`try: ${error.facts.hint}`)
    }
  }
  const by = actor(host)
  const beginChange = (id: string): Omit<Change, 'outcome' | 'subject'> => ({
    id,
    at: new Date(host.now()).toISOString(),
    ...(by !== '' && { by }),
    ...(why && { reason: why }),
    command: (host.command ?? '').replaceAll(':', ' '),
    profile: profile.name,
    ...placeIn(profile),
  })

  return {
    onChange(callOf) {
      const { id: call, method, path, subject, asked = null, reason, source } = callOf()
      const about = {
        ...beginChange(newId(host.now())),
        ...(reason !== undefined && { reason }),
        call,
        method,
        path,
        ...withoutUndefined({ source_id: source?.id, newest: source?.newest }),
      }
      record({ ...about, subject: subject ?? asked, outcome: 'began' })
      return ({ outcome, status, requestId, created, before, after }) =>
        record({
          ...about,
          subject: subject ?? created ?? asked,
          outcome,
          ...withoutUndefined({ status, request_id: requestId, before, after }),
        })
    },
    job(job, rows, partOf) {
      const about = {
        ...beginChange(`job ${job}`),
        job,
        rows,
        subject: null,
        ...(partOf !== undefined && { part_of: partOf }),
      }
      record({ ...about, outcome: 'began' })
      return ({ counts, total, stoppedBy }) =>
        record({
          ...about,
          rows: total,
          counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
          outcome: stoppedBy === undefined ? 'done' : 'stopped',
        })
    },
  }
}

/** Returns where a profile leads, as the history says it. */
export function placeIn({ projectId, isSandbox, origin }: Omit<Place, 'name'>) {
  return { project: projectId ?? null, service: isSandbox ? 'sandbox' : origin }
}

/** Who runs promo; empty where the computer has no name for the user, as in some containers. */
function actor({ env }: Pick<Host, 'env'>): string {
  if (env.PROMO_ACTOR) return env.PROMO_ACTOR
  try {
    // Not imported: only a write needs it.
    return process.getBuiltinModule('node:os').userInfo().username
  } catch {
    return ''
  }
}

/** Not from the secure source: loading it costs a start more than it is worth for an id that only this computer compares. */
function newId(nowMs: number): string {
  return `${nowMs.toString(36)}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`
}
