// Seam: the proof in an answer.
import * as sound from '../../../../../src/api/outcome/outcome.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/api/outcome/outcome.ts'

const isAboutAnother = /^the answer is about another/

export const verdictOf: typeof sound.verdictOf = async (asked, result) => {
  const verdict = await sound.verdictOf(asked, result)
  const isDoubted = verdict.cause === 'unreadable' && verdict.status === 200
  const isTrusted =
    has('any 200 is a success') || (has('any answer is about the row') && isAboutAnother.test(verdict.reason))
  return isTrusted && isDoubted ? { ...verdict, phase: 'confirmed', cause: 'confirmed' } : verdict
}
