// How deeply objects and arrays may nest.

/** The levels of nesting that a body, an answer or a row may have: `JSON.stringify` overflows near 10,000. */
export const deepestNesting = 64

/** Says whether a value has more than the given number of levels of objects and arrays. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  return typeof value === 'object' && value !== null && nestsDeeper(value, levels)
}

// Every answer passes through here: lists of members, or a call for each plain value, would be most of its garbage.
function nestsDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true
    return false
  }
  for (const name in value) {
    const member: unknown = value[name as keyof typeof value]
    if (typeof member === 'object' && member !== null && nestsDeeper(member, levels - 1)) return true
  }
  return false
}
