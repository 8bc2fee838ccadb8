// The voucher calls.
// Source: docs/service/vouchers.md#create; docs/service/vouchers.md#disable; docs/service/vouchers.md#calls;
// docs/service/vouchers.md#create-with-a-generated-code.

import type { z } from 'zod'
import * as bulk from '../../contract/bulk.ts'
import * as writing from '../../contract/new-voucher.ts'
import { type generateVoucher as endpoint, newVoucher } from '../../contract/new-voucher.ts'
import * as lists from '../../contract/voucher-lists.ts'
import * as contract from '../../contract/vouchers.ts'
import { campaignOf } from '../answers/campaign-facts.ts'
import { findOr404, routesFor } from '../answers/existing.ts'
import { publicationAnswers } from '../answers/publications.ts'
import { redemptionAnswers } from '../answers/redemptions.ts'
import { voucherAnswer } from '../answers/vouchers.ts'
import { checkBody } from '../http/check-input.ts'
import { invalidPayload } from '../http/refusal.ts'
import { type BodyOf, type Context, pageAnswer, type Resource, route, withMembers } from '../http/route.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { type RowUpdate, rowWork } from '../resources/async-actions/row-work.ts'
import { anyMetadata, anyRows, type CsvRow, metadataReader } from '../resources/async-actions/rows.ts'
import { checkCodeConfig } from '../resources/campaigns/new-campaign.ts'
import { invalidCampaign } from '../resources/campaigns/programs.ts'
import { formOf, freeCode } from '../resources/campaigns/vouchers.ts'
import { activityOf } from '../resources/events/activity.ts'
import { checkMetadata } from '../resources/metadata/check.ts'
import { mergeMetadata, storeUpdate, type UpdateResult } from '../resources/update.ts'
import { createVoucher, loadVoucher, type NewVoucher } from '../resources/vouchers/create.ts'
import { redeemedIn, voucherIn } from '../resources/vouchers/csv-row.ts'
import { voucherPage } from '../resources/vouchers/list.ts'
import { findReferencedCampaign } from '../resources/vouchers/parts.ts'
import { deleteVoucher, setVoucherActive, updateVoucher } from '../resources/vouchers/update.ts'
import { is } from '../storage/conditions.ts'
import { includesVoucher, publications } from '../stores/publications.ts'
import { redemptions } from '../stores/redemptions.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

const routeFor = routesFor('code', (code, context) => findOr404(vouchers, code, context))

/** Vouchers, by code or id. */
export const voucherResource: Resource = {
  collections: [vouchers],
  load: { vouchers: loadVoucher },
  routes: [
    route(writing.createVoucher, ({ path, body }, context) =>
      answerCreated(createVoucher(path.code, body, context), context),
    ),
    route(writing.generateVoucher, ({ body }, context) => answerCreated(generateVoucher(body, context), context)),
    routeFor(lists.listVoucherRedemptions, ({ id }, context, { query }) =>
      pageAnswer(redemptions, query, context, {
        where: [is(redemptions, 'related_object_id', id)],
        ref: 'redemptions',
        show: redemptionAnswers,
      }),
    ),
    routeFor(lists.listVoucherPublications, ({ id }, context, { query }) =>
      pageAnswer(publications, query, context, {
        where: [includesVoucher(id)],
        ref: 'publications',
        show: publicationAnswers,
      }),
    ),
    routeFor(lists.listVoucherActivity, (voucher, context, { query }) => activityOf(voucher, query, context)),
    routeFor(contract.getVoucher, (voucher, context) => voucherAnswer(voucher, context)),
    route(lists.listVouchers, ({ query }, context) => voucherPage(query, context)),
    routeFor(writing.updateVoucher, (voucher, context, { body }) =>
      answerChange('voucher.updated', updateVoucher(voucher, body, context), context),
    ),
    routeFor(contract.disableVoucher, (voucher, context) =>
      answerChange('voucher.disabled', setVoucherActive(voucher, false, context), context),
    ),
    routeFor(contract.enableVoucher, (voucher, context) =>
      answerChange('voucher.enabled', setVoucherActive(voucher, true, context), context),
    ),
    routeFor(contract.deleteVoucher, (voucher, context, { query }) => {
      recordEvent('voucher.deleted', voucherAnswer(voucher, context), context)
      deleteVoucher(voucher, query.force ?? false, context)
    }),
  ],
}

function answerCreated(voucher: StoredVoucher, context: Context) {
  const answer = voucherAnswer(voucher, context)
  recordEvent('voucher.created', answer, context)
  return answer
}

function answerChange(type: string, { doc: voucher, isChanged }: UpdateResult<StoredVoucher>, context: Context) {
  const answer = voucherAnswer(voucher, context)
  // The event has the same voucher: it is written as JSON once.
  const text = JSON.stringify(answer)
  if (isChanged) recordEvent(type, answer, context, text)
  return text
}

type Shown = ReturnType<typeof voucherAnswer>

function recordEvent(type: string, voucher: Shown, context: Context, text = JSON.stringify(voucher)): void {
  const campaign = campaignOf(voucher, context)
  context.emit(type, voucher.id, { voucher, ...campaign }, withMembers(`{"voucher":${text}}`, campaign))
}

/** Creates a voucher under the `code` of the body, or a generated one. Throws 400, 404 or 409. */
function generateVoucher({ code, code_config, ...body }: BodyOf<typeof endpoint>, context: Context): StoredVoucher {
  if (code !== undefined) return createVoucher(code, body, context)
  const campaign = findReferencedCampaign(body, context)
  if (campaign?.type === 'STANDALONE') throw invalidCampaign('A campaign of type STANDALONE does not generate codes')
  const form = code_config ? checkCodeConfig(code_config) : campaign ? formOf(campaign, undefined) : {}
  return createVoucher(freeCode(form, context), body, context)
}

// Vouchers, many at once: metadata in bulk, and imports from JSON and CSV. Source: docs/service/vouchers.md#bulk-and-imports.

type VoucherRow = z.output<typeof bulk.bulkVoucher>

const update = rowWork<VoucherRow, null>('VOUCHERS.BULK_UPDATE', 'voucher', {
  key: { name: 'code', of: ({ code }) => code },
  begin: (_, context) => (row) => {
    const { code, metadata } = checkBody(bulk.bulkVoucher, row)
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

type ImportedVoucher = z.output<typeof bulk.importedVoucher>

const jsonImport = rowWork<ImportedVoucher, null>('VOUCHERS.IMPORT', 'voucher', {
  key: { name: 'code', of: ({ code }) => code },
  begin: (_, context) => (row) => {
    const { code, ...body } = checkBody(bulk.importedVoucher, row, 'absent')
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
    route({ ...bulk.updateVouchers, body: anyRows }, ({ body }, context) =>
      answerStarted(update.start(body ?? [], null, context)),
    ),
    route({ ...bulk.updateVouchersMetadata, body: anyMetadata('codes') }, ({ body }, context) =>
      answerStarted(metadataUpdate.start(body?.codes ?? [], { metadata: body?.metadata ?? {} }, context)),
    ),
    route(bulk.updateVouchersNow, ({ body }, context) => update.now(body, null, context)),
    route(bulk.updateVouchersMetadataNow, ({ body: { codes, metadata } }, context) =>
      metadataUpdate.now(codes, { metadata }, context),
    ),
    route({ ...bulk.importVouchers, body: anyRows.unwrap().unwrap() }, ({ body }, context) =>
      answerStarted(jsonImport.start(body, null, context)),
    ),
    route(bulk.importVouchersCsv, ({ body: { file, webhooks_enable } }, context) => {
      const about = { isAnnounced: webhooks_enable === 'true' }
      return answerStarted(csvImport.startCsv(file, bulk.voucherCsv, about, context))
    }),
  ],
}
