import { PromoCommand } from '../../cli/command.ts'
import { bulkFlags, callFlags, proveFlag, writeFlags } from '../../cli/flags/flags.ts'
import { proofOfChange } from '../../cli/topics/vouchers/changed.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import { switchedBack, unlessChanged } from '../../cli/topics/vouchers/undo.ts'
import { enableVoucher, getVoucher } from '../../contract/vouchers.ts'

export default class Enable extends PromoCommand {
  static override summary = 'Switch vouchers on again: one, many, or a whole file'
  static override description =
    'Every row of a file is checked before the first request. A voucher that is already on stays on. Each row ends with exactly one outcome; the exit code is the worst of them.'
  static override examples = [
    'promo vouchers enable WELCOME-001 --profile sandbox',
    '(echo code; seq -f GIFT-%03g 1 8) > codes.csv; promo vouchers enable --from codes.csv --profile sandbox --yes',
    'seq -f GIFT-%03g 1 8 | promo vouchers enable --from - --input-format lines --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [enableVoucher, getVoucher]
  static override undo = switchedBack('vouchers:disable')
  static override args = voucherCodes
  static override asks = { code: { unless: ['from'] } }
  static override flags = { ...callFlags, ...bulkFlags, ...proveFlag, ...writeFlags }

  async run() {
    const { args, flags } = await this.input(Enable)
    await this.runBulk(args.code, flags, {
      words: { noun: 'voucher', verb: 'enable', done: 'enabled', unchanged: 'already on', key: 'code' },
      endpoint: enableVoucher,
      request: ({ key }) => ({ path: { code: key } }),
      results: { updated_at: 'updated_at' },
      leftAlone: unlessChanged(true),
      ...proofOfChange(flags['prove-change']),
    })
  }
}
