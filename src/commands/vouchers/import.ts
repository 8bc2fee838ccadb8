import { shellWord } from '../../base/shell-word.ts'
import { importCommand } from '../../cli/topics/async/import-command.ts'
import { importVouchersCsv, voucherCsv } from '../../contract/bulk.ts'

export default importCommand('Import vouchers from a CSV file, in one request', {
  description:
    'The service works on the file in the background; --wait shows the result. A code that exists is changed. For files above 10 MB, and to know the outcome of every row, use `vouchers create --from`.',
  examples: [
    'printf "Code,Voucher Type,Discount Type,Value\\nTEN-1,DISCOUNT_VOUCHER,PERCENT,10\\n" > vouchers.csv; promo vouchers import vouchers.csv --wait --yes --profile sandbox',
    'printf "Code,Voucher Type,Discount Type,Value\\nTEN-1,DISCOUNT_VOUCHER,PERCENT,10\\n" | promo vouchers import - --dry-run --profile sandbox',
  ],
  endpoint: importVouchersCsv,
  csv: voucherCsv,
  otherwise: ({ file = '' }) =>
    `promo vouchers create --from ${shellWord(file)}, which reads other headers; --map gives a column another name`,
  action: (rows) => `import ${rows} of vouchers, and change those whose code exists`,
})
