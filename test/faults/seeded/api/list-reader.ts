// Seam: how a page is compared with the total of its own answer.
import * as sound from '../../../../src/api/list-reader.ts'
import { has } from '../../seeded-bug.ts'

export * from '../../../../src/api/list-reader.ts'

export const describeMiscount: typeof sound.describeMiscount = (...given) =>
  has('totals are not compared') ? undefined : sound.describeMiscount(...given)
