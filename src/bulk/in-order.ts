// Several things at once, their results in the order in which they were taken.

export interface InOrderOptions<Result> {
  /** How many may be worked on at the same time. */
  concurrency: number
  /** Asked before each item is taken; once it says so, no further item is taken. */
  isStopped: () => boolean
  /** What must happen before a result is given; it takes no place among those worked on. Must not reject. */
  before?: (result: Result) => Promise<void> | undefined
}

/** Results that may wait for a slower one before them. Bounds the memory, and how far a run gets ahead of its reader. */
const maxWaiting = 1024

/**
 * Works on items a few at a time and gives the results in the order of the items.
 *
 * Once stopped, what is in flight ends and is given. When the consumer stops early, what is in flight is waited for, so that
 * nothing goes on behind its back. What taking an item or the work throws is thrown after the other results.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  { concurrency, isStopped, before }: InOrderOptions<Result>,
): AsyncGenerator<Result, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const waiting: { done?: { result: Result } }[] = []
  let inFlight = 0
  let isExhausted = false
  let failure: { error: unknown } | undefined
  let settled = Promise.withResolvers<void>()

  try {
    for (;;) {
      while (canTake()) await take()
      const [head] = waiting
      if (!head) break
      // In input order, though the slowest holds back the others: a diff of two runs must be readable.
      if (head.done) {
        waiting.shift()
        yield head.done.result
      } else await settled.promise
    }
    if (failure) throw failure.error
  } finally {
    while (inFlight > 0) await settled.promise
    if (!isExhausted) await source.return?.()
  }

  function canTake(): boolean {
    return !isExhausted && inFlight < concurrency && waiting.length < maxWaiting && !isStopped()
  }

  async function take(): Promise<void> {
    try {
      const next = await source.next()
      if (next.done) isExhausted = true
      // Stopped while the item was fetched: it was not begun, so it stays to be done.
      else if (!isStopped()) begin(next.value)
    } catch (error) {
      isExhausted = true
      failure ??= { error }
    }
  }

  function begin(item: Item): void {
    const entry: { done?: { result: Result } } = {}
    waiting.push(entry)
    inFlight += 1
    work(item)
      .then((result) => {
        const wait = before?.(result)
        if (wait === undefined) entry.done = { result }
        else void wait.then(() => ready(entry, result))
      })
      .catch((error: unknown) => {
        isExhausted = true
        failure ??= { error }
        waiting.splice(waiting.indexOf(entry), 1)
      })
      .finally(() => {
        inFlight -= 1
        wake()
      })
  }

  function ready(entry: { done?: { result: Result } }, result: Result): void {
    entry.done = { result }
    wake()
  }

  function wake(): void {
    const waiters = settled
    settled = Promise.withResolvers<void>()
    waiters.resolve()
  }
}
