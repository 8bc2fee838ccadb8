import { Flags } from '@oclif/core'
import { PromoCommand } from '../../../cli/command.ts'
import { callFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { clockOf } from '../../../cli/request/days.ts'
import { startExport, waitDescription } from '../../../cli/topics/exports/start.ts'
import { transactionExportBody, transactionExportFlags } from '../../../cli/topics/exports/transactions.ts'
import { getExport } from '../../../contract/exports.ts'
import { exportCampaignCardTransactions, exportCardTransactions } from '../../../contract/loyalty.ts'
import { exportColumns } from '../../../output/columns/exports.ts'

export default class Export extends PromoCommand {
  static override summary = 'Export the transactions of a loyalty card, and optionally wait for the CSV file'
  static override description = waitDescription
  static override examples = [
    'promo loyalty transactions export CLUB-001 --profile sandbox',
    'promo loyalty transactions export CLUB-001 --fields created_at,amount,balance --order -created_at --wait --profile sandbox',
    'promo loyalty transactions export CLUB-004 --since 2026-02-01 --wait --profile sandbox',
    'promo loyalty transactions export CLUB-001 --campaign "Bean Club" --wait --out club-001.csv --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [exportCardTransactions, exportCampaignCardTransactions, getExport]
  static override columns = exportColumns
  static override args = { card: argument('the code of a loyalty card') }
  static override flags = {
    ...callFlags,
    campaign: Flags.string({ description: 'the campaign the card must belong to, by id or name' }),
    ...transactionExportFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Export)
    const { campaign } = flags
    const path = { memberId: args.card, ...(campaign !== undefined && { campaignId: campaign }) }
    const endpoint = campaign === undefined ? exportCardTransactions : exportCampaignCardTransactions
    const body = transactionExportBody(flags, await clockOf(flags, this.host))
    await startExport(flags, endpoint, { path, body }, this)
  }
}
