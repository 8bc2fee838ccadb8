// Redemptions and their rollbacks. Source: docs/service/redemptions.md#redeem; docs/service/redemptions.md#list.
import { byText } from '../../base/list.ts'
import * as contract from '../../contract/redemptions.ts'
import { existingById, findOr404 } from '../answers/existing.ts'
import { tierWithTotals } from '../answers/promotions.ts'
import { redemptionAnswer, redemptionAnswers } from '../answers/redemptions.ts'
import { type Context, pageAnswer, type Resource, route } from '../http/route.ts'
import { findCustomer } from '../resources/customers/upsert.ts'
import { automaticRewardKind } from '../resources/loyalty/rewards.ts'
import { automaticRewardJob } from '../resources/redemptions/automatic.ts'
import { redeemedReferralJob, redeemedReferralKind } from '../resources/redemptions/effects.ts'
import { loadRedemption } from '../resources/redemptions/load.ts'
import { redeem, redeemAlone } from '../resources/redemptions/redeem.ts'
import { rollBack } from '../resources/redemptions/rollback.ts'
import { areAll, is } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { promotionTiers } from '../stores/promotions.ts'
import { redemptions } from '../stores/redemptions.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

/** Redemptions, rollbacks and failed attempts. */
export const redemptionResource: Resource = {
  collections: [redemptions],
  load: { redemptions: loadRedemption },
  jobs: { [redeemedReferralKind]: redeemedReferralJob, [automaticRewardKind]: automaticRewardJob },
  routes: [
    route(contract.redeem, ({ body }, context) => redeem(body, context)),
    route(contract.redeemVoucher, ({ path, query, body }, context) =>
      redeemAlone('voucher', path.code, { ...query, ...body }, context),
    ),
    route(contract.redeemTier, ({ path, body = {} }, context) => {
      const answer = redeemAlone('promotion_tier', path.promotionTierId, body, context)
      const tier = context.in(promotionTiers).get(path.promotionTierId)
      if (answer.status !== 200 || !tier) return answer
      return { ...(answer.body as object), promotion_tier: tierWithTotals(tier, context) }
    }),
    route(contract.listRedemptions, ({ query }, context) =>
      pageAnswer(redemptions, query, context, {
        where: areAll(redemptions, {
          // ASSUMED A292: `result` is SUCCESS or FAILURE; any other value, unknown campaign or unknown customer lists nothing.
          result: query.result,
          campaign_id: query.campaign && (context.in(campaigns).find(query.campaign)?.id ?? query.campaign),
          customer_id: query.customer && (findCustomer(query.customer, context)?.id ?? query.customer),
        }),
        ref: 'redemptions',
        show: redemptionAnswers,
      }),
    ),
    route(contract.getRedemption, ({ path }, context) =>
      redemptionAnswer(existingById(redemptions, path.redemptionId, context), context),
    ),
    route(contract.getVoucherRedemption, ({ path }, context) =>
      voucherRedemptions(findOr404(vouchers, path.code, context), context),
    ),
    route(contract.rollBackRedemption, ({ path, query, body }, context) =>
      rollBack(path.redemptionId, 'single', { ...query, ...body }, context),
    ),
    route(contract.rollBackRedemptions, ({ path, query, body }, context) =>
      rollBack(path.parentRedemptionId, 'whole', { ...query, ...body }, context),
    ),
  ],
}

/** Shows how often a voucher was redeemed, and all of its redemptions, rollbacks and failed attempts, oldest first. */
function voucherRedemptions({ id, code, redemption }: StoredVoucher, context: Context) {
  const entries = context
    .in(redemptions)
    .all([is(redemptions, 'related_object_id', id)])
    .toSorted((a, b) => byText(a.created_at, b.created_at))
  return {
    ...redemption,
    object: 'list',
    url: `/v1/vouchers/${encodeURIComponent(code)}/redemptions?page=1&limit=10`,
    data_ref: 'redemption_entries',
    // ASSUMED A293: all of them at once, oldest first; the call is not paged.
    redemption_entries: redemptionAnswers(entries, context),
    total: entries.length,
  }
}
