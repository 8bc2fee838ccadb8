// Bearer tokens. Only their digests are stored, so no reader of the file can use one.
import { createHash } from 'node:crypto'
import type { Database } from './database.ts'

export interface AccessToken {
  project_id: string
  client_id: string
  /** Separated by single spaces. */
  scope: string
  /** Unix time in seconds. */
  expires_at: number
}

/** The table: not a collection, because a token belongs to no list and is found by a digest. */
export const tokensTable = `CREATE TABLE IF NOT EXISTS tokens (
  digest TEXT PRIMARY KEY, project_id TEXT NOT NULL, client_id TEXT NOT NULL, scope TEXT NOT NULL, expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID`

/** Returns access to the tokens of all projects. Instants are Unix time in seconds. Expired tokens count as unknown everywhere. */
export function tokensOf(db: Database) {
  return {
    add: (secret: string, { project_id, client_id, scope, expires_at }: AccessToken) => {
      db.run('INSERT INTO tokens VALUES (?, ?, ?, ?, ?)', digestOf(secret), project_id, client_id, scope, expires_at)
    },
    find: (secret: string, now: number) =>
      db.get<AccessToken>(
        'SELECT project_id, client_id, scope, expires_at FROM tokens WHERE digest = ? AND expires_at > ?',
        digestOf(secret),
        now,
      ),
    /** Revokes a token of a project; false when it has no such token. */
    revoke: (secret: string, projectId: string, now: number) =>
      db.run(
        'DELETE FROM tokens WHERE digest = ? AND project_id = ? AND expires_at > ?',
        digestOf(secret),
        projectId,
        now,
      ) === 1,
    /** How many tokens of a project are active. */
    count: (projectId: string, now: number) => {
      db.run('DELETE FROM tokens WHERE expires_at <= ?', now)
      return db.get<{ n: number }>('SELECT count(*) AS n FROM tokens WHERE project_id = ?', projectId)?.n ?? 0
    },
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
