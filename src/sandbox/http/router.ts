// Matches requests to routes by the paths that the contract declares.
import { type UnservedCall, unservedCalls } from '../../contract/unserved.ts'
import { frameworkRefusal, Refusal } from './refusal.ts'
import type { Route } from './route.ts'

/** A matching route, with its path parameters decoded. */
export interface Match {
  route: Route
  path: Record<string, string>
}

/** Returns the route for a method and a raw (still encoded) path. Throws 404, 405 with `Allow`, 400 for bad encoding. */
export type Router = (method: string, path: string) => Match

interface Pattern {
  method: string
  steps: string[]
  /** The places of the fixed steps, from the end: the last one tells most patterns of a resource apart. */
  fixed: number[]
  /** A route, or a published call that is not served. */
  target: Route | UnservedCall
}

/**
 * Builds a router. Of two matching paths, the one with fixed text further left wins (`/v1/campaigns/qualification`); so a
 * published call that is not served is refused under its own path, and `POST /v1/vouchers/import` makes no code `import`.
 */
export function routerOf(routes: readonly Route[]): Router {
  const served: Pattern[] = routes.map((route) => ({ ...patternOf(route.endpoint), target: route }))
  const names = new Set(served.map(nameOf))
  const unserved: Pattern[] = unservedCalls.map((call) => ({ ...patternOf(call), target: call }))
  const all = [...served, ...unserved.filter((call) => !names.has(nameOf(call)))]
  // The second step of a path is never a parameter.
  const groups = Map.groupBy(all, ({ steps }) => groupOf(steps))
  for (const patterns of groups.values()) patterns.sort(compareFixedFirst)

  return (method, path) => {
    const steps = path.split('/').slice(1)
    const group = groups.get(groupOf(steps)) ?? []
    const found = group.find((pattern) => pattern.method === method && fits(pattern, steps))
    if (found) {
      const { target } = found
      if (!isRoute(target)) throw notFoundHere(`The sandbox does not serve ${target.method} ${path}: ${target.why}`)
      return { route: target, path: parametersOf(found.steps, steps) }
    }
    const allowed = group.filter((pattern) => isRoute(pattern.target) && fits(pattern, steps))
    if (allowed.length > 0) throw methodNotAllowed(allowed)
    throw unknownPath(routes, method, path)
  }
}

/** Patterns of other groups than a path's do not fit it. */
function groupOf(steps: readonly string[]): string {
  return `${steps.length} ${steps[1]}`
}

function isRoute(target: Pattern['target']): target is Route {
  return 'endpoint' in target
}

function patternOf({ method, path }: { method: string; path: string }) {
  const steps = path.split('/').slice(1)
  const fixed = steps.flatMap((step, index) => (isParameter(step) ? [] : [index])).toReversed()
  return { method, steps, fixed }
}

/** The method and the path of a pattern, whatever its parameters are called. */
function nameOf({ method, steps }: Pick<Pattern, 'method' | 'steps'>): string {
  return `${method} ${steps.map((step) => (isParameter(step) ? '{}' : step)).join('/')}`
}

/** A name in braces matches exactly one non-empty segment; a slash in a value arrives as %2F and stays in it. */
function fits({ steps: own, fixed }: Pattern, steps: readonly string[]): boolean {
  return fixed.every((index) => own[index] === steps[index]) && !steps.includes('')
}

function compareFixedFirst(a: Pattern, b: Pattern): number {
  for (const [index, step] of a.steps.entries()) {
    const difference = Number(isParameter(step)) - Number(isParameter(b.steps[index] ?? ''))
    if (difference !== 0) return difference
  }
  return 0
}

function isParameter(step: string): boolean {
  return step.startsWith('{')
}

function parametersOf(pattern: readonly string[], steps: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [index, step] of pattern.entries())
    if (isParameter(step)) values[step.slice(1, -1)] = decodeSegment(steps[index] ?? '')
  return values
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw frameworkRefusal(400, 'Bad Request', 'Invalid path: a segment is not percent-encoded UTF-8')
  }
}

function methodNotAllowed(fitting: readonly Pattern[]): Refusal {
  const allow = [...new Set(fitting.map((pattern) => pattern.method))].sort().join(', ')
  return new Refusal(
    // ASSUMED A123: the key of a 405; published are the status and that the details hint at the allowed methods.
    {
      code: 405,
      key: 'method_not_allowed',
      message: 'Method not allowed',
      details: `Allowed methods: ${allow}`,
    },
    { allow },
  )
}

/** Names the served calls of the requested path's family, or else every family, so that a missing call explains itself. */
function unknownPath(routes: readonly Route[], method: string, path: string): Refusal {
  const family = familyOf(path)
  const served = routes.map(({ endpoint }) => endpoint)
  const near = served.filter((endpoint) => familyOf(endpoint.path) === family)
  const listed =
    near.length > 0
      ? near.map((endpoint) => `${endpoint.method} ${endpoint.path}`)
      : [...new Set(served.map((endpoint) => familyOf(endpoint.path)))]
  return notFoundHere(`The sandbox does not serve ${method} ${path}. It serves: ${listed.sort().join(', ')}`)
}

function notFoundHere(details: string): Refusal {
  return new Refusal({ code: 404, key: 'not_found', message: 'Resource not found', details })
}

function familyOf(path: string): string {
  const steps = path.split('/')
  return steps.slice(0, steps[1] === 'management' ? 6 : 3).join('/')
}
