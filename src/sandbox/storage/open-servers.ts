// The servers that have the file open: one row per live server, so that no process deletes a file in use.
import type { Database } from './database.ts'

export interface OpenServer {
  pid: number
  url: string
  since: string
}

/** A server that can be controlled (control/server.ts). */
export interface ControlledServer {
  pid: number
  url: string
  /** What opens its control server; the data file is readable by its owner only. */
  control_token: string
}

/** Registers a server in the file; returns its number for the other functions. Its url is known only once it listens. */
export function registerServer(db: Database, holder: OpenServer): number {
  db.script(
    'CREATE TABLE IF NOT EXISTS holders (n INTEGER PRIMARY KEY, pid INTEGER NOT NULL, url TEXT NOT NULL, since TEXT NOT NULL) STRICT',
  )
  // A file of an earlier version of promo has the table without it.
  const columns = db.all<{ name: string }>("SELECT name FROM pragma_table_info('holders')")
  if (columns.every(({ name }) => name !== 'control_token'))
    db.script('ALTER TABLE holders ADD COLUMN control_token TEXT')
  return db.insert('INSERT INTO holders (pid, url, since) VALUES (?, ?, ?)', holder.pid, holder.url, holder.since)
}

/** Stores where a registered server listens, and what opens its control server. */
export function setServerUrl(db: Database, n: number, url: string, controlToken: string): void {
  db.run('UPDATE holders SET url = ?, control_token = ? WHERE n = ?', url, controlToken, n)
}

/** Removes a server from the file. */
export function unregisterServer(db: Database, n: number): void {
  db.run('DELETE FROM holders WHERE n = ?', n)
}

/** Returns the servers that have the file open, without those whose process no longer exists (after a crash). */
export function openServers(db: Database): OpenServer[] {
  return listEntered(db).map(({ pid, url, since }) => ({ pid, url, since }))
}

/** Returns the servers that can be controlled, the latest first. */
export function controlledServers(db: Database): ControlledServer[] {
  const isThere = db.get("SELECT 1 FROM pragma_table_info('holders') WHERE name = 'control_token'") !== undefined
  if (!isThere) return []
  return db
    .all<ControlledServer>(
      "SELECT pid, url, control_token FROM holders WHERE url <> '' AND control_token IS NOT NULL ORDER BY n DESC",
    )
    .filter(({ pid }) => isAlive(pid))
}

/** Returns the numbers of the servers that have the file open. */
export function openServerNumbers(db: Database): number[] {
  return listEntered(db).map(({ n }) => n)
}

function listEntered(db: Database): Array<OpenServer & { n: number }> {
  const exists = db.get("SELECT 1 FROM sqlite_schema WHERE name = 'holders'")
  if (!exists) return []
  const rows = db.all<OpenServer & { n: number }>('SELECT n, pid, url, since FROM holders ORDER BY n')
  return rows.filter(({ pid }) => isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
