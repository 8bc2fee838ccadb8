// The tables of all calls in docs/sandbox.md: what the embedded service serves, and what it refuses.
import { unservedCalls } from '../src/contract/unserved.ts'
import { resources } from '../src/sandbox/resources.ts'

interface Call {
  method: string
  path: string
}

/** Returns the paths that are served, with their methods, by resource; then the published calls that are refused, with the reason. */
export function callTable(): string {
  const calls = resources.flatMap(({ routes }) => routes ?? []).map(({ endpoint }) => endpoint)
  const served = [...Map.groupBy(calls.toSorted(byPlace), resourceOf)].map(
    ([resource, own]) => `| ${resource} | ${pathsOf(own).join('<br>')} |`,
  )
  const refused = unservedCalls.toSorted(byPlace).map(({ method, path, why }) => `| \`${method} ${path}\` | ${why} |`)
  return [
    '| Resource | Calls |',
    '|---|---|',
    ...served,
    '',
    'These are published, but need something that the sandbox leaves out. They get a 404 that names the reason.',
    '',
    '| Call | Why not |',
    '|---|---|',
    ...refused,
  ].join('\n')
}

function pathsOf(calls: readonly Call[]): string[] {
  return [...Map.groupBy(calls, ({ path }) => path)].map(
    ([path, all]) => `\`${path}\` ${all.map(({ method }) => method).join(', ')}`,
  )
}

/** The paths of a resource stand together, the methods of a path in the order in which objects live. */
function byPlace(one: Call, other: Call): number {
  return keyOf(one) < keyOf(other) ? -1 : 1
}

function keyOf({ method, path }: Call): string {
  const order = ['POST', 'GET', 'PUT', 'DELETE'].indexOf(method)
  return `${resourceOf({ path })} ${path.replaceAll('{', '~')} ${order}`
}

/** Returns the segment of a path that names its resource, with the API it belongs to unless that is the main one. */
function resourceOf({ path }: Pick<Call, 'path'>): string {
  const [, first = '', ...rest] = path.split('/')
  const fixed = rest.filter((step) => !step.startsWith('{') && step !== 'v1')
  if (first === 'management') return `management: ${fixed.slice(0, 2).at(-1) ?? ''}`
  return first === 'v1' ? (fixed[0] ?? '') : `${first}: ${fixed[0] ?? ''}`
}
