import { Args, Flags } from '@oclif/core'
import type { z } from 'zod'
import { PromoCommand } from '../../../cli/command.ts'
import { exportFilters } from '../../../cli/flags/filters.ts'
import { confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../../cli/flags/flags.ts'
import { nameList } from '../../../cli/flags/values.ts'
import { startExport, waitDescription } from '../../../cli/topics/exports/start.ts'
import { waitFlags } from '../../../cli/topics/exports/wait.ts'
import { getExport, type transactionExport, transactionFields } from '../../../contract/exports.ts'
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
  static override args = {
    card: Args.string({ description: 'the code of a loyalty card', ignoreStdin: true, required: true }),
  }
  static override flags = {
    ...serviceFlags,
    ...outputFlags,
    campaign: Flags.string({ description: 'the campaign the card must belong to, by id or name' }),
    fields: Flags.custom<string[]>({ parse: async (text) => nameList(text) })({
      description: `the columns of the file: ${transactionFields.join(', ')}`,
      helpValue: 'a,b',
    }),
    since: Flags.string({
      description: 'only from this time on: a day (in UTC), an instant, or an age like 7d',
      helpValue: 'TIME',
    }),
    until: Flags.string({ description: 'only up to this time; a day counts to its end', helpValue: 'TIME' }),
    filter: Flags.string({
      description: 'a filter that the service applies, like created_at:$less_than=30; may be repeated',
      helpValue: 'field=value',
      multiple: true,
      multipleNonGreedy: true,
    }),
    order: Flags.string({
      description: 'the field to order the rows by; a leading - means descending',
      helpValue: 'FIELD',
    }),
    ...waitFlags,
    ...confirmFlags,
    ...dryRunFlag,
  }

  async run() {
    const { args, flags } = await this.input(Export)
    const { campaign } = flags
    const path = { memberId: args.card, ...(campaign !== undefined && { campaignId: campaign }) }
    const endpoint = campaign === undefined ? exportCardTransactions : exportCampaignCardTransactions
    const { order, fields } = flags
    const filters = exportFilters(flags, this.host.now())
    const parameters = { ...(order !== undefined && { order }), ...(fields && { fields }), ...(filters && { filters }) }
    // The contract checks the names; here they are strings.
    const body = Object.keys(parameters).length > 0 ? ({ parameters } as z.input<typeof transactionExport>) : undefined
    await startExport(flags, endpoint, { path, body }, this)
  }
}
