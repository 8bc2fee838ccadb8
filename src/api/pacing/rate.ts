// The rate of requests, as the user writes it.
import { rateForm, rateFrom } from '../../base/rate.ts'
import { usageError } from '../../errors.ts'

/** A number of requests in a number of milliseconds. */
export interface Rate {
  requests: number
  perMs: number
  /** For a part of a rate that is below one request a second for each: when its turn is, by the clock. */
  slot?: { index: number; of: number }
}

/** Reads `10/s`, `100/m` or `5000/h`. Throws `usage` for anything else, zero included. */
export function parseRate(given: string): Rate {
  const rate = rateFrom(given)
  if (rate !== undefined) return rate
  // A number alone is meant a second; what sets the rate, a flag or a profile, has the same name.
  throw usageError(`the rate "${given}" is not ${rateForm}`, rateFrom(`${given}/s`) && `--rate ${given}/s`)
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
