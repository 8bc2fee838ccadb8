import { listCommand } from '../../../cli/declared.ts'
import { argument, textFlag } from '../../../cli/flags/kinds.ts'
import { orderFlag } from '../../../cli/flags/order.ts'
import { customerCalls, customerFlag, idOfCustomer, namedCustomer } from '../../../cli/request/customers/flag.ts'
import { listMembers } from '../../../contract/loyalty-programs.ts'
import { cardListColumns } from '../../../output/columns/cards.ts'

export default listCommand('List the cards of a loyalty program, newest first', {
  description: 'Cards without a holder are listed too.',
  examples: [
    'promo loyalty cards list "Bean Club" --profile sandbox',
    'promo loyalty cards list "Bean Club" --customer shop-1001 --csv --profile sandbox',
  ],
  endpoint: listMembers,
  columns: cardListColumns,
  noun: 'loyalty cards',
  looks: customerCalls,
  named: { customer: namedCustomer },
  args: { campaign: argument('a loyalty campaign, by id or name') },
  flags: {
    customer: customerFlag,
    code: textFlag('only with this code'),
    ...orderFlag(listMembers),
  },
  request: async ({ args, flags: { customer, code, order } }, client, warn) => ({
    path: { campaignId: args.campaign },
    query: { customer: await idOfCustomer(client, customer, warn), code, order },
  }),
})
