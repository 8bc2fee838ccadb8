// What lists are added up and sorted by.

/** Adds up one number per item. */
export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** Compares texts by their UTF-16 units, for sorting: the same everywhere, unlike an order of words. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
