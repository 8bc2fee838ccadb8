// Seam: what a taken code proves after a lost answer.
import * as sound from '../../../../src/writes/prove-object.ts'
import { has } from '../../seeded-bug.ts'

export * from '../../../../src/writes/prove-object.ts'

export const provedByObject: typeof sound.provedByObject = async (...given) => {
  const verdict = await sound.provedByObject(...given)
  return has('a taken code is ours') ? { state: 'ok_inferred' } : verdict
}
