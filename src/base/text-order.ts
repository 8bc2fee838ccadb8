/** Compares texts by their UTF-16 units, for sorting: the same everywhere, unlike an order of words. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
