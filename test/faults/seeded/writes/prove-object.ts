// Seam: what a taken code proves after a lost answer.
import * as sound from '../../../../src/writes/prove-object.ts'
import { has } from '../../seeded-bug.ts'

export * from '../../../../src/writes/prove-object.ts'

export const seenObject: typeof sound.seenObject = async (...given) => {
  const seen = await sound.seenObject(...given)
  return has('a taken code is ours') ? { is: 'as-asked' } : seen
}
