// Several items at once, their results in the order in which the items were taken.

export interface InOrderOptions<Result> {
  /** How many items may be in flight at the same time. */
  concurrency: number
  /** Called before each item is taken; once it returns true, no further item is taken. */
  isStopped: () => boolean
  /** What must happen before a result is yielded; it does not count as in flight. Must not reject. */
  before?: (result: Result) => Promise<void> | undefined
}

/** Results that may wait for a slower one before them. Bounds the memory, and how far a run gets ahead of its consumer. */
const maxWaiting = 1024

/** Results that are yielded at once, at most: between two yields new items are taken. */
const maxYielded = 64

/** An item that was taken. */
interface Entry<Result> {
  /** Set once the work on it has ended. */
  result?: Result
  /** Whether its result may be yielded. */
  isDone: boolean
}

/**
 * Works on items a few at a time and yields the results in the order of the items, several at once where available.
 *
 * Once stopped, items in flight end and are yielded. When the consumer stops early, this waits for the items in flight: no
 * work continues unnoticed. An exception of taking an item or of the work is thrown after the other results.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  { concurrency, isStopped, before }: InOrderOptions<Result>,
): AsyncGenerator<Result[], void, undefined> {
  const source = items[Symbol.iterator]()
  const waiting: Entry<Result>[] = []
  let inFlight = 0
  let isExhausted = false
  let failure: { error: unknown } | undefined
  let wake = () => {}
  // Results that wait for the same promise are released together: one more promise for each would be measurable.
  let gathered: { until: Promise<void>; entries: Entry<Result>[] } | undefined

  try {
    for (;;) {
      while (canTake()) take()
      const results = yieldable()
      if (results.length > 0) yield results
      else if (waiting.length === 0) break
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    if (failure) throw failure.error
  } finally {
    while (inFlight > 0) await new Promise<void>((resolve) => (wake = resolve))
    if (!isExhausted) source.return?.()
  }

  function canTake(): boolean {
    return !isExhausted && inFlight < concurrency && waiting.length < maxWaiting && !isStopped()
  }

  function take(): void {
    try {
      const next = source.next()
      if (next.done) isExhausted = true
      // Stopped while the item was fetched: it is not begun, and remains pending.
      else if (!isStopped()) begin(next.value)
    } catch (error) {
      isExhausted = true
      failure ??= { error }
    }
  }

  function begin(item: Item): void {
    const working = work(item)
    const entry: Entry<Result> = { isDone: false }
    waiting.push(entry)
    inFlight += 1
    void working.then(
      (result) => settle(entry, result),
      (error: unknown) => onFailure(entry, error),
    )
  }

  function settle(entry: Entry<Result>, result: Result): void {
    inFlight -= 1
    entry.result = result
    const until = before?.(result)
    if (until === undefined) entry.isDone = true
    else gather(until, entry)
    wake()
  }

  function onFailure(entry: Entry<Result>, error: unknown): void {
    inFlight -= 1
    isExhausted = true
    failure ??= { error }
    waiting.splice(waiting.indexOf(entry), 1)
    wake()
  }

  function gather(until: Promise<void>, entry: Entry<Result>): void {
    if (gathered?.until !== until) {
      const group = { until, entries: [] as Entry<Result>[] }
      gathered = group
      void until.then(() => {
        for (const one of group.entries) one.isDone = true
        if (gathered === group) gathered = undefined
        wake()
      })
    }
    gathered.entries.push(entry)
  }

  // In input order, although the slowest holds back the others: a diff of two runs must be readable.
  function yieldable(): Result[] {
    let done = 0
    while (done < maxYielded && waiting[done]?.isDone) done += 1
    return waiting.splice(0, done).map(({ result }) => result as Result)
  }
}
