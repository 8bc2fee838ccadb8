// One code for many: the code that a publication names, or the only ones of a campaign of type STANDALONE, goes to every customer.

import type { Client } from '../../../api/client.ts'
import { formatCount } from '../../../base/numbers.ts'
import { inputError } from '../../../bulk/input/input-error.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { shownValue } from '../../prompt/asked-value.ts'
import { allOf } from '../../result/all-of.ts'
import { tryRead } from '../../result/try-read.ts'

/** The calls that find a shared code. */
export const sharedCodeCalls = [getVoucher, getCampaign, listVouchers] as const

/** Who gets what: the keys of customers, by the code or the campaign that their rows name. */
export type Receivers = ReadonlyMap<string, { of: 'voucher' | 'campaign'; customers: ReadonlySet<string> }>

/** The part of a voucher that says how often it can still be redeemed. */
interface Code {
  code: string
  redemption?: { quantity?: number | null; redeemed_quantity?: number } | null
}

/** Throws `input` where several customers would get a code that cannot be redeemed by all of them. What cannot be read is not judged. */
export async function refuseSharedCodes(client: Client, receivers: Receivers): Promise<void> {
  for (const [name, { of, customers }] of receivers) {
    if (customers.size < 2) continue
    const found = await tryRead(
      async () =>
        of === 'voucher' ? await client.call(getVoucher, { path: { code: name } }) : await codeOf(client, name),
      () => {},
    )
    const { code, redemption } = (found ?? { code: name }) as Code
    if (redemption?.quantity == null) continue
    const left = Math.max(0, redemption.quantity - (redemption.redeemed_quantity ?? 0))
    if (left >= customers.size) continue
    throw inputError(
      `${formatCount(customers.size, 'customer')} would get the code ${shownValue(code)}, which can be redeemed ${left === 1 ? 'once' : `${left} times`}`,
      '--campaign NAME, of a campaign that has a code for each customer',
    )
  }
}

/** The code that everybody gets of a campaign; undefined where each customer gets another. */
async function codeOf(client: Client, campaignId: string): Promise<object | undefined> {
  const { id, type, campaign_type } = (await client.call(getCampaign, { path: { campaignId } })) as Record<
    string,
    unknown
  >
  if (type !== 'STANDALONE' || campaign_type !== 'DISCOUNT_COUPONS') return undefined
  const codes = client.items(listVouchers, { query: { campaign_id: String(id) } }, { limit: 2 })
  const found = await allOf<object>(codes)
  // Of several the service takes the first that can be used.
  return found.length === 1 ? found[0] : undefined
}
