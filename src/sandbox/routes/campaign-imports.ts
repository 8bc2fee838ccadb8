// Codes of one's own for a campaign, many at once, from JSON and CSV. Source: docs/service/campaigns.md#import.
import type { z } from 'zod'
import * as contract from '../../contract/bulk.ts'
import { newCampaignVoucher } from '../../contract/new-campaign.ts'
import { campaignAnswer } from '../answers/campaigns.ts'
import { findOr404 } from '../answers/existing.ts'
import { checkBody } from '../http/check-input.ts'
import { invalidPayload, refused } from '../http/refusal.ts'
import { type Context, type JobContext, type Resource, route } from '../http/route.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { rowWork } from '../resources/async-actions/row-work.ts'
import { anyRows, type CsvRow, metadataReader } from '../resources/async-actions/rows.ts'
import { checkCodeCapacity } from '../resources/campaigns/new-campaign.ts'
import { addVoucher, voucherTemplate } from '../resources/campaigns/vouchers.ts'
import { redeemedIn, voucherIn } from '../resources/vouchers/csv-row.ts'
import { is } from '../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../stores/campaigns.ts'
import { vouchers } from '../stores/vouchers.ts'

interface About {
  campaign_id: string
}

type ImportedCode = z.output<typeof contract.importedCode>

const jsonImport = rowWork<ImportedCode, About>('CAMPAIGN.VOUCHERS_IMPORT', 'voucher', {
  key: { name: 'code', of: ({ code }) => code },
  begin: ({ campaign_id }, context) => {
    const campaign = findOr404(campaigns, campaign_id, context)
    return (row) => {
      const { code, ...differences } = checkBody(contract.importedCode, row, 'absent')
      addVoucher(campaign, code, differences, context)
      return undefined
    }
  },
  onEnd: announceCodes,
})

const csvImport = rowWork<CsvRow, About>('CAMPAIGN.VOUCHERS_IMPORT_CSV', 'voucher', {
  key: { name: 'code', of: ({ cells }) => cells.Code },
  begin: ({ campaign_id }, context) => {
    const campaign = findOr404(campaigns, campaign_id, context)
    const metadataIn = metadataReader('voucher', context)
    return (row) => {
      const { Code: code } = row.cells
      if (code === undefined) throw invalidPayload('Column Code must not be empty')
      const metadata = metadataIn(row)
      const differences = {
        ...voucherIn(row, campaign.voucher?.type),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      }
      const made = addVoucher(campaign, code, checkBody(newCampaignVoucher, differences), context)
      const after = redeemedIn(row, made)
      if (after !== made) context.in(vouchers).update(after)
      return undefined
    }
  },
  onEnd: announceCodes,
})

// ASSUMED A1159: imported codes are announced like generated ones that come to an existing campaign, once for all of them.
function announceCodes({ campaign_id }: About, count: number, context: JobContext): void {
  const campaign = context.in(campaigns).get(campaign_id)
  if (campaign && count > 0)
    context.emit('campaign.vouchers.added', campaign.id, { campaign: campaignAnswer(campaign, context), count })
}

/** Imports of codes into campaigns; each is an asynchronous action. */
export const campaignImportResource: Resource = {
  jobs: Object.fromEntries([jsonImport, csvImport].map(({ kind, job }) => [kind, job])),
  routes: [
    route({ ...contract.importCampaignVouchers, body: anyRows.unwrap().unwrap() }, ({ path, body }, context) => {
      const campaign = takesCodes(path.campaignId, body.length, context)
      mustBeFree(body, context)
      return answerStarted(jsonImport.start(body, { campaign_id: campaign.id }, context))
    }),
    route(contract.importCampaignVouchersCsv, ({ path, body: { file } }, context) => {
      const { id: campaign_id } = takesCodes(path.campaignId, 0, context)
      return answerStarted(csvImport.startCsv(file, contract.campaignVoucherCsv, { campaign_id }, context), 200)
    }),
  ],
}

function takesCodes(idOrName: string, count: number, context: Context): StoredCampaign {
  const campaign = findOr404(campaigns, idOrName, context)
  voucherTemplate(campaign, undefined, context)
  const present = context.in(vouchers).count([is(vouchers, 'campaign_id', campaign.id)])
  checkCodeCapacity(campaign.voucher, present, count)
  return campaign
}

/** Refuses an import of codes that exist, or that it names twice. Throws 400 `invalid_voucher` or `duplicate_key`. */
function mustBeFree(rows: readonly unknown[], context: Context): void {
  const { holdsKey } = context.in(vouchers)
  const seen = new Set<string>()
  let taken = 0
  for (const row of rows) {
    const code = typeof row === 'object' && row !== null && 'code' in row ? row.code : undefined
    if (typeof code !== 'string' || code === '')
      throw refused('invalid_voucher', "Each voucher should have required property 'code'")
    if (seen.has(code) || holdsKey(code)) taken += 1
    seen.add(code)
  }
  if (taken > 0) throw refused('duplicate_key', `${taken} voucher codes(s) already exist.`)
}
