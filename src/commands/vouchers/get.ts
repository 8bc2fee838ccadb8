import { readCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { toldState } from '../../cli/topics/vouchers/state.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { voucherColumns } from '../../output/columns/vouchers.ts'

export default readCommand('Show one voucher, by code or id', {
  description:
    'For people `state` says whether it can be used now, for which its campaign is read where the voucher is on; JSON has the answer of the service alone.',
  examples: [
    'promo vouchers get WELCOME-001 --profile sandbox',
    "promo vouchers get WELCOME-001 --json --query 'redemption.redeemed_quantity' --profile sandbox",
  ],
  endpoint: getVoucher,
  looks: [getCampaign],
  columns: voucherColumns,
  told: toldState,
  args: { code: argument('a voucher code or a voucher id') },
  request: ({ args }) => ({ path: { code: args.code } }),
})
