import { listCommand } from '../../cli/declared/list.ts'
import { choiceFlag, textFlag } from '../../cli/flags/kinds.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../cli/request/customers/flag.ts'
import { namedCampaign, namedVoucher } from '../../cli/result/named.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { listPublications } from '../../contract/publications.ts'
import { publicationColumns } from '../../output/columns/resources/publications.ts'

const orders = [
  'created_at',
  '-created_at',
  'id',
  '-id',
  'voucher_code',
  '-voucher_code',
  'channel',
  '-channel',
] as const

export default listCommand('List publications: which code went to whom', {
  examples: [
    'promo publications list --profile sandbox',
    'promo publications list --customer shop-1001 --csv --profile sandbox',
  ],
  calls: [listPublications, getCampaign, ...customerCalls],
  columns: publicationColumns,
  noun: 'publications',
  named: { campaign: namedCampaign, voucher: namedVoucher, customer: namedCustomer },
  flags: {
    campaign: textFlag('only of this campaign, by name'),
    customer: customerFlag,
    voucher: textFlag('only of this voucher, by code'),
    'source-id': textFlag('only with this source id', 'ID'),
    order: choiceFlag('the order of the rows; a leading - means descending', orders),
  },
  request: async ({ flags: { campaign, customer, voucher, 'source-id': source_id, order } }, client, warn) => ({
    query: { campaign, customer: await idOfCustomer(client, customer, warn), voucher, source_id, order },
  }),
})
