// Seam: what proves that a call changed a voucher.
import * as sound from '../../../../../../src/cli/topics/vouchers/changed.ts'
import { has } from '../../../../seeded-bug.ts'

export * from '../../../../../../src/cli/topics/vouchers/changed.ts'

export const proofOfChange: typeof sound.proofOfChange = (client, row, certain) => {
  if (!has('clocks are trusted')) return sound.proofOfChange(client, row, certain)
  return {
    before: async () => Date.now(),
    changed(exchange, before) {
      const { updated_at } = ('answer' in exchange ? exchange.answer : {}) as { updated_at?: unknown }
      return typeof updated_at === 'string' && Date.parse(updated_at) >= Number(before)
    },
  }
}
