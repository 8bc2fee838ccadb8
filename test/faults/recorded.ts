// Reads what a job recorded about each row, as an operator does: `promo jobs list` and `promo jobs report`.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bin } from '../support/child.ts'
import { changesIn } from '../support/journals.ts'
import type { Recorded } from './oracle.ts'
import type { Workload } from './workload.ts'

interface ReportRow {
  promo_line: number
  promo_state: Recorded['state']
}

/** Returns the recorded outcome of each row of the only job in `env`, or in a place; throws unless there is exactly one. */
export async function recordedBy(
  { keys, firstLine }: Workload,
  env: NodeJS.ProcessEnv,
  place: readonly string[] = [],
): Promise<Recorded[]> {
  const [job, ...others] = await linesOf<{ id: string; path: string }>(['jobs', 'list', ...place], env)
  if (job === undefined || others.length > 0)
    throw new Error(`one command line made ${others.length + 1} jobs, or none`)
  const rows = await linesOf<ReportRow>(['jobs', 'report', place.at(-1) ?? job.id], env)
  const changes = changesIn(job.path)
  return rows.map(({ promo_line: line, promo_state: state }) => {
    return { key: keys[line - firstLine] ?? `line ${line}`, state, changed: changes.get(line) }
  })
}

async function linesOf<Line>(argv: string[], env: NodeJS.ProcessEnv): Promise<Line[]> {
  const command = [bin, ...argv, '--jsonl']
  const { stdout } = await promisify(execFile)(process.execPath, command, { env, maxBuffer: 2 ** 28 })
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}
