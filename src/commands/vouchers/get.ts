import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { toldState } from '../../cli/topics/vouchers/state.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { listRedemptions } from '../../contract/redemptions.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { voucherColumns } from '../../output/columns/vouchers.ts'

export default readCommand('Show one voucher, by code or id', {
  description:
    "In a table, `state` says whether the voucher can be used now; for that promo reads the campaign of an active voucher. JSON has only the service's answer.",
  examples: [
    'promo vouchers get WELCOME-001 --profile sandbox',
    'promo vouchers get WELCOME-003 --explain --profile sandbox',
    "promo vouchers get WELCOME-001 --json --query 'redemption.redeemed_quantity' --profile sandbox",
  ],
  calls: [getVoucher, getCampaign, listRedemptions],
  columns: voucherColumns,
  told: toldState,
  explains: async () => (await import('../../cli/reasons/voucher.ts')).explainVoucher,
  several: { noun: 'voucher', key: 'code' },
  args: { code: argument('a voucher code or a voucher id') },
  request: ({ args }) => ({ path: { code: args.code } }),
})
