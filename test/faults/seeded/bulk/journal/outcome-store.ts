// Seam: how rows that a killed run left in flight are treated.
import * as sound from '../../../../../src/bulk/journal/outcome-store.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/bulk/journal/outcome-store.ts'

export const outcomesIn: typeof sound.outcomesIn = (database) => {
  const store = sound.outcomesIn(database)
  return has('open rows stay open') ? { ...store, settleOpen() {} } : store
}
