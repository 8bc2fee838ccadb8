// A snapshot for tests: answers the rules' queries from plain arrays.

import type { RedemptionTotals } from '../../../../src/sandbox/rules/conditions/context.ts'
import type { RuleOwner, ValidationRule } from '../../../../src/sandbox/rules/conditions/rule.ts'
import type { Customer } from '../../../../src/sandbox/rules/eligibility/customer.ts'
import type { Order } from '../../../../src/sandbox/rules/pricing/order.ts'
import type { Reward } from '../../../../src/sandbox/rules/pricing/payment.ts'
import type { Product, Sku } from '../../../../src/sandbox/rules/pricing/product.ts'
import type {
  Campaign,
  Category,
  PromotionStack,
  PromotionTier,
  Voucher,
} from '../../../../src/sandbox/rules/redeemable.ts'
import type { Snapshot } from '../../../../src/sandbox/rules/snapshot.ts'
import { defaultStackingRules } from '../../../../src/sandbox/rules/stacking/stacking-rules.ts'

export interface State {
  vouchers?: Voucher[]
  tiers?: PromotionTier[]
  stacks?: PromotionStack[]
  campaigns?: Campaign[]
  products?: Product[]
  skus?: Sku[]
  collections?: Record<string, string[]>
  categories?: Category[]
  rules?: { owner: RuleOwner; id: string; rule: ValidationRule }[]
  customers?: Customer[]
  orders?: Order[]
  rewards?: Reward[]
  stacking?: Partial<Snapshot['stackingRules']>
}

const nothing: RedemptionTotals = { count: 0, customers_count: 0, orders_amount: 0, orders_amount_discounted: 0 }

/** Returns a snapshot of the given objects; everything omitted is empty. */
export function snapshotOf(state: State = {}): Snapshot {
  const by =
    <T extends object>(list: T[] | undefined, ...names: (keyof T)[]) =>
    (key: string) =>
      list?.find((item) => names.some((name) => item[name] === key))
  return {
    timeZone: 'UTC',
    weekStartsOn: 1,
    stackingRules: { ...defaultStackingRules, ...state.stacking },
    voucher: by(state.vouchers, 'code', 'id'),
    promotionTier: by(state.tiers, 'id'),
    promotionTiers: () => state.tiers ?? [],
    promotionStack: by(state.stacks, 'id'),
    campaign: by(state.campaigns, 'id', 'name'),
    campaigns: () => state.campaigns ?? [],
    product: by(state.products, 'id', 'source_id'),
    sku: by(state.skus, 'id', 'source_id'),
    isInCollection: (id, line) =>
      (state.collections?.[id] ?? []).some((key) => key === line.product_id || key === line.sku_id),
    category: by(state.categories, 'id', 'name'),
    rulesOf: (owner, id) =>
      (state.rules ?? []).filter((entry) => entry.owner === owner && entry.id === id).map(({ rule }) => rule),
    customer: (key) =>
      state.customers?.find((one) => ('id' in key ? one.id === key.id : one.source_id === key.source_id)),
    isInTier: () => false,
    isInSegment: () => false,
    order: by(state.orders, 'id', 'source_id'),
    reward: by(state.rewards, 'id'),
    holdsVoucher: () => false,
    isPublished: () => false,
    redemptions: () => nothing,
    locks: () => [],
    trackingId: (sourceId) => `track_${sourceId}`,
  }
}

/** A discount voucher that is active and without limits. */
export function coupon(code: string, discount: Voucher['discount'], more: Partial<Voucher> = {}): Voucher {
  return {
    id: `v_${code}`,
    code,
    type: 'DISCOUNT_VOUCHER',
    active: true,
    discount: discount ?? null,
    redemption: { quantity: null, redeemed_quantity: 0 },
    metadata: {},
    ...more,
  }
}

/** A gift card with a balance. */
export function giftCard(code: string, balance: number, more: Partial<Voucher> = {}): Voucher {
  return coupon(code, null, { type: 'GIFT_VOUCHER', gift: { amount: balance, balance }, ...more })
}

/** A loyalty card with points. */
export function loyaltyCard(code: string, balance: number, more: Partial<Voucher> = {}): Voucher {
  return coupon(code, null, { type: 'LOYALTY_CARD', loyalty_card: { points: balance, balance }, ...more })
}

/** A rule of the product part only. */
export function productRule(id: string, applicable_to: ValidationRule['applicable_to']): ValidationRule {
  return { id, rules: {}, ...(applicable_to && { applicable_to }) }
}
