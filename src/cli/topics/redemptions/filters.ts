// How redemptions are chosen: the filters of their list, which choose the rows of a rollback, too.
import type { Client } from '../../../api/client.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import { getOrder } from '../../../contract/orders.ts'
import { listRedemptions } from '../../../contract/redemptions.ts'
import { listFilters } from '../../declared/list.ts'
import { filtersFrom } from '../../flags/filters.ts'
import { choiceFlag, repeatable, textFlag } from '../../flags/kinds.ts'
import { orderFlag } from '../../flags/order.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../request/customers/flag.ts'
import { namedCampaign, namedVoucher } from '../../result/named.ts'

/** The filters of redemptions. */
export const redemptionFilters = listFilters({
  calls: [listRedemptions, getCampaign, getOrder, ...customerCalls],
  named: { voucher: namedVoucher, campaign: namedCampaign, customer: namedCustomer },
  flags: {
    result: choiceFlag('only with this result', ['SUCCESS', 'FAILURE']),
    voucher: textFlag('only of this voucher, by code', 'CODE'),
    campaign: textFlag('only of this campaign, by id or name'),
    'order-id': textFlag('only of this order, by id or source id', 'ID'),
    customer: customerFlag,
    filter: repeatable('a filter of the service: field=a,b or field:$operator=value', 'field=value'),
    ...orderFlag(listRedemptions),
  },
  request: async ({ flags }, client, warn) => {
    const { result, campaign, order, voucher, filter = [], 'order-id': orderId } = flags
    const only = {
      ...(voucher !== undefined && { voucher_code: { conditions: { $is: voucher } } }),
      ...(orderId !== undefined && { 'order.id': { conditions: { $is: await idOfOrder(client, orderId) } } }),
    }
    const customer = await idOfCustomer(client, flags.customer, warn)
    const { junction: _, ...asked } = filtersFrom(filter)
    const fields = { ...asked, ...only }
    const filters = { ...fields, ...(Object.keys(fields).length > 1 && { junction: 'and' }) }
    return { query: { result, campaign, customer, order, ...(Object.keys(fields).length > 0 && { filters }) } }
  },
})

/** The same for a rollback: what was redeemed and not rolled back yet; of what was redeemed together, all. */
export const choosingRedemptions = {
  ...redemptionFilters,
  rowOf({ id, object, result, status, redemption, related_object_type }: Record<string, unknown>) {
    if (object !== 'redemption' || result !== 'SUCCESS' || status === 'ROLLED_BACK') return undefined
    if (typeof redemption === 'string') return { id: redemption, stacked: 'true' }
    return related_object_type === 'redemption' ? { id, stacked: 'true' } : { id }
  },
}

/** The service filters by the id of an order; callers know the number of the shop. */
async function idOfOrder(client: Client, text: string): Promise<string> {
  if (text.startsWith('ord_')) return text
  const { id } = await client.call(getOrder, { path: { orderId: text } })
  return id
}
