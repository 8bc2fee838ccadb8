// Seam: what a taken code proves after a lost answer.
import * as sound from '../../../../../../src/cli/topics/vouchers/created.ts'
import { has } from '../../../../seeded-bug.ts'

export * from '../../../../../../src/cli/topics/vouchers/created.ts'

export const inferredCreation: typeof sound.inferredCreation = async (...given) => {
  const verdict = await sound.inferredCreation(...given)
  return has('a taken code is ours') ? { state: 'ok_inferred' } : verdict
}
