// The rate of requests, as the user writes it.
import { usageError } from '../../errors.ts'

/** A number of requests in a number of milliseconds. */
export interface Rate {
  requests: number
  perMs: number
  /** For a part of a rate that is below one request a second for each: when its turn is, by the clock. */
  slot?: { index: number; of: number }
}

const units = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** Reads `10/s`, `100/m` or `5000/h`. Throws `usage` for anything else, zero included. */
export function parseRate(given: string): Rate {
  const [, count = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)\/([smh])$/.exec(given) ?? []
  const requests = Number(count)
  if (requests > 0) return { requests, perMs: units[unit as keyof typeof units] }
  throw usageError(`the rate "${given}" is not like 10/s or 100/m`)
}

/**
 * Returns the part of a rate that one of several processes keeps to, so that no second sees more than the rate from all.
 *
 * Whole requests of a second are dealt out; where there are fewer of them than processes, these take turns, one request
 * each, by the clocks of their computers.
 */
export function shareOf({ requests, perMs }: Rate, { index, of }: { index: number; of: number }): Rate {
  const perSecond = Math.floor((requests / perMs) * 1000 + 1e-9)
  if (perSecond < of) return { requests: requests / of, perMs, slot: { index, of } }
  const dealt = Math.floor(perSecond / of) + (index < perSecond % of ? 1 : 0)
  return { requests: (requests * dealt) / perSecond, perMs }
}
