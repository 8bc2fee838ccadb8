import { bulkCommand } from '../../cli/declared.ts'
import { proveFlag } from '../../cli/flags/flags.ts'
import { proofOfChange } from '../../cli/topics/vouchers/changed.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import { switchedBack, unlessChanged } from '../../cli/topics/vouchers/undo.ts'
import { enableVoucher, getVoucher } from '../../contract/vouchers.ts'

export default bulkCommand({
  summary: 'Switch vouchers on again: one, many, or a whole file',
  description:
    'Every row of a file is checked before the first request. A voucher that is already on stays on. Each row ends with exactly one outcome; the exit code is the worst of them.',
  examples: [
    'promo vouchers enable WELCOME-001 --profile sandbox',
    '(echo code; seq -f GIFT-%03g 1 8) > codes.csv; promo vouchers enable --from codes.csv --profile sandbox --yes',
    'seq -f GIFT-%03g 1 8 | promo vouchers enable --from - --input-format lines --dry-run --profile sandbox',
  ],
  endpoint: enableVoucher,
  looks: [getVoucher],
  undo: switchedBack('vouchers:disable'),
  args: voucherCodes,
  asks: { code: { unless: ['from'] } },
  flags: proveFlag,
  words: { noun: 'voucher', verb: 'enable', done: 'enabled', unchanged: 'already on', key: 'code' },
  results: { updated_at: 'updated_at' },
  leftAlone: unlessChanged(true),
  rows: ({ flags }) => ({ request: ({ key }) => ({ path: { code: key } }), ...proofOfChange(flags['prove-change']) }),
})
