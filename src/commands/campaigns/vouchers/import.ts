import { argumentWords, shellWord } from '../../../base/shell-word.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { quotedValue } from '../../../cli/prompt/asked-value.ts'
import { importCommand } from '../../../cli/topics/async/import-command.ts'
import { campaignVoucherCsv, importCampaignVouchersCsv } from '../../../contract/bulk.ts'

export default importCommand('Import codes into a campaign from a CSV file, in one request', {
  description:
    'The service reads Code, Active, Category and, for cards, Gift Amount (50 is 50.00), Loyalty Points, Redeemed Amount and Redeemed Quantity. Other columns become metadata; discount and dates are those of the campaign. It works in the background; --wait shows the result. For files above 10 MB, or an outcome for every row, use `campaigns vouchers add --from`.',
  examples: [
    'printf "Code\\nSPRING-BEN\\nSPRING-EVE\\n" > codes.csv; promo campaigns vouchers import "Spring mailing" codes.csv --wait --yes --profile sandbox',
    'printf "Code\\nSPRING-BEN\\n" | promo campaigns vouchers import "Spring mailing" - --dry-run --profile sandbox',
  ],
  endpoint: importCampaignVouchersCsv,
  csv: campaignVoucherCsv,
  args: { campaign: argument('a campaign, by id or name') },
  path: ({ campaign = '' }) => ({ campaignId: campaign }),
  otherwise: ({ campaign = '', file = '' }) =>
    `promo campaigns vouchers add --from ${shellWord(file)} ${argumentWords(campaign)}, which reads other headers; --map gives a column another name`,
  action: (rows, { campaign }) => `import ${rows} of codes into campaign ${quotedValue(`${campaign}`)}`,
})
