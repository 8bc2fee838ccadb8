// Patterns of calls, for faults and for the log: `POST /v1/redemptions`, `* /v1/vouchers/*`, `GET /v1/**`. No regular expressions:
// a pattern is compared step by step, in linear time.
import { nearest } from '../../base/nearest.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { nextSteps, SandboxError } from '../sandbox-error.ts'

/** Returns whether a request is one of a pattern; `path` is as it was sent, without the query. */
export type CallTest = (method: string, path: string) => boolean

const methods = ['GET', 'POST', 'PUT', 'DELETE', '*']

/**
 * Reads a pattern: a method or `*`, a space, and a path in which `*` and `{name}` stand for one step, and `**` at the end for
 * all that follow. Any other step may be percent-encoded, as in a request, or as it is read.
 *
 * Throws SandboxError `bad-control` for what is none, and for one that no call in `served` can match.
 */
export function callTest(pattern: string, served: readonly Pick<Endpoint, 'method' | 'path'>[]): CallTest {
  const [, method = '', path = ''] = /^([A-Z]+|\*) (\/[^?#\p{Cc}]{0,500})$/u.exec(pattern) ?? []
  if (!methods.includes(method)) throw badPattern(pattern, 'is not a call')
  const steps = path.split('/').slice(1)
  const isServed = served.some(
    (call) => (method === '*' || method === call.method) && fits(steps, call.path.split('/').slice(1), isFree),
  )
  if (!isServed) throw badPattern(pattern, 'is no call that the sandbox serves', meant(`${method} ${path}`, served))
  return (asked, askedPath) => (method === '*' || method === asked) && fits(steps, askedPath.split('/').slice(1))
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

function isFree(step: string): boolean {
  return step === '*' || /^\{.+\}$/.test(step)
}

/** `isAny` says which steps of the other side stand for anything too. */
function fits(steps: readonly string[], other: readonly string[], isAny = (_step: string) => false): boolean {
  const isOpen = steps.at(-1) === '**'
  const own = isOpen ? steps.slice(0, -1) : steps
  if (isOpen ? other.length < own.length : other.length !== own.length) return false
  return own.every(
    (step, at) => isFree(step) || decodeStep(step) === decodeStep(other[at] ?? '') || isAny(other[at] ?? ''),
  )
}

function meant(asked: string, served: readonly Pick<Endpoint, 'method' | 'path'>[]): string | undefined {
  return nearest(
    asked,
    served.map(({ method, path }) => `${method} ${path}`),
  )
}

function badPattern(pattern: string, problem: string, meantOne?: string): SandboxError {
  const guess = meantOne === undefined ? '' : `; did you mean "${meantOne}"?`
  return new SandboxError('bad-control', `"${pattern}" ${problem}${guess}`, {
    hint: nextSteps.writePattern,
  })
}
