// Redemptions and rollbacks as the service shows them: the stored facts with customer, voucher and tier.
// Source: docs/service/redemptions.md#redemption-object.
import type { Tables } from '../http/route.ts'
import { customers, type StoredCustomer } from '../stores/customers.ts'
import { rewards } from '../stores/loyalty.ts'
import { orders, type StoredOrder } from '../stores/orders.ts'
import { promotionTiers, type StoredTier } from '../stores/promotions.ts'
import type { StoredRedemption } from '../stores/redemptions.ts'
import { vouchers } from '../stores/vouchers.ts'
import { offerIn } from './loyalty.ts'
import { orderShown } from './orders.ts'
import { type tierAnswer, tierWithTotals } from './promotions.ts'
import { type VoucherContext, voucherAnswer } from './vouchers.ts'

/**
 * Shows one redemption, rollback or failed attempt.
 *
 * Customer, voucher and tier are shown as they are now; deleted ones are omitted. The tier is shown by `showTier`: an event
 * leaves out its totals (answers/promotions.ts).
 */
export function redemptionAnswer(
  redemption: StoredRedemption,
  context: VoucherContext,
  showTier: (tier: StoredTier, context: VoucherContext) => ReturnType<typeof tierAnswer> = tierWithTotals,
): Record<string, unknown> {
  const { undo: _, voucher_code: __, ...told } = redemption
  const { related_object_type: type, related_object_id: id, customer_id } = redemption
  const customer = customer_id === null ? undefined : context.in(customers).get(customer_id)
  const voucher = type === 'voucher' ? context.in(vouchers).get(id) : undefined
  const tier = type === 'promotion_tier' ? context.in(promotionTiers).get(id) : undefined
  return {
    ...told,
    ...(told.order && { order: redeemedOrder(told.order, context) }),
    ...(customer && { customer: briefly(customer) }),
    // Recorded: a rollback says so where nobody redeemed.
    ...(!customer && told.object === 'redemption_rollback' && { customer: null }),
    ...(voucher && { voucher: voucherAnswer(voucher, context) }),
    ...(tier && { promotion_tier: showTier(tier, context) }),
    ...(told.reward && { reward: rewardAnswer(redemption, customer, context) }),
  }
}

/** Shows redemptions in their order; the totals of a tier are added up once. */
export function redemptionAnswers(redemptions: readonly StoredRedemption[], context: VoucherContext) {
  const shown = new Map<string, ReturnType<typeof tierWithTotals>>()
  const once = (tier: StoredTier) => {
    const answer = shown.get(tier.id) ?? tierWithTotals(tier, context)
    shown.set(tier.id, answer)
    return answer
  }
  return redemptions.map((redemption) => redemptionAnswer(redemption, context, once))
}

/** Shows the order as a redemption left it, with all redemptions that paid for it, and their state. */
export function redeemedOrder(order: NonNullable<StoredRedemption['order']>, context: Tables) {
  const redemptions = context.in(orders).get(order.id ?? '')?.redemptions
  return { ...orderShown(order as Partial<StoredOrder>), ...(redemptions && { redemptions }) }
}

/** Shows the reward with the offer it was bought by; a reward deleted since with what the redemption remembers. */
function rewardAnswer(
  { reward: bought, campaign_id }: StoredRedemption,
  customer: StoredCustomer | undefined,
  context: VoucherContext,
) {
  if (!bought) return undefined
  const { voucher: code, ...told } = bought
  const { type, parameters, created_at, updated_at = null } = context.in(rewards).get(bought.id) ?? {}
  return {
    ...(customer && { customer: briefly(customer) }),
    assignment_id: (campaign_id == null ? undefined : offerIn(campaign_id, bought.id, context))?.id ?? null,
    // Only a reward that is a code of a campaign names a voucher, and only one with a catalogue entry a product.
    voucher: code ? boughtCode(code, context) : null,
    product: parameters?.product ?? null,
    sku: parameters?.sku ?? null,
    loyalty_tier_id: null,
    ...told,
    ...(type && { type, parameters, created_at, updated_at }),
    object: 'reward',
  }
}

/** Shows a code that was given for points in short; one that was deleted since with what the redemption remembers. */
function boughtCode(given: { id: string; code: string }, context: VoucherContext) {
  const voucher = context.in(vouchers).get(given.id)
  if (!voucher) return { ...given, object: 'voucher' }
  const { id, code, campaign, campaign_id, type, discount, gift, loyalty_card, is_referral_code, ...rest } =
    voucherAnswer(voucher, context)
  return {
    id,
    code,
    campaign,
    campaign_id,
    type,
    ...(discount && { discount }),
    ...(gift && { gift }),
    ...(loyalty_card && { loyalty_card }),
    is_referral_code,
    holder_id: rest.holder_id ?? null,
    created_at: rest.created_at,
    updated_at: rest.updated_at,
    object: 'voucher',
  }
}

function briefly({ id, name = null, email = null, source_id, metadata }: StoredCustomer) {
  return { id, name, email, source_id, metadata, object: 'customer' }
}
