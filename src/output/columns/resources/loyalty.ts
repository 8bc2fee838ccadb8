// The columns of rewards, and of points that expire. Points are whole numbers.
// Source: docs/service/loyalty.md#rewards; docs/service/loyalty.md#list-expiring-points.
import { pointsBucket, reward, rewardAssignment } from '../../../contract/answers/loyalty.ts'
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

/** Points of a card that expire on one day, or did. */
export const expiringPointsColumns = columnsOf(pointsBucket, {
  first: {
    expires_at: true,
    'bucket.total_points': 'points',
    status: true,
    voucher_id: 'card',
    campaign_id: false,
    id: true,
  },
  kinds: { expires_at: 'date', status: 'identifier' },
})
