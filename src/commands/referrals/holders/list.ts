import { listCommand } from '../../../cli/declared.ts'
import { filtersFrom } from '../../../cli/flags/filters.ts'
import { choiceFlag } from '../../../cli/flags/kinds.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../../cli/request/customers/flag.ts'
import { withNames } from '../../../cli/topics/customers/names.ts'
import { referralCode, referralCodeArgs } from '../../../cli/topics/referrals/code.ts'
import { listCampaignHolders, listHolders } from '../../../contract/referrals.ts'
import { holderColumns } from '../../../output/columns/holders.ts'

export default listCommand('List the customers of a referral code, its owner included', {
  description:
    'A table shows one page with the names of the customers, and says if there is more. The other formats are complete unless --limit is given.',
  examples: [
    'promo referrals holders list FRIEND-001 --profile sandbox',
    'promo referrals holders list FRIEND-001 --role REFEREE --csv --profile sandbox',
  ],
  endpoint: listHolders,
  chosen: ({ args }) => (args.member === undefined ? listHolders : listCampaignHolders),
  looks: [listCampaignHolders, ...customerCalls],
  named: { customer: namedCustomer },
  columns: holderColumns,
  args: referralCodeArgs,
  flags: {
    role: choiceFlag('only holders with this role', ['OWNER', 'REFERRER', 'REFEREE']),
    customer: customerFlag,
    order: choiceFlag('the order of the rows; a leading - means descending', ['id', '-id'], { default: '-id' }),
  },
  noun: 'holders',
  toldPages: (pages, _given, { client, warn }) => withNames(client, pages, warn),
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
