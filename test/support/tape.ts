// The tape: what every command line of a test run sent, printed and left in the history, with times and ids made stable.
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import type { SentRequest } from './sent-requests.ts'

/** The folder where a recording is made; undefined: none is. */
const folder = process.env.TAPE

/** Returns what completes the record of a command line; undefined when nothing is recorded. */
export function startRecord(argv: readonly string[], state: string | undefined) {
  if (folder === undefined) return undefined
  const known = historyIn(state).length
  const { testPath = '', currentTestName = '' } = expect.getState()
  return (ran: { exitCode: number; stdout: string; stderr: string }, sent: readonly SentRequest[]) => {
    const requests = sent.map(({ method, path, query = '', body = '' }) => stable(`${method} ${path}${query} ${body}`))
    const record = {
      at: `${testPath.slice(testPath.indexOf('/test/') + 1)} > ${currentTestName}`,
      argv: stable(argv.join(' ')),
      exitCode: ran.exitCode,
      // Rows that are in flight together leave in any order.
      requests: requests.length > 3 ? requests.toSorted() : requests,
      stdout: stable(ran.stdout).split('\n'),
      stderr: stable(ran.stderr).split('\n'),
      history: historyIn(state).slice(known).map(stable).toSorted(),
    }
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(record)}\n`)
  }
}

function historyIn(state: string | undefined): string[] {
  if (state === undefined || !existsSync(state)) return []
  const files = globSync('history/*.jsonl', { cwd: state }).toSorted()
  return files.flatMap((file) => readFileSync(join(state, file), 'utf8').trimEnd().split('\n'))
}

const changing: readonly [RegExp, string][] = [
  [/\/(?:tmp|dev\/shm)\/[\w./-]*promo-[\w-]+/g, '<folder>'],
  [/\/(?:tmp|dev\/shm)\/[\w.-]+/g, '<temporary>'],
  [/(?<=(?:127\.0\.0\.1|localhost|\[::1\]):)\d+/g, '<port>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\b((?:[a-z]+_)+)[0-9a-f]{12,}\b/g, '$1<id>'],
  [/\b[0-9a-f]{12,}\b/g, '<hex>'],
  [/\b[0-9a-z]{8}-\d+-[0-9a-z]{8}\b/g, '<change>'],
  [/\b20\d{6}-[0-9a-z]{6}\b/g, '<job>'],
  [/\b(?=[\w+/-]*\d)(?=[\w+/-]*[A-Z])(?=[\w+/-]*[a-z])[\w+/-]{20,}={0,2}/g, '<token>'],
  [/\b([A-Z]+-)[0-9A-Z]{8}\b/g, '$1<code>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|µs)\b|\b\d+\/s\b/g, '<duration>'],
  [/(processing_time\W+)\d+/g, '$1<duration>'],
]

/** Returns a text without what differs from one run to the next. */
function stable(text: string): string {
  return changing.reduce((rest, [what, by]) => rest.replaceAll(what, by), stripVTControlCharacters(text))
}
