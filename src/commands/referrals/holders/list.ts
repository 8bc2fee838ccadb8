import { listCommand } from '../../../cli/declared/list.ts'
import { toldCustomer } from '../../../cli/topics/customers/names.ts'
import { holderFilters } from '../../../cli/topics/referrals/filters.ts'
import { getCampaign } from '../../../contract/campaigns.ts'
import { getCustomer, listCustomerActivity, listCustomerRedeemables } from '../../../contract/customers.ts'
import { listRedemptions } from '../../../contract/redemptions.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { holderColumns } from '../../../output/columns/holders.ts'

export default listCommand('List the customers of a referral code, its owner included', {
  description:
    'A table shows one page with the names of the customers, and says if there is more. The other formats are complete unless --limit is given.',
  examples: [
    'promo referrals holders list FRIEND-001 --profile sandbox',
    'promo referrals holders list FRIEND-001 --explain --profile sandbox',
    'promo referrals holders list FRIEND-001 --role REFEREE --csv --profile sandbox',
  ],
  ...holderFilters,
  calls: [
    ...holderFilters.calls,
    getVoucher,
    getCampaign,
    getCustomer,
    listRedemptions,
    listCustomerActivity,
    listCustomerRedeemables,
  ],
  columns: holderColumns,
  explains: async () => (await import('../../../cli/reasons/referral.ts')).explainHolder,
  noun: 'holders',
  told: toldCustomer,
})
