import { argumentWords } from '../../../base/shell-word.ts'
import { writeCommand } from '../../../cli/declared/write.ts'
import { argument, count } from '../../../cli/flags/kinds.ts'
import { assignRewards, listRewardAssignments } from '../../../contract/rewards.ts'
import { offeredRewardColumns } from '../../../output/columns/resources/loyalty.ts'

export default writeCommand('Offer a reward in a loyalty program, for a number of points', {
  description: 'A coin reward has no price: how many points it takes is part of the reward.',
  examples: [
    'promo loyalty rewards offer "Bean Club" rew_19b8d627a800000002 --points 300 --dry-run --profile sandbox',
    'promo loyalty rewards offer "Bean Club" rew_19b8d627a800000001 --dry-run --profile sandbox',
  ],
  calls: [assignRewards, listRewardAssignments],
  columns: offeredRewardColumns,
  args: {
    campaign: argument('a loyalty program, by id or name'),
    reward: argument('a reward, by id or name', 'reward'),
  },
  flags: { points: count('the price in points', 1, 1_000_000_000) },
  made: {
    asked: ({ args, flags }) => ({
      reward_id: args.reward,
      ...(flags.points !== undefined && { parameters: { loyalty: { points: flags.points } } }),
    }),
    listedBy: ({ args }) => `promo loyalty rewards list ${argumentWords(args.campaign)}`,
  },
  shown: ([offer]) => offer as object,
  request: ({ args, flags }) => {
    const price = flags.points === undefined ? {} : { parameters: { loyalty: { points: flags.points } } }
    return { path: { campaignId: args.campaign }, body: [{ reward: args.reward, ...price }] }
  },
})
