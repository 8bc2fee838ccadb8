import { listCommand } from '../../cli/declared.ts'
import { switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../cli/request/customers/flag.ts'
import { namedCampaign, namedCategory } from '../../cli/result/named.ts'
import { toldState } from '../../cli/topics/vouchers/state.ts'
import { getCampaign, listCampaigns } from '../../contract/campaigns.ts'
import { listCategories } from '../../contract/categories.ts'
import { listVouchers } from '../../contract/voucher-lists.ts'
import { voucherColumns } from '../../output/columns/vouchers.ts'

export default listCommand('List vouchers, newest first', {
  description:
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given. In a table, `state` says whether a code can be used now, for which promo reads the campaigns of active vouchers. CSV has `state` only if --columns names it.',
  examples: [
    'promo vouchers list --profile sandbox',
    'promo vouchers list --campaign "Spring mailing" --csv --all --out vouchers.csv --profile sandbox',
    'promo vouchers list --created-after 7d --jsonl --profile sandbox',
  ],
  endpoint: listVouchers,
  looks: [getCampaign, listCampaigns, listCategories, ...customerCalls],
  named: {
    campaign: namedCampaign,
    'campaign-id': namedCampaign,
    category: namedCategory,
    customer: namedCustomer,
  },
  columns: voucherColumns,
  told: toldState,
  noun: 'vouchers',
  flags: {
    campaign: textFlag('only of this campaign, by name'),
    'campaign-id': textFlag('only of this campaign, by id'),
    category: textFlag('only of this category, by name'),
    customer: customerFlag,
    code: textFlag('only with this code'),
    active: switchFlag('only vouchers that are on, or with --no-active off', { allowNo: true }),
    ...orderFlag(listVouchers),
  },
  request: async (
    { flags: { 'campaign-id': campaign_id, active, campaign, category, customer, code, order } },
    client,
    warn,
  ) => ({
    query: {
      campaign,
      campaign_id,
      category,
      customer: await idOfCustomer(client, customer, warn),
      code,
      order,
      ...(active !== undefined && {
        filters: { active: { conditions: { [active ? '$enabled' : '$disabled']: true } } },
      }),
    },
  }),
})
