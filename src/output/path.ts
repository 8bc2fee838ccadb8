// Dotted paths into an object of the service.

/**
 * Returns the value at a dotted path, or undefined when there is none.
 *
 * Members whose names contain dots are found too (`metadata.shop.eu`). Only own members count, so that `constructor` is
 * a field like any other.
 */
export function valueAt(object: unknown, path: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined
  if (Object.hasOwn(object, path)) return (object as Record<string, unknown>)[path]
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot)
    if (!Object.hasOwn(object, head)) continue
    const found = valueAt((object as Record<string, unknown>)[head], path.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the paths of an object's leaves, in its own order: values that are not objects, empty objects, and arrays. */
export function leafPaths(object: object, isLeaf: (value: unknown) => boolean, prefix = ''): string[] {
  return Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const path = `${prefix}${name}`
    const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value) && !isLeaf(value)
    return isBranch && Object.keys(value).length > 0 ? leafPaths(value, isLeaf, `${path}.`) : [path]
  })
}
