// How vouchers and cards are chosen: the filters of their lists, which choose the rows of what writes them, too.
import { getCampaign } from '../../../contract/campaigns.ts'
import { listCategories } from '../../../contract/categories.ts'
import { listMembers } from '../../../contract/loyalty-programs.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { usageError } from '../../../errors.ts'
import { listFilters } from '../../declared/list.ts'
import type { StateFilters } from '../../flags/choosing.ts'
import { argument, textFlag } from '../../flags/kinds.ts'
import { orderFlag } from '../../flags/order.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../request/customers/flag.ts'
import { namedCampaign, namedCategory } from '../../result/named.ts'
import { isPast, type VoucherDates } from './state.ts'

/** The members that are read here; every one may be missing. */
interface Used extends VoucherDates {
  redemption?: { redeemed_quantity?: number } | null
}

const redeemed = 'redemption.redeemed_quantity'
const redeemedIn = (voucher: object) => (voucher as Used).redemption?.redeemed_quantity

const states: StateFilters = {
  active: {
    about: 'only vouchers that are on, or with --no-active off',
    allowNo: true,
    conditions: (isOn) => ({ active: { conditions: { [isOn ? '$enabled' : '$disabled']: true } } }),
    keeps: ({ active }: Used, isOn) => (active !== false) === isOn,
  },
  unused: {
    about: 'only what was never redeemed, or was rolled back',
    exclusive: ['used'],
    conditions: () => ({ [redeemed]: { conditions: { $is: 0 } } }),
    keeps: (voucher) => redeemedIn(voucher) === 0,
  },
  used: {
    about: 'only what was redeemed at least once',
    exclusive: ['unused'],
    conditions: () => ({ [redeemed]: { conditions: { $more_than: 0 } } }),
    keeps: (voucher) => Number(redeemedIn(voucher)) > 0,
  },
  expired: {
    about: 'only what is past its own expiration date',
    conditions: () => ({ active: { conditions: { $expired: true } } }),
    keeps: ({ expiration_date }: Used, _, nowMs) => isPast(expiration_date, nowMs),
  },
}

/** The filters of vouchers. */
export const voucherFilters = listFilters({
  calls: [listVouchers, getCampaign, listCategories, ...customerCalls],
  named: {
    campaign: namedCampaign,
    'campaign-id': namedCampaign,
    category: namedCategory,
    customer: namedCustomer,
  },
  states,
  flags: {
    campaign: textFlag('only of this campaign, by name'),
    'campaign-id': textFlag('only of this campaign, by id'),
    category: textFlag('only of this category, by name'),
    customer: customerFlag,
    code: textFlag('only with this code'),
    ...orderFlag(listVouchers),
  },
  request: async (
    { flags: { 'campaign-id': campaign_id, campaign, category, customer, code, order } },
    client,
    warn,
  ) => ({
    query: { campaign, campaign_id, category, customer: await idOfCustomer(client, customer, warn), code, order },
  }),
})

/** The filters of the cards of a program, which the list command has as its argument, and what writes has as a flag. */
export const cardFilters = listFilters({
  calls: [listMembers, ...customerCalls],
  named: { customer: namedCustomer },
  states,
  args: { campaign: argument('a loyalty campaign, by id or name') },
  flags: {
    customer: customerFlag,
    code: textFlag('only with this code'),
    ...orderFlag(listMembers),
  },
  async request({ args, flags: { customer, code, order, ...flags } }, client, warn) {
    const { campaign } = { ...flags, ...args } as { campaign?: string }
    if (campaign === undefined)
      throw usageError('filters choose among the cards of one program', '--campaign "Bean Club"')
    const query = { customer: await idOfCustomer(client, customer, warn), code, order }
    return { path: { campaignId: campaign }, query }
  },
})
