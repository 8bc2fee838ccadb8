import { formatCount } from '../../../base/numbers.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { callFlags } from '../../../cli/flags/flags.ts'
import { callAbout, cardFlag, ownerArgs, ownerAsks, transactionCalls } from '../../../cli/topics/loyalty/lists.ts'
import { EXIT } from '../../../errors.ts'
import { type BalanceCheck, type BrokenBalance, balanceCheck } from '../../../ledger/running-balance.ts'
import { brokenBalanceColumns } from '../../../output/columns/transactions.ts'

export default class Verify extends PromoCommand {
  static override summary = 'Check that the running balance of every loyalty card adds up'
  static override description =
    "Reads all transactions, oldest first: the balance before plus the points must equal the balance after. Lists each transaction for which it does not, and then exits 12. A card's oldest transaction is taken as correct."
  static override examples = [
    'promo loyalty transactions verify "Bean Club" --profile sandbox',
    'promo loyalty transactions verify --card CLUB-004 --json --profile sandbox',
  ]
  static override calls = transactionCalls
  static override columns = brokenBalanceColumns
  static override exits = [EXIT.no]
  static override args = ownerArgs
  static override asks = ownerAsks
  static override flags = {
    ...callFlags,
    ...cardFlag,
  }

  async run() {
    const { args, flags } = await this.input(Verify)
    const { endpoint, path } = callAbout(
      transactionCalls,
      { ...args, card: flags.card },
      'promo loyalty transactions list "Bean Club"',
    )
    const request = { path, query: { order: 'id' } } as never
    const client = await this.connect()
    const check = balanceCheck({ newestFirst: false })
    const broken = { transactions: 0, cards: new Set<string>() }

    async function* breaks(): AsyncGenerator<BrokenBalance> {
      for await (const transaction of client.items(endpoint, request)) {
        const found = check.take(transaction)
        if (found === undefined) continue
        broken.transactions += 1
        broken.cards.add(found.voucher_id)
        yield found
      }
    }
    await this.show.rows(breaks(), Verify.columns, { nothing: 'every running balance adds up' })

    const { show: messages } = this
    const { uncountable } = check.counts()
    if (uncountable > 0)
      messages.warn(`warning: ${uncountable} transactions have no whole numbers of points and balance to check`)
    const { transactions: wrong, cards } = broken
    if (wrong === 0) messages.say(describeCounts(check))
    else {
      messages.warn(
        `${describeCounts(check)}; ${formatCount(wrong, 'balance')} on ${formatCount(cards.size, 'card')} not as expected`,
      )
      this.exitCode = EXIT.no
    }
  }
}

function describeCounts(check: BalanceCheck): string {
  const { transactions, cards } = check.counts()
  return `checked ${formatCount(transactions, 'transaction')} of ${formatCount(cards, 'card')}`
}
