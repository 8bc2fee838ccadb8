import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { bulkFlags, callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import type { JobUndo } from '../../cli/undo.ts'
import { deleteVoucher } from '../../contract/vouchers.ts'

export default class Delete extends PromoCommand {
  static override summary = 'Delete vouchers: one, many, or a whole file'
  static override description =
    'A deleted voucher goes to the bin, where its code stays taken; with --force it is deleted permanently, with its redemptions. Asks for confirmation even for a single voucher.'
  static override examples = [
    'promo vouchers delete SORRY5 --yes --profile sandbox',
    'seq -f GIFT-%03g 1 8 | promo vouchers delete --from - --input-format lines --force --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo: JobUndo = {
    because: 'a deleted voucher does not come back, nor do its redemptions; a new one can get its code',
    instead: () => 'promo vouchers create --help',
  }
  static override calls = [deleteVoucher]
  static override args = voucherCodes
  static override asks = { code: { unless: ['from'] } }
  static override flags = {
    ...callFlags,
    force: Flags.boolean({ description: 'delete permanently, not to the bin' }),
    ...bulkFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Delete)
    await this.runBulk(args.code, flags, {
      words: { noun: 'voucher', verb: 'delete', done: 'deleted', unchanged: 'already gone', key: 'code' },
      endpoint: deleteVoucher,
      request: ({ key }) => ({ path: { code: key }, query: flags.force ? { force: true } : {} }),
      asksForOne: true,
    })
  }
}
