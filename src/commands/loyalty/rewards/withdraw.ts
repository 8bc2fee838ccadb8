import { writeCommand } from '../../../cli/declared/write.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { quotedValue } from '../../../cli/prompt/asked-value.ts'
import { getProgramReward, unassignReward } from '../../../contract/rewards.ts'

export default writeCommand('Stop offering a reward in a loyalty program', {
  description: 'The reward itself stays. Asks for confirmation.',
  examples: [
    'promo loyalty rewards withdraw "Bean Club" "Enamel mug" --dry-run --profile sandbox',
    'promo loyalty rewards withdraw "Bean Club" "Enamel mug" --yes --profile sandbox',
  ],
  calls: [unassignReward, getProgramReward],
  args: {
    campaign: argument('a loyalty program, by id or name'),
    offer: argument('what it offers: a reward, by id or name, or the id of the offer', 'offer'),
  },
  request: ({ args }) => ({ path: { campaignId: args.campaign, assignmentId: args.offer } }),
  question: ({ typed }) =>
    `withdraw the offer ${quotedValue(typed.offer)} from loyalty program ${quotedValue(typed.campaign)}`,
  done: ({ typed }) => `deleted offer "${typed.offer}"`,
})
