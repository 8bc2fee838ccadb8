// Which customers of a batch hold a referral code: what proves a batch whose answer was lost.
import type { Client } from '../../../api/client.ts'
import { ofMissing } from '../../../api/outcome/call-error.ts'
import { getCustomer } from '../../../contract/customers.ts'
import { listCampaignHolders, listHolders } from '../../../contract/referrals.ts'
import type { ReferralCodePath } from './code.ts'

/**
 * Returns the holder of each customer of a batch, in their order; undefined for one who does not hold the code, owns it, or
 * is named by two rows. Throws what reading throws.
 */
export async function foundHolders(
  client: Client,
  { memberId, campaignId }: ReferralCodePath,
  customers: readonly { id?: string; source_id?: string }[],
): Promise<unknown[]> {
  const held = new Map<string, unknown>()
  const listed =
    campaignId === undefined
      ? client.items(listHolders, { path: { memberId } })
      : client.items(listCampaignHolders, { path: { memberId, campaignId } })
  for await (const holder of listed) {
    const { customer_id, holder_role = 'REFEREE' } = holder as { customer_id: string; holder_role?: string }
    if (holder_role === 'REFEREE') held.set(customer_id, holder)
  }
  const ids: (string | undefined)[] = []
  for (const customer of customers) ids.push(await idOf(client, customer))
  return ids.map((id, at) =>
    id === undefined || ids.indexOf(id) !== at || ids.lastIndexOf(id) !== at ? undefined : held.get(id),
  )
}

async function idOf(
  client: Client,
  { id, source_id }: { id?: string; source_id?: string },
): Promise<string | undefined> {
  const path = { customerId: id ?? source_id ?? '' }
  return (await client.call(getCustomer, { path }).catch(ofMissing))?.id ?? undefined
}
