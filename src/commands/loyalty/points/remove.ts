import { balanceCommand } from '../../../cli/topics/balances/command.ts'

export default balanceCommand({
  of: 'points',
  verb: 'remove',
  summary: 'Take points off loyalty cards: one, many, or a whole file',
  examples: [
    'promo loyalty points remove CLUB-003 --points 50 --reason "Counted twice" --yes --profile sandbox',
    'promo loyalty points remove CLUB-003 --points 50 --source-id ticket-4711 --dry-run --profile sandbox',
  ],
})
