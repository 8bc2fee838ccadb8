// Reads what a job recorded about each row, after its last run.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Recorded } from './oracle.ts'
import type { Workload } from './workload.ts'

/** Gives the recorded outcome of each row of the one job below a folder; throws when there is not exactly one. */
export function recordedBy({ keys, firstLine }: Workload, folder: string): Recorded[] {
  const [file = '', ...others] = globSync(join(folder, 'state/jobs/*.sqlite'))
  if (others.length > 0) throw new Error(`one command line made several jobs: ${[file, ...others].join(', ')}`)
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare('SELECT line, state, changed FROM row LEFT JOIN outcome USING (position) ORDER BY position')
    .all() as unknown as { line: number; state: Recorded['state'] | null; changed: number | null }[]
  database.close()
  return rows.map(({ line, state, changed }) => ({
    key: keys[line - firstLine] ?? `line ${line}`,
    state: state ?? 'pending',
    changed: changed === null ? undefined : changed === 1,
  }))
}
