import { bulkCommand } from '../../cli/declared.ts'
import { proveFlag } from '../../cli/flags/flags.ts'
import { proofOfChange } from '../../cli/topics/vouchers/changed.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import { switchedBack, unlessChanged } from '../../cli/topics/vouchers/undo.ts'
import { disableVoucher, getVoucher } from '../../contract/vouchers.ts'

export default bulkCommand({
  summary: 'Switch vouchers off: one, many, or a whole file',
  description:
    'Every row of a file is checked before the first request. A voucher that is already off stays off. Each row ends with exactly one outcome; the exit code is the worst of them.',
  examples: [
    'promo vouchers disable WELCOME-001 --profile sandbox',
    '(echo code; seq -f GIFT-%03g 1 8) > codes.csv; promo vouchers disable --from codes.csv --profile sandbox --yes',
    'seq -f GIFT-%03g 1 8 | promo vouchers disable --from - --input-format lines --dry-run --profile sandbox',
  ],
  endpoint: disableVoucher,
  looks: [getVoucher],
  undo: switchedBack('vouchers:enable'),
  args: voucherCodes,
  asks: { code: { unless: ['from'] } },
  flags: proveFlag,
  words: { noun: 'voucher', verb: 'disable', done: 'disabled', unchanged: 'already off', key: 'code' },
  results: { updated_at: 'updated_at' },
  leftAlone: unlessChanged(false),
  rows: ({ flags }) => ({ request: ({ key }) => ({ path: { code: key } }), ...proofOfChange(flags['prove-change']) }),
})
