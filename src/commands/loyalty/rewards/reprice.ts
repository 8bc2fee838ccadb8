import { Args, Flags } from '@oclif/core'
import { writeCommand } from '../../../cli/declared.ts'
import { wholeNumber } from '../../../cli/flags/values.ts'
import { updateRewardAssignment } from '../../../contract/rewards.ts'
import { offeredRewardColumns } from '../../../output/columns/resources/loyalty.ts'

export default writeCommand({
  summary: 'Change for how many points a loyalty program offers a reward',
  examples: [
    'promo loyalty rewards reprice "Bean Club" rewa_19b8d627a800000002 --points 350 --dry-run --profile sandbox',
    'promo loyalty rewards reprice "Bean Club" rewa_19b8d627a800000002 --points 350 --profile sandbox',
  ],
  endpoint: updateRewardAssignment,
  columns: offeredRewardColumns,
  args: {
    campaign: Args.string({ description: 'a loyalty program, by id or name', ignoreStdin: true, required: true }),
    offer: Args.string({
      description: 'the id of an offer, which begins with rewa_',
      ignoreStdin: true,
      required: true,
    }),
  },
  flags: {
    points: Flags.custom<number>({ parse: async (text) => wholeNumber(text, 1, 1_000_000_000) })({
      description: 'its new price in points',
      helpValue: 'N',
      required: true,
    }),
  },
  request: ({ args, flags }) => ({
    path: { campaignId: args.campaign, assignmentId: args.offer },
    body: { parameters: { loyalty: { points: flags.points } } },
  }),
})
