// Recorded events, in order. An event is written in the transaction of its change, so neither exists without the other;
// so are the jobs that deliver it (http/envelope.ts).
import type { Database } from './database.ts'

/** A recorded event: `data` is a snapshot, later changes do not alter it. */
export interface RecordedEvent {
  /** Increases in the order of commits. */
  seq: number
  project_id: string
  id: string
  type: string
  created_at: string
  entity_id: string
  /** The id of the request that caused it. */
  group_id: string
  /** The channel and key that caused it, as the delivered envelope shows them. */
  source: unknown
  data: unknown
}

/** An event before it has a sequence number. */
export type NewEvent = Omit<RecordedEvent, 'seq'>

/** The recorded events of all projects. */
export type Outbox = ReturnType<typeof outboxOf>

/** A customer, a voucher or a campaign. */
export interface Subject {
  project_id: string
  subject_id: string
}

/**
 * What an event is about: customers (who acted, who was rewarded, who holds the code), and the vouchers and the campaign
 * that it names.
 */
export const eventSubjectsTable = `CREATE TABLE IF NOT EXISTS event_subjects (
  project_id TEXT NOT NULL, subject_id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (project_id, subject_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS "event_subjects.seq" ON event_subjects (seq)`

const columns = 'seq, project_id, id, type, created_at, entity_id, group_id, source, data'
const aboutOne = 'seq IN (SELECT seq FROM event_subjects WHERE project_id = ? AND subject_id = ?)'

const kept = 100_000
const prunedEvery = 1_000

/** Returns the outbox of all projects. */
export function outboxOf(db: Database) {
  return {
    /** Records an event; `data` is its data as JSON. The latest 100,000 are kept: a pending delivery has its own copy. */
    record: (event: NewEvent, data = JSON.stringify(event.data)) => {
      const seq = db.insert(
        'INSERT INTO outbox (project_id, id, type, created_at, entity_id, group_id, source, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        event.project_id,
        event.id,
        event.type,
        event.created_at,
        event.entity_id,
        event.group_id,
        JSON.stringify(event.source),
        data,
      )
      for (const id of subjectsOf(event.data))
        db.run('INSERT INTO event_subjects (project_id, subject_id, seq) VALUES (?, ?, ?)', event.project_id, id, seq)
      if (seq % prunedEvery !== 0) return
      for (const table of ['outbox', 'event_subjects']) db.run(`DELETE FROM ${table} WHERE seq <= ?`, seq - kept)
    },
    /** Returns a page of the events about an object, by sequence number, after one of them if given. */
    about: (
      { project_id, subject_id }: Subject,
      { limit, isOldestFirst, afterId }: { limit: number; isOldestFirst: boolean; afterId?: string },
    ) => {
      const [sign, direction] = isOldestFirst ? ['>', 'ASC'] : ['<', 'DESC']
      const start =
        afterId === undefined ? '' : `AND seq ${sign} (SELECT seq FROM outbox WHERE project_id = ? AND id = ?)`
      return db
        .all<StoredEvent>(
          `SELECT ${columns} FROM outbox WHERE ${aboutOne} ${start} ORDER BY seq ${direction} LIMIT ?`,
          project_id,
          subject_id,
          ...(afterId === undefined ? [] : [project_id, afterId]),
          limit,
        )
        .map(eventOf)
    },
    /** Removes the events about an object, and returns how many there were of each type. */
    forget: ({ project_id, subject_id }: Subject) => {
      const counts = db.all<{ type: string; count: number }>(
        `SELECT type, count(*) AS count FROM outbox WHERE ${aboutOne} GROUP BY type`,
        project_id,
        subject_id,
      )
      for (const table of ['outbox', 'event_subjects'])
        db.run(`DELETE FROM ${table} WHERE ${aboutOne}`, project_id, subject_id)
      return Object.fromEntries(counts.map(({ type, count }) => [type, count]))
    },
    /** Returns the events recorded after a sequence number (0 for all), oldest first. */
    after: (seq: number, limit: number) =>
      db.all<StoredEvent>(`SELECT ${columns} FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?`, seq, limit).map(eventOf),
  }
}

type StoredEvent = RecordedEvent & { source: string; data: string }

function eventOf(row: StoredEvent): RecordedEvent {
  return { ...row, source: JSON.parse(row.source), data: JSON.parse(row.data) }
}

// ASSUMED A1110: what names a voucher or a campaign belongs to its activity, as with customers.
function subjectsOf(data: unknown): Set<string> {
  const { customer, holder, voucher, campaign } = data as Partial<Record<string, { id?: unknown } | null>>
  return new Set([customer, holder, voucher, campaign].map((one) => one?.id).filter((id) => typeof id === 'string'))
}
