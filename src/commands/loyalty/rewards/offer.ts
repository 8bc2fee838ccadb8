import { Args, Flags } from '@oclif/core'
import { writeCommand } from '../../../cli/declared.ts'
import { wholeNumber } from '../../../cli/flags/values.ts'
import { assignRewards } from '../../../contract/rewards.ts'
import { offeredRewardColumns } from '../../../output/columns/resources/loyalty.ts'

export default writeCommand({
  summary: 'Offer a reward in a loyalty program, for a number of points',
  description: 'A coin reward has no price: how many points it takes is part of the reward.',
  examples: [
    'promo loyalty rewards offer "Bean Club" rew_19b8d627a800000002 --points 300 --dry-run --profile sandbox',
    'promo loyalty rewards offer "Bean Club" rew_19b8d627a800000001 --dry-run --profile sandbox',
  ],
  endpoint: assignRewards,
  columns: offeredRewardColumns,
  args: {
    campaign: Args.string({ description: 'a loyalty program, by id or name', ignoreStdin: true, required: true }),
    reward: Args.string({ description: 'the id of a reward', ignoreStdin: true, required: true }),
  },
  flags: {
    points: Flags.custom<number>({ parse: async (text) => wholeNumber(text, 1, 1_000_000_000) })({
      description: 'its price in points',
      helpValue: 'N',
    }),
  },
  shown: ([offer]) => offer as object,
  request: ({ args, flags }) => {
    const price = flags.points === undefined ? {} : { parameters: { loyalty: { points: flags.points } } }
    return { path: { campaignId: args.campaign }, body: [{ reward: args.reward, ...price }] }
  },
})
