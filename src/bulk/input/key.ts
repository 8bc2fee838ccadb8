// The rules for a code, id or name in a request path, and what looks like a mistake.
// Source: docs/reliability.md#paths.
import { breaksLines, isTooLong, unseen } from '../../base/path-key.ts'
import { ruinOf } from '../../base/spreadsheet-shapes.ts'

// ASSUMED A490: no flag loosens these checks or turns a warning into a refusal; a code that is refused here can still be
// acted on by its id.
const suspicions: readonly (readonly [looks: RegExp, like: string])[] = [
  [
    /^(?:undefined|null|NaN|\[object Object\])$|\$\{[^}]*\}|\{\{[^}]*\}\}/,
    'looks like a template that was not filled in',
  ],
  [unseen, 'contains an invisible character or a no-break space, as copied texts do; type the code again'],
]

/**
 * Returns in words why a text cannot be a key, or undefined when it can.
 *
 * `.` and `..` are refused because URL normalisation would reach another call: disabling `.` would create a voucher
 * named `disable`. The length is counted in code points.
 */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'is empty'
  if (breaksLines(key)) return 'contains a tab, a line break or a NUL'
  const trimmed = key.trim()
  if (trimmed === '') return 'is only white space'
  if (trimmed !== key) return 'has white space around it; remove it from the input'
  if (key === '.' || key === '..') return 'is a path step, which would change the address of the call'
  if (!key.isWellFormed()) return 'contains half of a surrogate pair, which no request can carry'
  return isTooLong(key) ? 'is longer than 1,024 characters' : undefined
}

/** Returns in words what is suspicious about an accepted key: a template or a spreadsheet may have made it of another. */
export function keyWarning(key: string): string | undefined {
  return suspicions.find(([looks]) => looks.test(key))?.[1] ?? ruinOf(key, true)
}
