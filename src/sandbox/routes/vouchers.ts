// The voucher calls.
// Source: docs/service/vouchers.md#create; docs/service/vouchers.md#disable; docs/service/vouchers.md#calls;
// docs/service/vouchers.md#create-with-a-generated-code.
import type { z } from 'zod'
import type { generateVoucher as endpoint } from '../../contract/new-voucher.ts'
import * as writing from '../../contract/new-voucher.ts'
import * as lists from '../../contract/voucher-lists.ts'
import * as contract from '../../contract/vouchers.ts'
import { campaignOf } from '../answers/campaign-facts.ts'
import { findOr404, routesFor } from '../answers/existing.ts'
import { publicationAnswers } from '../answers/publications.ts'
import { redemptionAnswers } from '../answers/redemptions.ts'
import { voucherAnswer } from '../answers/vouchers.ts'
import { type Context, pageAnswer, type Resource, route, withMembers } from '../http/route.ts'
import { checkCodeConfig } from '../resources/campaigns/new-campaign.ts'
import { invalidCampaign } from '../resources/campaigns/programs.ts'
import { formOf, freeCode } from '../resources/campaigns/vouchers.ts'
import { activityOf } from '../resources/events/activity.ts'
import type { UpdateResult } from '../resources/update.ts'
import { createVoucher } from '../resources/vouchers/create.ts'
import { voucherPage } from '../resources/vouchers/list.ts'
import { loadVoucher } from '../resources/vouchers/load.ts'
import { findReferencedCampaign } from '../resources/vouchers/references.ts'
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
        show: (items) => redemptionAnswers(items, context),
      }),
    ),
    routeFor(lists.listVoucherPublications, ({ id }, context, { query }) =>
      pageAnswer(publications, query, context, {
        where: [includesVoucher(id)],
        ref: 'publications',
        show: (items) => publicationAnswers(items, context),
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
function generateVoucher(
  { code, code_config, ...body }: z.output<NonNullable<(typeof endpoint)['body']>>,
  context: Context,
): StoredVoucher {
  if (code !== undefined) return createVoucher(code, body, context)
  const campaign = findReferencedCampaign(body, context)
  if (campaign?.type === 'STANDALONE') throw invalidCampaign('A campaign of type STANDALONE does not generate codes')
  const form = code_config ? checkCodeConfig(code_config) : campaign ? formOf(campaign, undefined) : {}
  return createVoucher(freeCode(form, context), body, context)
}
