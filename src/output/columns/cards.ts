// The columns of a loyalty card. Source: docs/service/vouchers.md#loyalty-card.
import type { ColumnSet } from '../column.ts'

/** Everything about the points of a card, in the order CSV writes it. Points are whole numbers. */
export const cardColumns: ColumnSet = {
  also: ['holder'],
  columns: [
    { name: 'id', kind: 'identifier' },
    { name: 'code', kind: 'identifier' },
    { name: 'holder_id', kind: 'identifier' },
    { name: 'active', kind: 'flag' },
    { name: 'loyalty_card.balance', kind: 'number' },
    { name: 'loyalty_card.points', kind: 'number' },
    { name: 'redemption.redeemed_points', kind: 'number' },
    { name: 'loyalty_card.expired_points', kind: 'number' },
    { name: 'loyalty_card.subtracted_points', kind: 'number' },
    { name: 'loyalty_card.pending_points', kind: 'number' },
    { name: 'loyalty_card.next_expiration_points', kind: 'number' },
    { name: 'loyalty_card.next_expiration_date', kind: 'date' },
    { name: 'campaign', kind: 'text' },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'expiration_date', kind: 'time' },
    { name: 'created_at', kind: 'time' },
  ],
}

/** What a support agent needs on one screen with the customer on the phone; `holder` is the customer. */
export const cardOnOneScreen = [
  'code',
  'holder.name',
  'holder.email',
  'holder.source_id',
  'active',
  'loyalty_card.balance',
  'loyalty_card.points',
  'redemption.redeemed_points',
  'loyalty_card.pending_points',
  'loyalty_card.next_expiration_points',
  'loyalty_card.next_expiration_date',
  'campaign',
  'expiration_date',
] as const
