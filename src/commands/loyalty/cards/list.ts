import { listCommand } from '../../../cli/declared/list.ts'
import { cardFilters } from '../../../cli/topics/vouchers/filters.ts'
import { cardListColumns } from '../../../output/columns/cards.ts'

export default listCommand('List the cards of a loyalty program, newest first', {
  description: 'Cards without a holder are listed too.',
  examples: [
    'promo loyalty cards list "Bean Club" --profile sandbox',
    'promo loyalty cards list "Bean Club" --customer shop-1001 --csv --profile sandbox',
  ],
  ...cardFilters,
  columns: cardListColumns,
  noun: 'loyalty cards',
})
