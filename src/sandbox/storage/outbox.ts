// What happened, in order. A row is written in the transaction of the change it tells of, so neither exists alone;
// so are the jobs that deliver it (webhooks/fan-out.ts).
import type { Database } from './database.ts'

/** An event as it happened: `data` is a snapshot, later changes do not alter it. */
export interface RecordedEvent {
  /** Rises in the order of commits. */
  seq: number
  project_id: string
  id: string
  type: string
  created_at: string
  entity_id: string
  /** The id of the request that caused it. */
  group_id: string
  /** Who caused it: channel and key, as the delivered envelope shows them. */
  source: unknown
  data: unknown
}

/** An event before it has its place in the order. */
export type NewEvent = Omit<RecordedEvent, 'seq'>

export interface Outbox {
  /** Writes an event down. The latest 100,000 are kept: what is still to be delivered, a delivery has a copy of. */
  record: (event: NewEvent) => void
  /** Events recorded after a sequence number (0 for all), oldest first. */
  after: (seq: number, limit: number) => RecordedEvent[]
}

const kept = 100_000
const prunedEvery = 1_000

/** Gives access to the recorded events of all projects. */
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
