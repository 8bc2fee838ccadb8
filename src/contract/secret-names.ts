// Which members of a call hold secrets, by their names, and how a call is shown without them: by the client, and in the request
// log of the embedded service.
import { isRawNumber } from '../base/lossless-json.ts'

/** What is shown instead of a secret. */
export const hidden = '[redacted]'

const secretName = /token|secret|password|authorization|signature|credential|api[_-]?key/i

/** Returns path and query; the values of parameters that are named like secrets are hidden. */
export function shownTarget(target: string): string {
  const [path = '', query] = target.split('?', 2)
  if (query === undefined) return path
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1)
    return secretName.test(name) ? `${name}=${hidden}` : pair
  })
  return `${path}?${pairs.join('&')}`
}

/**
 * Returns a copy of a body in which members that are named like secrets are hidden, at every depth: texts, and for what is kept
 * (`isStrict`) numbers and lists, too.
 */
export function shownBody(value: unknown, isStrict = false): unknown {
  if (Array.isArray(value)) return value.map((one) => shownBody(one, isStrict))
  // A number that is kept as its text (base/lossless-json.ts) is an object, and would lose the mark that makes it print as a number.
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      // `token_type` names a kind of secret; objects are searched, not hidden: the definition of a member is one.
      const isSecret =
        secretName.test(name) && name !== 'token_type' && (isStrict ? isValue(member) : typeof member === 'string')
      return [name, isSecret ? hidden : shownBody(member, isStrict)]
    }),
  )
}

function isValue(member: unknown): boolean {
  return Array.isArray(member) || typeof member === 'string' || typeof member === 'number' || isRawNumber(member)
}

/** Returns the values of a body's members that are named like secrets. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && secretName.test(name) ? [member] : secretsIn(member),
  )
}
