// The rules for a code, id or name in a request path, and what looks like a mistake.
// Source: docs/reliability.md#paths.

const maxCharacters = 1024

// ASSUMED A451: only the control characters that break lines, columns and C strings are refused; an escape sequence or a
// backspace is data that is sent unchanged and shown escaped (docs/reliability.md#paths).
const breaking = /[\0\t\n\r]/

// ASSUMED A490: no flag loosens these checks or turns a warning into a refusal; a code that is refused here can still be
// acted on by its id.
const leftovers = /^(?:undefined|null|NaN|\[object Object\])$|\$\{[^}]*\}|\{\{[^}]*\}\}/

/**
 * Returns in words why a text cannot be a key, or undefined when it can.
 *
 * `.` and `..` are refused because URL normalisation would reach another call: disabling `.` would create a voucher
 * named `disable`. The length is counted in code points.
 */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'is empty'
  if (breaking.test(key)) return 'contains a tab, a line break or a NUL'
  const trimmed = key.trim()
  if (trimmed === '') return 'is only white space'
  if (trimmed !== key) return 'has white space around it; remove it from the input'
  if (key === '.' || key === '..') return 'is a path step, which would change the address of the call'
  if (!key.isWellFormed()) return 'contains half of a surrogate pair, which no request can carry'
  if (key.length > maxCharacters && Array.from(key).length > maxCharacters) {
    return `is longer than ${maxCharacters} characters`
  }
  return undefined
}

/** Returns in words what is suspicious about an accepted key: it looks like a template that was not filled in. */
export function keyWarning(key: string): string | undefined {
  return leftovers.test(key) ? 'looks like a template that was not filled in' : undefined
}
