// The columns of tiers, earning rules and rewards, and of points that expire. Points are whole numbers.
// Source: docs/service/loyalty-tiers.md#fields; docs/service/loyalty.md#rewards; docs/service/loyalty.md#list-expiring-points.
import {
  earningRule,
  loyaltyTier,
  memberTier,
  pendingBalance,
  pointsBucket,
  reward,
  rewardAssignment,
  tierReward,
} from '../../../contract/answers/loyalty.ts'
import { pendingPoints } from '../../../contract/answers/vouchers.ts'
import { columnsOf } from '../../columns-of.ts'

/** A reward, or the offer of one in a program: then `reward` is what is offered, and `parameters.loyalty.points` its price. */
export const rewardColumns = columnsOf(reward, {
  first: `
    id* name* type* parameters.coin.points_ratio=points:number* parameters.coin.exchange_ratio=worth:number*
    attributes.description=description*
  `,
})

/** The offer of a reward in a program; a table also shows the reward itself, as `reward`. */
export const offeredRewardColumns = columnsOf(rewardAssignment.extend({ reward: reward.optional() }), {
  first: `
    reward_id* reward.name=name* reward.type=type* parameters.loyalty.points=price*
    reward.parameters.coin.points_ratio=points:number* reward.parameters.coin.exchange_ratio=worth:number*
  `,
})

/** A tier of a program. */
export const loyaltyTierColumns = columnsOf(loyaltyTier, {
  first: 'id* name* points.from=from* points.to=to* created_at*',
})

/** The tier of a member, with the days on which it began and ends. */
export const memberTierColumns = columnsOf(memberTier, {
  first: 'id* name* points.from=from* points.to=to* expiration.start_date=since* expiration.expiration_date=until*',
})

/** A rule by which a program gives points. */
export const earningRuleColumns = columnsOf(earningRule, {
  first: 'id* source.banner=banner* event* loyalty.type=type* loyalty.points=points* active* created_at*',
})

/** Points that are not active yet. */
export const pendingPointsColumns = columnsOf(pendingPoints, {
  first: `
    id* voucher_id=card* points* activates_at=active_on* order_id=order* details.earning_rule.source.banner=rule*
    customer_id
  `,
})

/** The pending points of a card after a change of them. */
export const pendingBalanceColumns = columnsOf(pendingBalance, { first: 'points* total*' })

/** What a program offers to the members of a tier; `id` is that of the offer, which promo takes out of it. */
export const tierRewardColumns = columnsOf(tierReward, {
  first: `
    id=offer:identifier* reward.id=reward* reward.name=name* reward.type=type*
    assignment.parameters.loyalty.points=price*
  `,
})

/** Points of a card that expire on one day, or did; promo adds the code of the card to a table and CSV. */
export const expiringPointsColumns = columnsOf(pointsBucket, {
  first: `
    expires_at:date* bucket.total_points=points* status:identifier* code=card:identifier* voucher_id campaign_id id*
  `,
})
