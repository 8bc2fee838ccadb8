/** Asks once for each key and remembers the answer, also when there is none. */
export function remembered<Value>(look: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    if (!known.has(key)) known.set(key, look(key))
    return known.get(key) as Value
  }
}
