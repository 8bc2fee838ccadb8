// How the customers of a referral code are chosen: the filters of their list, which choose whom to remove, too.
import { listCampaignHolders, listHolders } from '../../../contract/referrals.ts'
import { type Choosing, listFilters } from '../../declared/list.ts'
import { filtersFrom } from '../../flags/filters.ts'
import { choiceFlag } from '../../flags/kinds.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../request/customers/flag.ts'
import { referralCode, referralCodeArgs } from './code.ts'

/** The filters of the customers of a referral code. */
export const holderFilters = listFilters({
  calls: [listHolders, listCampaignHolders, ...customerCalls],
  chosen: ({ args }) => (args.member === undefined ? listHolders : listCampaignHolders),
  named: { customer: namedCustomer },
  args: referralCodeArgs,
  flags: {
    role: choiceFlag('only holders with this role', ['OWNER', 'REFERRER', 'REFEREE']),
    customer: customerFlag,
    order: choiceFlag('the order of the rows; a leading - means descending', ['id', '-id'], { default: '-id' }),
  },
  async request({ args, flags }, client, warn) {
    const { role, order } = flags
    const customer = await idOfCustomer(client, flags.customer, warn)
    const filters = [...(role ? [`holder_role=${role}`] : []), ...(customer ? [`customer_id=${customer}`] : [])]
    return {
      path: referralCode(args),
      query: { order, ...(filters.length > 0 && { filters: filtersFrom(filters) }) },
    }
  },
})

/** The same for a removal, whose command has the campaign as a flag; the owner of the code cannot be removed. */
export const choosingReferees: Choosing = {
  ...holderFilters,
  chosen: ({ flags: { campaign } }) => (campaign === undefined ? listHolders : listCampaignHolders),
  request({ args: { member }, flags }, client, warn) {
    const words = [flags.campaign, member].filter((word) => word !== undefined)
    const args = { 'campaign-or-member': words[0], member: words[1] }
    return holderFilters.request({ args, flags } as never, client, warn)
  },
  rowOf: ({ id, holder_role }) => (holder_role === 'OWNER' ? undefined : { id }),
}
