import { Flags } from '@oclif/core'
import { listCommand } from '../../../cli/declared.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { listMembers } from '../../../contract/loyalty-programs.ts'
import { cardListColumns } from '../../../output/columns/cards.ts'

export default listCommand({
  summary: 'List the cards of a loyalty program, newest first',
  description: 'Cards without a holder are listed too.',
  examples: [
    'promo loyalty cards list "Bean Club" --profile sandbox',
    'promo loyalty cards list "Bean Club" --customer shop-1001 --csv --profile sandbox',
  ],
  endpoint: listMembers,
  columns: cardListColumns,
  noun: 'loyalty cards',
  args: { campaign: argument('a loyalty campaign, by id or name') },
  flags: {
    customer: Flags.string({ description: 'only cards held by this customer, by id or source id' }),
    code: Flags.string({ description: 'only the card with this code' }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'updated_at', '-updated_at', 'code', '-code'] as const,
    })(),
  },
  request: ({ args, flags: { customer, code, order } }) => ({
    path: { campaignId: args.campaign },
    query: { customer, code, order },
  }),
})
