import { listCommand } from '../../../cli/declared.ts'
import { withNames } from '../../../cli/topics/customers/names.ts'
import { holderFilters } from '../../../cli/topics/referrals/filters.ts'
import { holderColumns } from '../../../output/columns/holders.ts'

export default listCommand('List the customers of a referral code, its owner included', {
  description:
    'A table shows one page with the names of the customers, and says if there is more. The other formats are complete unless --limit is given.',
  examples: [
    'promo referrals holders list FRIEND-001 --profile sandbox',
    'promo referrals holders list FRIEND-001 --role REFEREE --csv --profile sandbox',
  ],
  ...holderFilters,
  columns: holderColumns,
  noun: 'holders',
  toldPages: (pages, _given, { client, warn }) => withNames(client, pages, warn),
})
