// Seam: when the intent of a row is recorded, and what a refusal after a lost answer leads to.
import * as sound from '../../../../../src/cli/bulk/call-row.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/cli/bulk/call-row.ts'

export const actOf: typeof sound.actOf = (client, call, options) => {
  if (has('refusals are final')) {
    const { proof: _, ...unproved } = call.endpoint
    return sound.actOf(client, { ...call, endpoint: unproved as typeof call.endpoint }, options)
  }
  const act = sound.actOf(client, call, options)
  if (!has('intent before the turn')) return act
  return async (row, abandon, onTurn) => {
    await onTurn()
    return await act(row, abandon, onTurn)
  }
}
