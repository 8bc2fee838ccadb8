// Seam: by which dates a pull reads a table again.
import * as sound from '../../../../src/ledger/lists.ts'
import { has } from '../../seeded-bug.ts'

export * from '../../../../src/ledger/lists.ts'

export const datesOf: typeof sound.datesOf = (table) =>
  has('changes are not pulled') ? ['created_at'] : sound.datesOf(table)
