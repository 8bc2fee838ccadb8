import { writeCommand } from '../../../cli/declared/write.ts'
import { argument, count } from '../../../cli/flags/kinds.ts'
import { getProgramReward, updateRewardAssignment } from '../../../contract/rewards.ts'
import { offeredRewardColumns } from '../../../output/columns/resources/loyalty.ts'

export default writeCommand('Change for how many points a loyalty program offers a reward', {
  examples: [
    'promo loyalty rewards reprice "Bean Club" "Enamel mug" --points 350 --dry-run --profile sandbox',
    'promo loyalty rewards reprice "Bean Club" "Enamel mug" --points 350 --profile sandbox',
  ],
  calls: [updateRewardAssignment, getProgramReward],
  columns: offeredRewardColumns,
  args: {
    campaign: argument('a loyalty program, by id or name'),
    offer: argument('what it offers: a reward, by id or name, or the id of the offer', 'offer'),
  },
  flags: { points: count('the price in points', 1, 1_000_000_000, { required: true }) },
  request: ({ args, flags }) => ({
    path: { campaignId: args.campaign, assignmentId: args.offer },
    body: { parameters: { loyalty: { points: flags.points } } },
  }),
})
