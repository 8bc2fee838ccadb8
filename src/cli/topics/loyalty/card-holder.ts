// Who holds a loyalty card, and in which tier they are.
import { getCustomer } from '../../../contract/customers.ts'
import { listMemberTiers } from '../../../contract/loyalty-tiers.ts'
import type { Telling } from '../../declared.ts'
import { unlessRefused } from '../../result/unless-refused.ts'

/** Adds the `holder` of a card and their `tier`. Optional: there may be none, and credentials may not read them. */
export function toldHolder({ client, isTable, warn }: Telling): (card: object) => Promise<object> {
  return async (card) => {
    const { code, holder_id } = card as { code?: unknown; holder_id?: unknown }
    if (!isTable || typeof holder_id !== 'string') return {}
    const [holder, tier] = await Promise.all([
      unlessRefused(
        () => client.call(getCustomer, { path: { customerId: holder_id } }),
        ({ message }) => warn(`warning: the holder is not shown: ${message}`),
      ),
      unlessRefused(
        async () => {
          for await (const first of client.items(listMemberTiers, { path: { memberId: String(code) } })) return first
          return undefined
        },
        ({ message }) => warn(`warning: the tier is not shown: ${message}`),
      ),
    ])
    return { holder, tier }
  }
}
