// How many requests a long read may send: it is ended before the first one over the limit.
import { EXIT, PromoError, usageError } from '../../errors.ts'

/** What is limited, in the words of the error. */
export interface LimitedRead {
  /** `the copy`. */
  what: string
  /** What becomes of what was read. */
  kept: string
  /** What reads less, after a comma. */
  less?: string
}

/** Counts the requests of a read, and ends it before the first one over the limit. */
export function requestLimit(most: number, stop: AbortSignal, { what, kept, less = '' }: LimitedRead) {
  const over = new AbortController()
  let sent = 0
  const tooMany = (needed?: number) =>
    usageError(
      `${what} needs ${needed === undefined ? 'more' : `about ${sent + needed} requests, which is more`} than the ${most} of --max-requests; ${kept}`,
      `add --max-requests ${needed === undefined ? Math.max(1_000, most * 2) : sent + needed}${less}`,
    )
  return {
    drain: over.signal,
    sent: () => sent,
    tooMany,
    onSent: () => {
      sent += 1
      if (sent === most) over.abort()
    },
    /** Returns the error of what the limit stopped, and any other as it is. */
    reasonOf: (error: unknown) =>
      over.signal.aborted && !stop.aborted && error instanceof PromoError && error.exitCode === EXIT.interrupted
        ? tooMany()
        : error,
  }
}
