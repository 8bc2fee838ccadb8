// How calls end, as tables: one line per class of calls, with the end when a fault occurs once, and the end when it
// always occurs.
//
// An end is `<outcome> after <attempts> in <time the client waited>`. The random factor is always one half, so the delays
// are 125 and 250 ms, and 500 and 1000 ms for a busy service. Written by hand.
// Source: docs/reliability.md#failure-phases; docs/reliability.md#fault-matrix.
import { type Class, classes } from './retry-table-operations.ts'

/** The end when the fault occurs once, and when it always occurs. */
export type Ends = readonly [once: string, always: string]

/** The ends of every class. */
export type Expected = Readonly<Record<Class, Ends>>

/** The call may have been applied: sent again where that is safe, once more where a duplicate does no harm. */
export const lost = table(`
  read       | confirmed after 2 in 125 ms          | exit 5, ambiguous, after 3 in 375 ms
  key        | confirmed after 2 in 125 ms          | exit 5, ambiguous, after 3 in 375 ms
  idempotent | confirmed after 2 in 125 ms          | exit 5, ambiguous, after 3 in 375 ms
  duplicate  | confirmed after 2 in 125 ms          | exit 5, ambiguous, after 2 in 125 ms
  reconcile  | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  once       | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
`)

/** The same with a service that reports that it is busy. */
export const busy = table(`
  read       | confirmed after 2 in 500 ms          | exit 5, ambiguous, after 3 in 1500 ms
  key        | confirmed after 2 in 500 ms          | exit 5, ambiguous, after 3 in 1500 ms
  idempotent | confirmed after 2 in 500 ms          | exit 5, ambiguous, after 3 in 1500 ms
  duplicate  | confirmed after 2 in 500 ms          | exit 5, ambiguous, after 2 in 500 ms
  reconcile  | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  once       | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
`)

/** Busy, for two seconds as it states. */
export const busyForTwoSeconds = table(`
  read       | confirmed after 2 in 2000 ms         | exit 5, ambiguous, after 3 in 4000 ms
  key        | confirmed after 2 in 2000 ms         | exit 5, ambiguous, after 3 in 4000 ms
  idempotent | confirmed after 2 in 2000 ms         | exit 5, ambiguous, after 3 in 4000 ms
  duplicate  | confirmed after 2 in 2000 ms         | exit 5, ambiguous, after 2 in 2000 ms
  reconcile  | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  once       | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
`)

/** Busy for longer than a command waits. */
export const busyForDays = table(`
  read       | exit 5, ambiguous, after 1 in 0 ms   | exit 5, ambiguous, after 1 in 0 ms
  key        | exit 5, ambiguous, after 1 in 0 ms   | exit 5, ambiguous, after 1 in 0 ms
  idempotent | exit 5, ambiguous, after 1 in 0 ms   | exit 5, ambiguous, after 1 in 0 ms
  duplicate  | exit 5, ambiguous, after 1 in 0 ms   | exit 5, ambiguous, after 1 in 0 ms
  reconcile  | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  once       | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
`)

/** An answer that a retry does not improve. */
export const hopeless = table(`
  read       | exit 3, ambiguous, after 1 in 0 ms   | exit 3, ambiguous, after 1 in 0 ms
  key        | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  idempotent | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  duplicate  | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  reconcile  | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
  once       | exit 6, ambiguous, after 1 in 0 ms   | exit 6, ambiguous, after 1 in 0 ms
`)

/** A correct answer. */
export const fine = table(`
  any class  | confirmed after 1 in 0 ms            | confirmed after 1 in 0 ms
`)

/** Never sent: every class may be sent again. */
export const notSent = table(`
  any class  | confirmed after 2 in 125 ms          | exit 5, not_sent, after 3 in 375 ms
`)

/** Never sent, and the name of the host may be wrong. */
export const notFound = table(`
  any class  | confirmed after 2 in 125 ms          | exit 4, not_sent, after 2 in 125 ms
`)

/** Never sent, because the other side cannot be trusted. */
export const untrusted = table(`
  any class  | exit 4, not_sent, after 1 in 0 ms    | exit 4, not_sent, after 1 in 0 ms
`)

/** The service refused: nothing was applied, and it would refuse again. */
export const refused = table(`
  any class  | exit 3, rejected, after 1 in 0 ms    | exit 3, rejected, after 1 in 0 ms
`)

export const keyRefused = table(`
  any class  | exit 4, rejected, after 1 in 0 ms    | exit 4, rejected, after 1 in 0 ms
`)

/** Throttled: every class may be sent again. */
export const throttled = table(`
  any class  | confirmed after 2 in 500 ms          | exit 5, rejected, after 3 in 1500 ms
`)

export const throttledForTwoSeconds = table(`
  any class  | confirmed after 2 in 2000 ms         | exit 5, rejected, after 3 in 4000 ms
`)

export const throttledForDays = table(`
  any class  | exit 5, rejected, after 1 in 0 ms    | exit 5, rejected, after 1 in 0 ms
`)

/** The service is at another address. */
export const elsewhere = table(`
  any class  | exit 4, ambiguous, after 1 in 0 ms   | exit 4, ambiguous, after 1 in 0 ms
`)

/** Reads a table; throws unless each class has exactly one line. */
function table(text: string): Expected {
  const lines = text.trim().split('\n')
  const rows = lines.map((line) => line.split('|').map((cell) => cell.trim()))
  const ends = rows.flatMap(([name = '', once = '', always = '']) =>
    (name === 'any class' ? classes : [name]).map((one) => [one, [once, always]] as const),
  )
  const found: Partial<Record<string, Ends>> = Object.fromEntries(ends)
  if (ends.length !== classes.length || classes.some((one) => found[one]?.[1] === undefined)) {
    throw new Error(`a class is missing or repeated:\n${text}`)
  }
  return found as Expected
}
