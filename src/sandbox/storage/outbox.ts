// Recorded events, in order. An event is written in the transaction of its change, so neither exists without the other;
// so are the jobs that deliver it (webhooks/fan-out.ts).
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

export interface Outbox {
  /** Records an event. The latest 100,000 are kept: a pending delivery has its own copy. */
  record: (event: NewEvent) => void
  /** Returns the events recorded after a sequence number (0 for all), oldest first. */
  after: (seq: number, limit: number) => RecordedEvent[]
}

const kept = 100_000
const prunedEvery = 1_000

/** Returns the outbox of all projects. */
export function outboxOf(db: Database): Outbox {
  return {
    record: (event) => {
      db.run(
        'INSERT INTO outbox (project_id, id, type, created_at, entity_id, group_id, source, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        event.project_id,
        event.id,
        event.type,
        event.created_at,
        event.entity_id,
        event.group_id,
        JSON.stringify(event.source),
        JSON.stringify(event.data),
      )
      const seq = db.get<{ seq: number }>('SELECT last_insert_rowid() AS seq')?.seq ?? 0
      if (seq % prunedEvery === 0) db.run('DELETE FROM outbox WHERE seq <= ?', seq - kept)
    },
    after: (seq, limit) =>
      db
        .all<RecordedEvent & { source: string; data: string }>(
          'SELECT seq, project_id, id, type, created_at, entity_id, group_id, source, data FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?',
          seq,
          limit,
        )
        .map((row) => ({ ...row, source: JSON.parse(row.source), data: JSON.parse(row.data) })),
  }
}
