import { PromoCommand } from '../../../cli/command.ts'
import { outputFlags, reasonFlag, serviceFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { argument, textFlag } from '../../../cli/flags/kinds.ts'
import { replaceCard } from '../../../cli/topics/loyalty/replace.ts'
import { listCardTransactions } from '../../../contract/loyalty.ts'
import { transferPoints } from '../../../contract/loyalty-programs.ts'
import { listPublications, publish } from '../../../contract/publications.ts'
import { disableVoucher, getVoucher } from '../../../contract/vouchers.ts'
import { replacementColumns } from '../../../output/columns/plan.ts'

export default class Replace extends PromoCommand {
  static override summary = 'Replace a lost loyalty card: give its holder another one, move the points, switch it off'
  static override description =
    'Three steps: its holder gets another card of the program, or that of --to; all points move to it; the old card is switched off. After any interruption, run the same command again: it looks for each step before it makes it, and moves nothing twice. Pending points stay with the old card; once they are active, the same command moves them.'
  static override examples = [
    'promo campaigns vouchers add "Bean Club" CLUB-101 --profile sandbox; promo loyalty cards replace CLUB-004 --reason "lost" --yes --profile sandbox',
    'promo loyalty cards replace CLUB-004 --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [getVoucher, listPublications, listCardTransactions, publish, transferPoints, disableVoucher]
  static override columns = replacementColumns
  static override args = { code: argument('the code or the id of the lost card') }
  static override flags = {
    ...serviceFlags,
    to: textFlag('the card that takes its place, by code or id', 'CODE'),
    ...reasonFlag,
    ...outputFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Replace)
    await replaceCard(args.code, flags, this)
  }
}
