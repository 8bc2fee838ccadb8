import { listCommand } from '../../cli/declared/list.ts'
import { voucherFilters } from '../../cli/topics/vouchers/filters.ts'
import { toldState } from '../../cli/topics/vouchers/state.ts'
import { listCampaigns } from '../../contract/campaigns.ts'
import { voucherColumns } from '../../output/columns/vouchers.ts'

export default listCommand('List vouchers, newest first', {
  description:
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given. In a table, `state` says whether a code can be used now, for which promo reads the campaigns of active vouchers. CSV has `state` only if --columns names it.',
  examples: [
    'promo vouchers list --profile sandbox',
    'promo vouchers list --campaign "Spring mailing" --csv --all --out vouchers.csv --profile sandbox',
    'promo vouchers list --created-after 7d --jsonl --profile sandbox',
  ],
  ...voucherFilters,
  calls: [...voucherFilters.calls, listCampaigns],
  columns: voucherColumns,
  told: toldState,
  noun: 'vouchers',
})
