// The columns of a loyalty card. Source: docs/service/vouchers.md#loyalty-card.
import { customerSummary } from '../../contract/answers/customers.ts'
import { memberTier } from '../../contract/answers/loyalty.ts'
import { voucher } from '../../contract/answers/vouchers.ts'
import { columnsOf } from '../columns-of.ts'

/** A card; `holder` and `tier` are the customer and the customer's tier, which promo looks up for one card. */
const card = voucher.extend({ holder: customerSummary.optional(), tier: memberTier.optional() })

/** What a support agent needs on one screen with the customer on the phone; `holder` is the customer, `tier` the customer's tier. */
const onOneScreen = [
  'code',
  'holder.name',
  'holder.email',
  'holder.source_id',
  'active',
  'tier.name',
  'tier.expiration.expiration_date',
  'loyalty_card.balance',
  'loyalty_card.points',
  'redemption.redeemed_points',
  'loyalty_card.pending_points',
  'loyalty_card.next_expiration_points',
  'loyalty_card.next_expiration_date',
  'campaign',
  'expiration_date',
]

/** Everything about a card, its points first. Points are whole numbers. */
export const cardColumns = columnsOf(card, {
  isPicked: true,
  brief: onOneScreen,
  first: `
    id code holder_id active loyalty_card.balance loyalty_card.points redemption.redeemed_points
    loyalty_card.expired_points loyalty_card.subtracted_points loyalty_card.pending_points
    loyalty_card.next_expiration_points loyalty_card.next_expiration_date campaign campaign_id expiration_date
    created_at
  `,
})

/** A card as one of many. */
export const cardListColumns = columnsOf(voucher, {
  isPicked: true,
  first: `
    code* holder_id=holder* active* loyalty_card.balance=balance* redemption.redeemed_points=redeemed*
    loyalty_card.next_expiration_points=expiring* loyalty_card.next_expiration_date=expire_on* created_at*
  `,
  inside: `
    id loyalty_card.points loyalty_card.expired_points loyalty_card.subtracted_points loyalty_card.pending_points
    campaign campaign_id expiration_date
  `,
})
