// Seam: the proof in an answer.
import * as sound from '../../../../../src/api/outcome/outcome.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/api/outcome/outcome.ts'

export const verdictOf: typeof sound.verdictOf = async (asked, result) => {
  const verdict = await sound.verdictOf(asked, result)
  const isDoubted = verdict.cause === 'unreadable' && verdict.status === 200
  return has('any 200 is a success') && isDoubted ? { ...verdict, phase: 'confirmed', cause: 'confirmed' } : verdict
}
