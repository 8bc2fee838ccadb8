// What a customer and an order qualify for, over the store.
// Source: docs/service/qualifications.md#redeemables-qualification; docs/service/qualifications.md#campaign-qualification.
import type { z } from 'zod'
import { withoutUndefined } from '../../base/record.ts'
import type { newQualification, qualifyVouchers as voucherEndpoint } from '../../contract/qualifications.ts'
import * as contract from '../../contract/qualifications.ts'
import { assignmentLists } from '../answers/assignments.ts'
import { qualifiedCampaignsText } from '../answers/campaigns.ts'
import { voucherAnswers } from '../answers/vouchers.ts'
import { invalidPayload, Refusal } from '../http/refusal.ts'
import { type BodyOf, type Context, listAnswer, type QueryOf, type Resource, route } from '../http/route.ts'
import { evaluationSubject } from '../resources/evaluation/request.ts'
import { snapshotOf, snapshotWithLineIds } from '../resources/evaluation/snapshot.ts'
import { clockOf } from '../rules/conditions/operators.ts'
import { qualifyCampaigns, sortedBy } from '../rules/qualification/campaigns.ts'
import { type OfferFilter, offerFilter } from '../rules/qualification/filters.ts'
import { qualifyRedeemables } from '../rules/qualification/redeemables.ts'
import { is } from '../storage/conditions.ts'
import type { StoredCampaign } from '../stores/campaigns.ts'
import { promotionStacks } from '../stores/promotions.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

// ASSUMED A204: five are listed when the request does not say; of a wallet, only the fifty newest vouchers are considered.
const listedByDefault = 5
const walletLimit = 50
const mostListed = 50

/** How many standalone codes are considered, the newest. Source: docs/service/qualifications.md#redeemables-qualification. */
const standaloneLimit = 50

/** Answers with the redeemables that fit. Throws 400 for what cannot be evaluated, and 404 for an unknown customer id. */
export function answerQualification(
  body: z.output<typeof newQualification>,
  context: Context,
): Record<string, unknown> {
  const { scenario = 'ALL', options = {}, tracking_id } = body
  const filter = offerFilter(options.filters ?? {}, clockOf({ now: context.now, timeZone: context.project.timezone }))
  if ('problem' in filter) throw invalidPayload(filter.problem)
  const answer = qualifyRedeemables(
    snapshotWithLineIds(context),
    {
      wallet: (customerId) => walletOf(customerId, filter, context),
      standalone: () => standaloneCodes(filter, context),
      stacks: () => context.in(promotionStacks).all(),
    },
    { ...evaluationSubject(body), ...(tracking_id !== undefined && { tracking_id }) },
    { id: context.id('qfl_'), now: context.now },
    {
      scenario,
      limit: Math.min(options.limit ?? listedByDefault, mostListed),
      ...(options.starting_after !== undefined && { startingAfter: new Date(options.starting_after).toISOString() }),
      expand: options.expand ?? [],
      sorting: options.sorting_rule ?? 'DEFAULT',
      isWanted: filter.matches,
      assignmentsOf: (owners) => assignmentLists(owners, context)(...owners),
    },
  )
  if ('refusal' in answer) throw new Refusal(answer.refusal)
  return answer.body
}

type VoucherQuery = QueryOf<typeof voucherEndpoint>
type VoucherContext = BodyOf<typeof voucherEndpoint>

/** Answers with the standalone vouchers that fit. Throws 404 for an unknown customer id. */
function answerVoucherQualification(
  { audienceRulesOnly, limit = mostListed, order = '-created_at' }: VoucherQuery,
  body: VoucherContext,
  context: Context,
): Record<string, unknown> {
  const answer = qualifyRedeemables(
    { ...snapshotOf(context), promotionTiers: () => [], campaigns: () => [] },
    { wallet: () => [], standalone: () => standaloneCodes({ matches: () => true }, context), stacks: () => [] },
    evaluationSubject(body),
    { id: context.id('qfl_'), now: context.now },
    {
      scenario: audienceRulesOnly ? 'AUDIENCE_ONLY' : 'ALL',
      limit: mostListed,
      expand: [],
      sorting: 'DEFAULT',
      isWanted: () => true,
      assignmentsOf: () => ({ data: [] }),
    },
  )
  if ('refusal' in answer) throw new Refusal(answer.refusal)
  const { id, created_at, tracking_id } = answer.body
  const found = answer.offers.flatMap((offer) => context.in(vouchers).find(offer.id) ?? [])
  const shown = sortedBy(found, order, {
    updated_at: (voucher) => voucher.updated_at,
    type: ({ type }) => type,
    code: ({ code }) => code,
    campaign: () => undefined,
    category: ({ category }) => category,
  }).slice(0, limit)
  const data = voucherAnswers(shown, context)
  const tracked = tracking_id === undefined ? {} : { tracking_id }
  return { object: 'list', data_ref: 'data', data, total: data.length, id, created_at, ...tracked }
}

function walletOf(customerId: string, { codes }: OfferFilter, context: Context): readonly StoredVoucher[] {
  const table = context.in(vouchers)
  if (codes) return codes.flatMap((code) => table.find(code) ?? []).filter((one) => one.holder_id === customerId)
  return table.page([is(vouchers, 'holder_id', customerId)], '-created_at', walletLimit, 1).items
}

/** The newest codes without a campaign that nobody holds, or those that a filter names: never a scan of all codes. */
function standaloneCodes({ codes }: OfferFilter, context: Context): readonly StoredVoucher[] {
  const table = context.in(vouchers)
  const found = codes
    ? codes.flatMap((code) => table.find(code) ?? [])
    : table.cursor([is(vouchers, 'campaign_id', null)], '-id', standaloneLimit).items
  // ASSUMED A1105: a standalone code that somebody holds is offered to nobody else.
  return found.filter(({ campaign_id, holder_id }) => campaign_id == null && holder_id == null)
}

/** Qualifications; they store nothing. */
export const qualificationResource: Resource = {
  routes: [
    route(contract.qualifyRedeemables, ({ body }, context) => answerQualification(body, context)),
    route(contract.qualifyVouchers, ({ query, body }, context) => answerVoucherQualification(query, body, context)),
    route(contract.qualifyCampaigns, ({ query, body }, context) => {
      const answer = qualifyCampaigns(
        snapshotOf(context),
        evaluationSubject(body),
        { id: context.id('qfl_'), now: context.now },
        withoutUndefined(query),
      )
      if ('refusal' in answer) throw new Refusal(answer.refusal)
      return listAnswer(answer.body, qualifiedCampaignsText(answer.body.data as StoredCampaign[], context))
    }),
  ],
}
