// Redemptions and their rollbacks. Source: docs/service/redemptions.md#redeem.
import * as contract from '../../../contract/redemptions.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route } from '../../http/route.ts'
import { existing, existingById } from '../existing.ts'
import { pageAnswer } from '../listing.ts'
import { automaticRewardKind } from '../loyalty/automatic.ts'
import { promotionTiers } from '../promotions/tier-store.ts'
import { tierWithTotals } from '../promotions/totals.ts'
import { vouchers } from '../vouchers/store.ts'
import { redemptionAnswer, redemptionAnswers } from './answer.ts'
import { automaticRewardJob } from './automatic.ts'
import { redeemedReferralJob, redeemedReferralKind } from './effects.ts'
import { redemptionConditions, voucherRedemptions } from './list.ts'
import { loadRedemption } from './load.ts'
import { redeem, redeemAlone } from './redeem.ts'
import { rollBack } from './rollback.ts'
import { redemptions } from './store.ts'

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
      return ok({ ...(answer.body as object), promotion_tier: tierWithTotals(tier, context) })
    }),
    route(contract.listRedemptions, ({ query }, context) =>
      pageAnswer(redemptions, query, context, {
        where: redemptionConditions(query, context),
        ref: 'redemptions',
        show: (items) => redemptionAnswers(items, context),
      }),
    ),
    route(contract.getRedemption, ({ path }, context) => {
      const redemption = existingById(redemptions, path.redemptionId, context)
      return ok(redemptionAnswer(redemption, context))
    }),
    route(contract.getVoucherRedemption, ({ path }, context) => {
      const voucher = existing(vouchers, path.code, context)
      return ok(voucherRedemptions(voucher, context))
    }),
    route(contract.rollBackRedemption, ({ path, query, body }, context) =>
      rollBack(path.redemptionId, 'single', { ...query, ...body }, context),
    ),
    route(contract.rollBackRedemptions, ({ path, query, body }, context) =>
      rollBack(path.parentRedemptionId, 'whole', { ...query, ...body }, context),
    ),
  ],
}
