import { balanceCommand } from '../../../cli/topics/balances/command.ts'

export default balanceCommand('Take credits off gift cards: one, many, or a whole file', {
  of: 'credits',
  verb: 'remove',
  examples: [
    'promo vouchers balance remove GIFT-001 --amount 500 --reason "Paid at the counter" --yes --profile sandbox',
    'promo vouchers balance remove GIFT-001 --amount 500 --source-id till-88 --dry-run --profile sandbox',
  ],
})
