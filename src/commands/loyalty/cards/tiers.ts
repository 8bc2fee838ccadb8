import { listCommand } from '../../../cli/declared/list.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { listMemberTiers } from '../../../contract/loyalty-tiers.ts'
import { memberTierColumns } from '../../../output/columns/resources/loyalty.ts'

export default listCommand("Show the tier that a loyalty card's holder is in, since when and until when", {
  examples: [
    'promo loyalty cards tiers CLUB-001 --profile sandbox',
    "promo loyalty cards tiers CLUB-001 --json --query '[].name' --profile sandbox",
  ],
  calls: [listMemberTiers],
  columns: memberTierColumns,
  noun: 'tiers',
  args: { code: argument('the code or the id of a loyalty card') },
  request: ({ args }) => ({ path: { memberId: args.code } }),
})
