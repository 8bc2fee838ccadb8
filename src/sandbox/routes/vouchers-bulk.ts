// Vouchers, many at once: metadata in bulk, and imports from JSON and CSV. Source: docs/service/vouchers.md#bulk-and-imports.
import type { z } from 'zod'
import * as contract from '../../contract/bulk.ts'
import { newVoucher } from '../../contract/new-voucher.ts'
import { campaignOf } from '../answers/campaign-facts.ts'
import { voucherAnswer } from '../answers/vouchers.ts'
import { checkBody } from '../http/check-input.ts'
import { invalidPayload } from '../http/refusal.ts'
import { type Context, type Resource, route } from '../http/route.ts'
import type { CsvRow } from '../resources/async-actions/csv.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { type RowUpdate, rowWork } from '../resources/async-actions/row-work.ts'
import { anyMetadata, anyRows, metadataReader } from '../resources/async-actions/rows.ts'
import { checkMetadata } from '../resources/metadata/check.ts'
import { mergeMetadata, storeUpdate } from '../resources/update.ts'
import { createVoucher, type NewVoucher } from '../resources/vouchers/create.ts'
import { redeemedIn, voucherIn } from '../resources/vouchers/csv-row.ts'
import { updateVoucher } from '../resources/vouchers/update.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

type VoucherRow = z.output<typeof contract.bulkVoucher>

const update = rowWork<VoucherRow, null>('VOUCHERS.BULK_UPDATE', 'voucher', {
  key: { name: 'code', of: ({ code }) => code },
  begin: (_, context) => (row) => {
    const { code, metadata } = checkBody(contract.bulkVoucher, row)
    return withMetadata(code, metadata, context)
  },
})

const metadataUpdate = rowWork<string, { metadata: Record<string, unknown> }>('VOUCHERS.METADATA_UPDATE', 'voucher', {
  key: { name: 'code', of: (code) => code },
  begin:
    ({ metadata }, context) =>
    (code) =>
      withMetadata(code, metadata, context),
})

function withMetadata(code: string, given: Record<string, unknown>, context: Context): RowUpdate {
  const voucher = context.in(vouchers).findByKey(code)
  if (!voucher) return { found: false, updated: false }
  const metadata = mergeMetadata(voucher.metadata, given)
  checkMetadata(context, 'voucher', metadata)
  storeUpdate(vouchers, voucher, { ...voucher, metadata }, context)
  return { found: true, updated: true }
}

type ImportedVoucher = z.output<typeof contract.importedVoucher>

const jsonImport = rowWork<ImportedVoucher, null>('VOUCHERS.IMPORT', 'voucher', {
  key: { name: 'code', of: ({ code }) => code },
  begin: (_, context) => (row) => {
    const { code, ...body } = checkBody(contract.importedVoucher, row, 'absent')
    createVoucher(code, body, context)
    return undefined
  },
})

// Published: only a CSV import announces its vouchers, if it is asked to; and then also those that it did not change.
const csvImport = rowWork<CsvRow, { isAnnounced: boolean }>('VOUCHERS.IMPORT_CSV', 'voucher', {
  key: { name: 'code', of: ({ cells }) => cells.Code },
  begin: ({ isAnnounced }, context) => {
    const metadataIn = metadataReader('voucher', context)
    return (row) => {
      const code = row.cells.Code
      if (code === undefined) throw invalidPayload('Column Code must not be empty')
      const before = context.in(vouchers).findByKey(code)
      const metadata = metadataIn(row)
      const given = { ...voucherIn(row, before?.type), ...(Object.keys(metadata).length > 0 && { metadata }) }
      const body = checkBody(newVoucher, given)
      const after = before
        ? changeVoucher(before, body, row, context)
        : withRedeemed(createVoucher(code, body, context), row, context)
      if (isAnnounced) announce(before ? 'voucher.updated' : 'voucher.created', after, context)
      return undefined
    }
  },
})

/** Changes a voucher that exists to what its line says. Throws 400 for what cannot be changed, such as the type. */
function changeVoucher(before: StoredVoucher, body: NewVoucher, row: CsvRow, context: Context): StoredVoucher {
  const { type, gift, loyalty_card, redemption, campaign: _c, campaign_id: _i, validation_rules: _r, ...changes } = body
  if (type !== undefined && type !== before.type) throw invalidPayload(`The voucher exists as a ${before.type}`)
  if (
    (gift && gift.amount !== before.gift?.amount) ||
    (loyalty_card && loyalty_card.points !== before.loyalty_card?.points)
  )
    throw invalidPayload('The value of a card that exists cannot be changed by an import')
  const { doc } = updateVoucher(before, changes, context)
  const quantity = redemption?.quantity
  const limited =
    quantity === undefined ? doc : { ...doc, redemption: { ...doc.redemption, quantity: quantity ?? null } }
  return withRedeemed(storeUpdate(vouchers, doc, limited, context).doc, row, context)
}

function withRedeemed(voucher: StoredVoucher, row: CsvRow, context: Context): StoredVoucher {
  const after = redeemedIn(row, voucher)
  if (after !== voucher) context.in(vouchers).update(after)
  return after
}

function announce(type: string, voucher: StoredVoucher, context: Context): void {
  context.emit(type, voucher.id, { voucher: voucherAnswer(voucher, context), ...campaignOf(voucher, context) })
}

/** Updates and imports of vouchers; each is an asynchronous action. */
export const voucherBulkResource: Resource = {
  jobs: Object.fromEntries([update, metadataUpdate, jsonImport, csvImport].map(({ kind, job }) => [kind, job])),
  routes: [
    route({ ...contract.updateVouchers, body: anyRows }, ({ body }, context) =>
      answerStarted(update.start(body ?? [], null, context)),
    ),
    route({ ...contract.updateVouchersMetadata, body: anyMetadata('codes') }, ({ body }, context) =>
      answerStarted(metadataUpdate.start(body?.codes ?? [], { metadata: body?.metadata ?? {} }, context)),
    ),
    route(contract.updateVouchersNow, ({ body }, context) => update.now(body, null, context)),
    route(contract.updateVouchersMetadataNow, ({ body: { codes, metadata } }, context) =>
      metadataUpdate.now(codes, { metadata }, context),
    ),
    route({ ...contract.importVouchers, body: anyRows.unwrap().unwrap() }, ({ body }, context) =>
      answerStarted(jsonImport.start(body, null, context)),
    ),
    route(contract.importVouchersCsv, ({ body: { file, webhooks_enable } }, context) => {
      const about = { isAnnounced: webhooks_enable === 'true' }
      return answerStarted(csvImport.startCsv(file, contract.voucherCsv, about, context))
    }),
  ],
}
