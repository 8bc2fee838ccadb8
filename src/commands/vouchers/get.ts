import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { voucherColumns } from '../../output/columns/vouchers.ts'

export default readCommand({
  summary: 'Show one voucher, by code or id',
  examples: [
    'promo vouchers get WELCOME-001 --profile sandbox',
    "promo vouchers get WELCOME-001 --json --query 'redemption.redeemed_quantity' --profile sandbox",
  ],
  endpoint: getVoucher,
  columns: voucherColumns,
  args: { code: Args.string({ description: 'a voucher code or a voucher id', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { code: args.code } }),
})
