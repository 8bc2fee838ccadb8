// The columns of loyalty programs, their cards in a list, rewards, and points that expire. Points are whole numbers.
// Source: docs/service/loyalty.md#programs; docs/service/loyalty.md#rewards; docs/service/loyalty.md#list-expiring-points.
import type { Column, ColumnSet } from '../../column.ts'
import { campaignColumns } from '../campaigns.ts'
import { cardColumns } from '../cards.ts'

/** A loyalty program: every scalar of a campaign; the table shows what matters in a program. */
export const loyaltyProgramColumns = showing(campaignColumns, {
  id: undefined,
  name: undefined,
  active: undefined,
  vouchers_count: 'cards',
  auto_join: undefined,
  expiration_date: 'expires',
  created_at: undefined,
})

/** A card as one of many. */
export const cardListColumns = showing(cardColumns, {
  code: undefined,
  holder_id: 'holder',
  active: undefined,
  'loyalty_card.balance': 'balance',
  'redemption.redeemed_points': 'redeemed',
  'loyalty_card.next_expiration_points': 'expiring',
  'loyalty_card.next_expiration_date': 'expire_on',
  created_at: undefined,
})

/** A reward, or the offer of one in a program: then `reward` is what is offered, and `parameters.loyalty.points` its price. */
export const rewardColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'type', kind: 'text', inTable: true },
    { name: 'parameters.coin.points_ratio', kind: 'number', label: 'points', inTable: true },
    { name: 'parameters.coin.exchange_ratio', kind: 'number', label: 'worth', inTable: true },
    { name: 'attributes.description', kind: 'text', label: 'description', inTable: true },
    { name: 'attributes.image_url', kind: 'text' },
    { name: 'stock', kind: 'number' },
    { name: 'redeemed', kind: 'number' },
    { name: 'metadata', kind: 'text' },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** The offer of a reward in a program; a table also shows the reward itself, as `reward`. */
export const offeredRewardColumns: ColumnSet = {
  columns: [
    { name: 'reward_id', kind: 'identifier', inTable: true },
    { name: 'reward.name', kind: 'text', label: 'name', inTable: true },
    { name: 'reward.type', kind: 'text', label: 'type', inTable: true },
    { name: 'parameters.loyalty.points', kind: 'number', label: 'price', inTable: true },
    { name: 'reward.parameters.coin.points_ratio', kind: 'number', label: 'points', inTable: true },
    { name: 'reward.parameters.coin.exchange_ratio', kind: 'number', label: 'worth', inTable: true },
    { name: 'id', kind: 'identifier' },
    { name: 'related_object_type', kind: 'text' },
    { name: 'related_object_id', kind: 'identifier' },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** Points of a card that expire on one day, or did. */
export const expiringPointsColumns: ColumnSet = {
  columns: [
    { name: 'expires_at', kind: 'date', inTable: true },
    { name: 'bucket.total_points', kind: 'number', label: 'points', inTable: true },
    { name: 'status', kind: 'identifier', inTable: true },
    { name: 'voucher_id', kind: 'identifier', label: 'card', inTable: true },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** Returns the same columns with others in the table, under these labels. */
function showing({ columns }: ColumnSet, shown: Readonly<Record<string, string | undefined>>): ColumnSet {
  return {
    columns: columns.map(({ inTable: _, label: __, ...column }): Column => {
      if (!Object.hasOwn(shown, column.name)) return column
      const label = shown[column.name]
      return { ...column, ...(label !== undefined && { label }), inTable: true }
    }),
  }
}
