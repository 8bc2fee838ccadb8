import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, readingFlags } from '../../cli/flags/flags.ts'
import { choiceFlag, names, optionalArgument, repeatable, textFlag } from '../../cli/flags/kinds.ts'
import { time } from '../../cli/flags/time.ts'
import { copyFlags, openCopyToRead } from '../../cli/topics/ledger/copy-file.ts'
import { fixColumnsOf, mustBeKinds, reconcile } from '../../cli/topics/ledger/reconcile.ts'
import { EXIT, usageError } from '../../errors.ts'
import { remedyNames } from '../../ledger/reconcile/remedies.ts'
import { differenceColumns } from '../../output/columns/differences.ts'

export default class Reconcile extends PromoCommand {
  static override summary = 'Find where redemptions and the orders of your shop disagree (exit 12: found)'
  static override description =
    'Compares the copy of `ledger pull` with a file of orders. It finds orders that came to nothing and whose redemption stands, discounts that were not redeemed, amounts that differ, and more. The file needs the number and the state of each order. Amount, discount, codes and time are read where it has them. Nothing is written to the service: --fix makes the file that a bulk command takes.'
  static override examples = [
    "promo ledger pull --profile sandbox; printf 'Order ID,Status\\nnorthlight-2006,fulfilled\\n' | promo ledger reconcile - --map 'Order ID=order' --profile sandbox",
    'promo ledger reconcile orders.csv --amounts-in EUR --fix rollback --out rollback.csv --profile sandbox',
    'promo ledger reconcile --order-id northlight-2006 --status refunded --json --profile sandbox',
  ]
  static override effect = 'none' as const
  static override columns = [differenceColumns, ...remedyNames.map(fixColumnsOf)]
  static override exits = [EXIT.no]
  static override args = { orders: optionalArgument('a file of orders; - is stdin') }
  static override fileArgs = ['orders']
  static override flags = {
    ...copyFlags,
    orders: choiceFlag("compare the service's own orders, in place of a file", ['promo']),
    'order-id': textFlag('only this order, by its number or id', 'ID'),
    status: repeatable('what a word for a state means; with --order-id, the state it has', 'WORD=STATE'),
    since: time({ description: 'the input has every order from this time on (default: from its first)' }),
    until: time({ description: 'the input has every order up to this time (default: to its last)' }),
    only: names('only these kinds of differences', 'KIND,…'),
    ignore: names('all but these kinds', 'KIND,…'),
    fix: choiceFlag('only what this repairs, as the rows that its bulk command takes', remedyNames),
    ...outputFlags,
    ...readingFlags,
  }

  async run() {
    const { args, flags } = await this.input(Reconcile)
    const { orders: from } = args
    if (from === undefined && flags.orders === undefined && flags['order-id'] === undefined)
      throw usageError('no orders given', 'promo ledger reconcile orders.csv, or --orders promo')
    if (from !== undefined && flags.orders !== undefined)
      throw usageError('orders are given twice: by a file and by --orders', 'leave one of them out')
    mustBeKinds([...(flags.only ?? []), ...(flags.ignore ?? [])])
    const copy = await openCopyToRead(flags, this)
    try {
      this.exitCode = await reconcile(from, flags, copy, this)
    } finally {
      copy.close()
    }
  }
}
