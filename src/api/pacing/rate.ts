// The rate of requests, as the user writes it.
import { usageError } from '../../errors.ts'

/** A number of requests in a number of milliseconds. */
export interface Rate {
  requests: number
  perMs: number
}

const units = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** Reads `10/s`, `100/m` or `5000/h`. Throws `usage` for anything else, zero included. */
export function parseRate(given: string): Rate {
  const [, count = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)\/([smh])$/.exec(given) ?? []
  const requests = Number(count)
  if (requests > 0) return { requests, perMs: units[unit as keyof typeof units] }
  throw usageError(`the rate "${given}" is not like 10/s or 100/m`)
}
