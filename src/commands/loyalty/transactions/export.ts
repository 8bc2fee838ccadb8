import { Args, Flags } from '@oclif/core'
import type { z } from 'zod'
import { PromoCommand } from '../../../cli/command.ts'
import { exportFilters } from '../../../cli/flags/filters.ts'
import { confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../../cli/flags/flags.ts'
import { nameList } from '../../../cli/flags/values.ts'
import { confirmWrite } from '../../../cli/prompt/confirm.ts'
import { actionOf, showAnswer, showPlan, withWriteClient } from '../../../cli/request/write.ts'
import { downloadExport, mustTakeFileAsItIs, shownExport } from '../../../cli/topics/exports/file.ts'
import { finishedExport, waitFlags } from '../../../cli/topics/exports/wait.ts'
import { getExport, type transactionExport, transactionFields } from '../../../contract/exports.ts'
import { exportCampaignCardTransactions, exportCardTransactions } from '../../../contract/loyalty.ts'
import { exportColumns } from '../../../output/columns/exports.ts'

export default class Export extends PromoCommand {
  static override summary = 'Export the transactions of a loyalty card, and optionally wait for the CSV file'
  static override description =
    'Without --wait it shows the export, which the service continues by itself; `exports download` fetches its file later. With --wait, the file is written byte for byte as the service made it: to stdout, or with --out to a file, complete or not at all.'
  static override examples = [
    '<%= config.bin %> loyalty transactions export CLUB-001 --profile sandbox',
    '<%= config.bin %> loyalty transactions export CLUB-001 --fields created_at,amount,balance --order -created_at --wait --profile sandbox',
    '<%= config.bin %> loyalty transactions export CLUB-004 --since 2026-02-01 --wait --profile sandbox',
    '<%= config.bin %> loyalty transactions export CLUB-001 --campaign "Bean Club" --wait --out club-001.csv --profile sandbox',
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
    if (flags.wait) mustTakeFileAsItIs(flags)
    const { campaign } = flags
    const path = { memberId: args.card, ...(campaign !== undefined && { campaignId: campaign }) }
    const endpoint = campaign === undefined ? exportCardTransactions : exportCampaignCardTransactions
    const { order, fields } = flags
    const filters = exportFilters(flags, this.host.now())
    const parameters = { ...(order !== undefined && { order }), ...(fields && { fields }), ...(filters && { filters }) }
    // The contract checks the names; here they are strings.
    const body = Object.keys(parameters).length > 0 ? ({ parameters } as z.input<typeof transactionExport>) : undefined
    const request = { path, body }

    await withWriteClient(flags, this, Export.columns, endpoint, async ({ client, profile, planOnly }) => {
      const plan = client.plan(endpoint, request)
      if (planOnly) return await showPlan([plan], flags, this.host)
      await confirmWrite({ profile, flags, host: this.host, action: actionOf(endpoint), asks: false })
      const exchange = await client.exchange(endpoint, request)
      // The contract says `duplicate`: only a taken key or a missing object can prove what a lost answer did not say.
      if (exchange.outcome !== 'confirmed') throw new Error('an export cannot be inferred')
      const { answer: job, attempts } = exchange
      if (attempts > 1)
        this.messages(flags).warn('warning: the export was requested more than once, so a second one may exist')
      if (!flags.wait) return await showAnswer(shownExport(job, flags), Export.columns, flags, this.host)
      this.messages(flags).say(`started export ${job.id}`)
      await downloadExport(client, await finishedExport(client, job.id, flags, this.host), flags, this.host)
    })
  }
}
