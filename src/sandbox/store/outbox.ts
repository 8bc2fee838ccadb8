// Events wait here for delivery. A row is written in the transaction of the change it tells of, so neither exists alone.
import type { Database } from './database.ts'

/** An event as it happened: `data` is a snapshot, later changes do not alter it. */
export interface RecordedEvent {
  /** Rises in the order of commits; the mark a delivery job remembers. */
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

export interface Outbox {
  record: (event: Omit<RecordedEvent, 'seq'>) => void
  /** Events recorded after a sequence number (0 for all), oldest first. */
  after: (seq: number, limit: number) => RecordedEvent[]
  /** Forgets delivered events up to and including a sequence number. */
  forget: (upTo: number) => void
}

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
    },
    after: (seq, limit) =>
      db
        .all<RecordedEvent & { source: string; data: string }>(
          'SELECT seq, project_id, id, type, created_at, entity_id, group_id, source, data FROM outbox WHERE seq > ? ORDER BY seq LIMIT ?',
          seq,
          limit,
        )
        .map((row) => ({ ...row, source: JSON.parse(row.source), data: JSON.parse(row.data) })),
    forget: (upTo) => {
      db.run('DELETE FROM outbox WHERE seq <= ?', upTo)
    },
  }
}
