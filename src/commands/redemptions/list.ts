import type { Client } from '../../api/client.ts'
import { listCommand } from '../../cli/declared.ts'
import { filtersFrom } from '../../cli/flags/filters.ts'
import { choiceFlag, repeatable, textFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../cli/request/customers/flag.ts'
import { namedCampaign, namedVoucher } from '../../cli/result/named.ts'
import { told } from '../../cli/topics/redemptions/told.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { getOrder } from '../../contract/orders.ts'
import { listRedemptions } from '../../contract/redemptions.ts'
import { redemptionColumns } from '../../output/columns/resources/redemptions.ts'

export default listCommand('List redemptions, rollbacks and failed attempts, newest first', {
  description:
    'In a table, `outcome` says what was taken or why it was refused; CSV has kind, taken and failure_code. Amounts of a rollback are negative. A redemption of several codes has a row of its own, and a row for each code that names it.',
  examples: [
    'promo redemptions list --voucher GIFT-001 --profile sandbox',
    'promo redemptions list --customer shop-1001 --result FAILURE --created-after 7d --csv --profile sandbox',
  ],
  endpoint: listRedemptions,
  columns: redemptionColumns,
  noun: 'redemptions',
  flags: {
    result: choiceFlag('only with this result', ['SUCCESS', 'FAILURE']),
    voucher: textFlag('only of this voucher, by code', 'CODE'),
    campaign: textFlag('only of this campaign, by id or name'),
    'order-id': textFlag('only of this order, by id or source id', 'ID'),
    customer: customerFlag,
    filter: repeatable('a filter of the service: field=a,b or field:$operator=value', 'field=value'),
    ...orderFlag(listRedemptions),
  },
  looks: [getCampaign, ...customerCalls],
  named: { voucher: namedVoucher, campaign: namedCampaign, customer: namedCustomer },
  told: () => told,
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

/** The service filters by the id of an order; callers know the number of the shop. */
async function idOfOrder(client: Client, text: string): Promise<string> {
  if (text.startsWith('ord_')) return text
  const { id } = await client.call(getOrder, { path: { orderId: text } })
  return id
}
