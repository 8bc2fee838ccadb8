import { balanceCommand } from '../../../cli/topics/balances/command.ts'

export default balanceCommand('Take points off loyalty cards: one, many, or a whole file', {
  of: 'points',
  verb: 'remove',
  examples: [
    'promo loyalty points remove CLUB-003 --points 50 --reason "Counted twice" --yes --profile sandbox',
    'promo loyalty points remove CLUB-003 --points 50 --source-id ticket-4711 --dry-run --profile sandbox',
  ],
})
