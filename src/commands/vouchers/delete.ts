import { bulkCommand } from '../../cli/declared/bulk.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { voucherCodes } from '../../cli/topics/vouchers/codes.ts'
import { voucherFilters } from '../../cli/topics/vouchers/filters.ts'
import { deleteVoucher } from '../../contract/vouchers.ts'

export default bulkCommand('Delete vouchers: one, many, or a whole file', {
  description:
    'A deleted voucher goes to the bin, where its code stays taken; with --force it is deleted permanently, with its redemptions. Asks for confirmation even for a single voucher.',
  examples: [
    'promo vouchers delete SORRY5 --yes --profile sandbox',
    'seq -f GIFT-%03g 1 8 | promo vouchers delete --from - --input-format lines --force --dry-run --profile sandbox',
  ],
  calls: [deleteVoucher],
  instead: 'promo vouchers create --help',
  args: voucherCodes,
  asks: { code: { unless: ['from'] } },
  flags: { force: switchFlag('delete permanently, without the bin') },
  words: { noun: 'voucher', verb: 'delete', done: 'deleted', unchanged: 'already gone', key: 'code' },
  onDuplicate: 'fold',
  choosing: voucherFilters,
  rows: ({ flags: { force } }) => ({
    request: ({ key }) => ({ path: { code: key }, query: force ? { force: true } : {} }),
  }),
})
