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
  first: {
    id: true,
    name: true,
    type: true,
    'parameters.coin.points_ratio': 'points',
    'parameters.coin.exchange_ratio': 'worth',
    'attributes.description': 'description',
  },
  kinds: { 'parameters.coin.points_ratio': 'number', 'parameters.coin.exchange_ratio': 'number' },
})

/** The offer of a reward in a program; a table also shows the reward itself, as `reward`. */
export const offeredRewardColumns = columnsOf(rewardAssignment.extend({ reward: reward.optional() }), {
  first: {
    reward_id: true,
    'reward.name': 'name',
    'reward.type': 'type',
    'parameters.loyalty.points': 'price',
    'reward.parameters.coin.points_ratio': 'points',
    'reward.parameters.coin.exchange_ratio': 'worth',
  },
  kinds: { 'reward.parameters.coin.points_ratio': 'number', 'reward.parameters.coin.exchange_ratio': 'number' },
})

const range = { 'points.from': 'from', 'points.to': 'to' } as const

/** A tier of a program. */
export const loyaltyTierColumns = columnsOf(loyaltyTier, {
  first: { id: true, name: true, ...range, created_at: true },
})

/** The tier of a member, with the days on which it began and ends. */
export const memberTierColumns = columnsOf(memberTier, {
  first: {
    id: true,
    name: true,
    ...range,
    'expiration.start_date': 'since',
    'expiration.expiration_date': 'until',
  },
})

/** A rule by which a program gives points. */
export const earningRuleColumns = columnsOf(earningRule, {
  first: {
    id: true,
    'source.banner': 'banner',
    event: true,
    'loyalty.type': 'type',
    'loyalty.points': 'points',
    active: true,
    created_at: true,
  },
})

/** Points that are not active yet. */
export const pendingPointsColumns = columnsOf(pendingPoints, {
  first: {
    id: true,
    voucher_id: 'card',
    points: true,
    activates_at: 'active_on',
    order_id: 'order',
    'details.earning_rule.source.banner': 'rule',
    customer_id: false,
  },
})

/** The pending points of a card after a change of them. */
export const pendingBalanceColumns = columnsOf(pendingBalance, { first: { points: true, total: true } })

/** What a program offers to the members of a tier; `id` is that of the offer, which promo takes out of it. */
export const tierRewardColumns = columnsOf(tierReward, {
  first: {
    id: 'offer',
    'reward.id': 'reward',
    'reward.name': 'name',
    'reward.type': 'type',
    'assignment.parameters.loyalty.points': 'price',
  },
  kinds: { id: 'identifier' },
})

/** Points of a card that expire on one day, or did; promo adds the code of the card to a table and CSV. */
export const expiringPointsColumns = columnsOf(pointsBucket, {
  first: {
    expires_at: true,
    'bucket.total_points': 'points',
    status: true,
    code: 'card',
    voucher_id: false,
    campaign_id: false,
    id: true,
  },
  kinds: { code: 'identifier', expires_at: 'date', status: 'identifier' },
})
