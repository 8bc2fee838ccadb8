import { writeCommand } from '../../../cli/declared.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { getProgramReward, unassignReward } from '../../../contract/rewards.ts'

export default writeCommand('Stop offering a reward in a loyalty program', {
  description: 'The reward itself stays. Asks for confirmation.',
  examples: [
    'promo loyalty rewards withdraw "Bean Club" rewa_19b8d627a800000002 --dry-run --profile sandbox',
    'promo loyalty rewards withdraw "Bean Club" rewa_19b8d627a800000002 --yes --profile sandbox',
  ],
  endpoint: unassignReward,
  undo: { reads: getProgramReward },
  args: {
    campaign: argument('a loyalty program, by id or name'),
    offer: argument('the id of an offer, which begins with rewa_'),
  },
  request: ({ args }) => ({ path: { campaignId: args.campaign, assignmentId: args.offer } }),
  question: ({ args }) => `withdraw the offer "${args.offer}" from loyalty program "${args.campaign}"`,
  done: ({ args }) => `deleted offer "${args.offer}"`,
})
