// The queue of jobs. A row is written in the transaction that requests the work, and removed in the one that ends it.
import type { Database } from './database.ts'

/** A job that is waiting or running. */
export interface QueuedJob {
  /** Increases in the order of the requests. */
  n: number
  project_id: string
  kind: string
  payload: unknown
  /** Runs started since the last success. */
  attempts: number
  request_id: string
  channel: 'API' | 'MANAGEMENT_API' | 'CLIENT_API'
}

/** The jobs of all projects. Instants are milliseconds since 1970. */
export type JobQueue = ReturnType<typeof jobQueueOf>

/** The table. A claim moves `due_at` ahead, so work whose process died becomes due by itself. */
export const jobsTable = `CREATE TABLE IF NOT EXISTS jobs (
  n INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
  due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, claimed_by INTEGER,
  request_id TEXT NOT NULL, channel TEXT NOT NULL, failed_at TEXT, error TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS "jobs.due" ON jobs (due_at, n) WHERE failed_at IS NULL;
CREATE INDEX IF NOT EXISTS "jobs.claimed" ON jobs (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX IF NOT EXISTS "jobs.failed" ON jobs (n) WHERE failed_at IS NOT NULL;`

const failedKept = 1_000

/** Returns the queue of all projects. */
export function jobQueueOf(db: Database) {
  const known = 'failed_at IS NULL AND kind IN (SELECT value FROM json_each(?))'
  return {
    add: (job: Omit<QueuedJob, 'n' | 'attempts'>, dueMs: number) => {
      db.run(
        'INSERT INTO jobs (project_id, kind, payload, due_at, request_id, channel) VALUES (?, ?, ?, ?, ?, ?)',
        job.project_id,
        job.kind,
        JSON.stringify(job.payload ?? null),
        dueMs,
        job.request_id,
        job.channel,
      )
    },
    /** Returns the job of these kinds that has been due longest; undefined when none is due. */
    due: (kinds: readonly string[], nowMs: number) => {
      const row = db.get<QueuedJob & { payload: string }>(
        `SELECT n, project_id, kind, payload, attempts, request_id, channel FROM jobs
         WHERE due_at <= ? AND ${known} ORDER BY due_at, n LIMIT 1`,
        nowMs,
        JSON.stringify(kinds),
      )
      return row && { ...row, payload: JSON.parse(row.payload) }
    },
    /** Returns when the next job of these kinds is due; undefined when there is none. */
    nextDue: (kinds: readonly string[]) =>
      db.get<{ due_at: number }>(
        `SELECT due_at FROM jobs WHERE ${known} ORDER BY due_at, n LIMIT 1`,
        JSON.stringify(kinds),
      )?.due_at,
    /** Hides a job from all processes until an instant; then it is due again, unless the holder has ended it. */
    claim: (n: number, holder: number, untilMs: number) => {
      db.run('UPDATE jobs SET claimed_by = ?, due_at = ?, attempts = attempts + 1 WHERE n = ?', holder, untilMs, n)
    },
    /** Returns whether a claim is still valid. */
    isHeld: (n: number, holder: number) =>
      db.get('SELECT 1 FROM jobs WHERE n = ? AND claimed_by = ?', n, holder) !== undefined,
    /** Returns a job to the queue, unclaimed. */
    again: (n: number, dueMs: number, payload: unknown, attempts: number) => {
      db.run(
        'UPDATE jobs SET due_at = ?, payload = ?, attempts = ?, claimed_by = NULL WHERE n = ?',
        dueMs,
        JSON.stringify(payload ?? null),
        attempts,
        n,
      )
    },
    done: (n: number) => {
      db.run('DELETE FROM jobs WHERE n = ?', n)
    },
    /** Marks a job as failed, which is never due again; the latest 1,000 are kept. */
    fail: (n: number, at: string, error: string) => {
      db.run('UPDATE jobs SET failed_at = ?, error = ?, claimed_by = NULL WHERE n = ?', at, error, n)
      db.run(`DELETE FROM jobs WHERE failed_at IS NOT NULL AND n <= (
        SELECT n FROM jobs WHERE failed_at IS NOT NULL ORDER BY n DESC LIMIT 1 OFFSET ${failedKept})`)
    },
    /** Makes jobs due at once that a holder had claimed and will not end; a run aborted on purpose is not counted. */
    release: (holder: number, nowMs: number, why: 'aborted' | 'died') => {
      db.run(
        'UPDATE jobs SET claimed_by = NULL, due_at = ?, attempts = attempts - ? WHERE claimed_by = ?',
        nowMs,
        why === 'died' ? 0 : 1,
        holder,
      )
    },
    /** Returns the holders that have claimed jobs. */
    claimers: () =>
      db
        .all<{ claimed_by: number }>('SELECT DISTINCT claimed_by FROM jobs WHERE claimed_by IS NOT NULL')
        .map((row) => row.claimed_by),
    /** Returns kind and reason of the failed jobs, oldest first. */
    failed: () =>
      db
        .all<{ kind: string; error: string }>(
          'SELECT kind, error FROM jobs WHERE failed_at IS NOT NULL ORDER BY n LIMIT 1000',
        )
        .map((row) => ({ ...row })),
  }
}
