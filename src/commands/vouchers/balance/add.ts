import { balanceCommand } from '../../../cli/topics/balances/command.ts'

export default balanceCommand('Add credits to gift cards: one, many, or a whole file', {
  of: 'credits',
  verb: 'add',
  examples: [
    'promo vouchers balance add GIFT-001 --amount 1500 --reason "Goodwill" --yes --profile sandbox',
    'promo vouchers balance add GIFT-001 GIFT-002 --amount 500 --dry-run --profile sandbox',
  ],
})
