// Seam: how many requests a second may have.
import * as sound from '../../../../../src/api/pacing/limiter.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/api/pacing/limiter.ts'

export const createLimiter: typeof sound.createLimiter = (rate, ...rest) => {
  const isRaised = rate !== undefined && has('one request a second too many')
  return sound.createLimiter(isRaised ? { ...rate, requests: rate.requests + rate.perMs / 1000 } : rate, ...rest)
}
