import { argument, textFlag } from '../../../cli/flags/kinds.ts'
import { exportCommand } from '../../../cli/topics/exports/command.ts'
import { transactionExportBody, transactionExportFlags } from '../../../cli/topics/exports/transactions.ts'
import { exportCampaignCardTransactions, exportCardTransactions } from '../../../contract/loyalty.ts'

export default exportCommand('Export the transactions of a loyalty card, and optionally wait for the CSV file', {
  examples: [
    'promo loyalty transactions export CLUB-001 --profile sandbox',
    'promo loyalty transactions export CLUB-001 --fields created_at,amount,balance --order -created_at --wait --profile sandbox',
    'promo loyalty transactions export CLUB-004 --since 2026-02-01 --wait --profile sandbox',
    'promo loyalty transactions export CLUB-001 --campaign "Bean Club" --wait --out club-001.csv --profile sandbox',
  ],
  args: { card: argument('the code of a loyalty card') },
  flags: {
    campaign: textFlag('the campaign of the card, by id or name'),
    ...transactionExportFlags,
  },
  calls: [exportCardTransactions, exportCampaignCardTransactions],
  started: ({ args, flags }, clock) => ({
    endpoint: flags.campaign === undefined ? exportCardTransactions : exportCampaignCardTransactions,
    request: {
      path: { memberId: args.card, ...(flags.campaign !== undefined && { campaignId: flags.campaign }) },
      body: transactionExportBody(flags, clock),
    },
  }),
})
