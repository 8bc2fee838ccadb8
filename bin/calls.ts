// The table of every call in docs/sandbox.md: what the embedded service serves, and what it leaves out.
import { unservedCalls } from '../src/contract/unserved.ts'
import { resources } from '../src/sandbox/resources.ts'

interface Row {
  method: string
  path: string
  state: string
  /** What the call does, or why it is not served. */
  note: string
}

/** Returns the table of all calls, by resource and path. */
export function callTable(): string {
  const served: Row[] = resources
    .flatMap(({ routes }) => routes ?? [])
    .map(({ endpoint: { method, path, summary } }) => ({ method, path, state: 'served', note: summary }))
  const unserved: Row[] = unservedCalls.map(({ method, path, why }) => ({ method, path, state: 'refused', note: why }))
  const rows = [...served, ...unserved].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return ['| Resource | Call | State | What it does, or why not |', '|---|---|---|---|']
    .concat(rows.map((row) => `| ${resourceOf(row)} | \`${row.method} ${row.path}\` | ${row.state} | ${row.note} |`))
    .join('\n')
}

/** Rows of a resource stand together, the calls of a path in the order in which objects live. */
function keyOf({ method, path }: Row): string {
  const order = ['POST', 'GET', 'PUT', 'DELETE'].indexOf(method)
  return `${resourceOf({ path })} ${path.replaceAll('{', '~')} ${order}`
}

/** Returns the segment of a path that names its resource, with the API it belongs to unless that is the main one. */
function resourceOf({ path }: Pick<Row, 'path'>): string {
  const [, first = '', ...rest] = path.split('/')
  const fixed = rest.filter((step) => !step.startsWith('{') && step !== 'v1')
  if (first === 'management') return `management: ${fixed.slice(0, 2).at(-1) ?? ''}`
  return first === 'v1' ? (fixed[0] ?? '') : `${first}: ${fixed[0] ?? ''}`
}
