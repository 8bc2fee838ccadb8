/** Reads everything, of what is short enough to be held. */
export async function allOf<Item = unknown>(items: AsyncIterable<object>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item as Item)
  return all
}
