import { balanceCommand } from '../../../cli/topics/balances/command.ts'

export default balanceCommand('Add points to loyalty cards: one, many, or a whole file', {
  of: 'points',
  verb: 'add',
  examples: [
    'promo loyalty points add CLUB-001 --points 50 --reason "Order 2001 was not counted" --yes --profile sandbox',
    'promo loyalty points add CLUB-001 CLUB-002 --points 10 --dry-run --profile sandbox',
  ],
})
