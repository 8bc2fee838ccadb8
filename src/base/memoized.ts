/** Looks each key up once and keeps the result, also a missing one. */
export function memoize<Value>(look: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, look(key))
    return known.get(key) as Value
  }
}
