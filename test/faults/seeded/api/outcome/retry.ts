// Seam: which calls may be sent again after a lost answer.
import * as sound from '../../../../../src/api/outcome/retry.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/api/outcome/retry.ts'

const isBroken = has('everything is repeatable')

export const decide: typeof sound.decide = (situation) =>
  sound.decide(isBroken && !sound.isRepeatable(situation.repeat) ? { ...situation, repeat: 'idempotent' } : situation)

export const isRepeatable: typeof sound.isRepeatable = (repeat) => isBroken || sound.isRepeatable(repeat)
