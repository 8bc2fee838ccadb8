import { argumentWords } from '../../../base/shell-word.ts'
import { writeCommand } from '../../../cli/declared/write.ts'
import { argument, count, textFlag } from '../../../cli/flags/kinds.ts'
import { mostPoints } from '../../../cli/topics/balances/command.ts'
import { createLoyaltyTiers, listLoyaltyTiers } from '../../../contract/loyalty-tiers.ts'
import { loyaltyTierColumns } from '../../../output/columns/resources/loyalty.ts'

export default writeCommand('Add a tier to a loyalty program', {
  description:
    'The service has no call that changes or removes a tier. How the tier changes points and prices is set for each earning rule and each offer, by its id: --set earning_rules.ern_1.type=MULTIPLY --set earning_rules.ern_1.multiplier=1.5.',
  examples: [
    'promo loyalty tiers create "Bean Club" --name Platinum --min 5000 --profile sandbox',
    'promo loyalty tiers create "Bean Club" --name Copper --min 50 --max 99 --set metadata.colour=red --dry-run --profile sandbox',
  ],
  calls: [createLoyaltyTiers, listLoyaltyTiers],
  instead: (program) => `promo loyalty tiers list ${program}`,
  body: { takes: 'any', members: {} },
  columns: loyaltyTierColumns,
  made: { listedBy: ({ args }) => `promo loyalty tiers list ${argumentWords(args.campaign)}` },
  shown: ([made]) => made ?? {},
  args: { campaign: argument('a loyalty campaign, by id or name') },
  flags: {
    name: textFlag('the name'),
    min: count('the fewest points of its members', 0, mostPoints),
    max: count('the most points of its members (default: no limit)', 0, mostPoints),
  },
  asks: {
    name: { unless: ['body', 'set'], question: 'the name of the tier:' },
    min: { unless: ['body', 'set'], question: 'the fewest points of its members:' },
  },
  request: ({ args, flags: { name, min, max }, body }) => {
    const { points, ...members } = body as { points?: object }
    const range = { ...points, ...(min !== undefined && { from: min }), ...(max !== undefined && { to: max }) }
    const tier = { ...members, ...(name !== undefined && { name }), points: range }
    return { path: { campaignId: args.campaign }, body: [tier as never] }
  },
})
