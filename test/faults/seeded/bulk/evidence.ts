// Seam: which evidence several rows share.
import * as sound from '../../../../src/bulk/evidence.ts'
import { has } from '../../seeded-bug.ts'

export * from '../../../../src/bulk/evidence.ts'

export const isShared: typeof sound.isShared = (...given) => !has('equal evidence proves') && sound.isShared(...given)
