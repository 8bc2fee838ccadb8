/** Looks each key up once and keeps the result, also a missing one. */
export function memoize<Value>(look: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, look(key))
    return known.get(key) as Value
  }
}

/** Likewise for objects, for as long as they exist. */
export function memoizeFor<Key extends object, Value>(look: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, look(key))
    return known.get(key) as Value
  }
}
