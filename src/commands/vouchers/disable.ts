import { PromoCommand } from '../../cli/command.ts'
import { bulkFlags, callFlags, proveFlag, writeFlags } from '../../cli/flags/flags.ts'
import { proofOfChange } from '../../cli/topics/vouchers/changed.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import { switchedBack, unlessChanged } from '../../cli/topics/vouchers/undo.ts'
import { disableVoucher, getVoucher } from '../../contract/vouchers.ts'

export default class Disable extends PromoCommand {
  static override summary = 'Switch vouchers off: one, many, or a whole file'
  static override description =
    'Every row of a file is checked before the first request. A voucher that is already off stays off. Each row ends with exactly one outcome; the exit code is the worst of them.'
  static override examples = [
    'promo vouchers disable WELCOME-001 --profile sandbox',
    '(echo code; seq -f GIFT-%03g 1 8) > codes.csv; promo vouchers disable --from codes.csv --profile sandbox --yes',
    'seq -f GIFT-%03g 1 8 | promo vouchers disable --from - --input-format lines --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [disableVoucher, getVoucher]
  static override undo = switchedBack('vouchers:enable')
  static override args = voucherCodes
  static override asks = { code: { unless: ['from'] } }
  static override flags = { ...callFlags, ...bulkFlags, ...proveFlag, ...writeFlags }

  async run() {
    const { args, flags } = await this.input(Disable)
    await this.runBulk(args.code, flags, {
      words: { noun: 'voucher', verb: 'disable', done: 'disabled', unchanged: 'already off', key: 'code' },
      endpoint: disableVoucher,
      request: ({ key }) => ({ path: { code: key } }),
      results: { updated_at: 'updated_at' },
      leftAlone: unlessChanged(false),
      ...proofOfChange(flags['prove-change']),
    })
  }
}
