// Vouchers, their balances and transactions as answered. Source: docs/service/vouchers.md#fields.
import { z } from 'zod'
import { count, dates, instant, maybeDay, maybeText, metadata, namedForm, text, validity } from './form.ts'
import { assignments, category } from './rules.ts'

const unit = {
  unit_off: count.optional(),
  unit_off_formula: text.optional(),
  unit_type: text.meta({ format: 'id' }).optional(),
  product: z.looseObject({}).optional(),
  sku: z.looseObject({}).optional(),
  price: z.number().optional(),
}

/** A discount, as given; evaluations add `effect` and `is_dynamic`. Source: docs/service/vouchers.md#discount-kinds. */
export const discount = namedForm('Discount', {
  type: z.enum(['AMOUNT', 'PERCENT', 'FIXED', 'UNIT']),
  amount_off: z.number().optional(),
  amount_off_formula: text.optional(),
  percent_off: z.number().optional(),
  percent_off_formula: text.optional(),
  fixed_amount: z.number().optional(),
  fixed_amount_formula: text.optional(),
  amount_limit: z.number().optional(),
  aggregated_amount_limit: z.number().optional(),
  ...unit,
  units: z.array(z.object({ ...unit, effect: text.optional() })).optional(),
  effect: text.optional(),
  is_dynamic: z.boolean().optional(),
})

/** The balance of a gift card. Source: docs/service/vouchers.md#gift. */
export const gift = z.object({
  amount: count.optional(),
  balance: count.optional(),
  subtracted_amount: count.optional(),
  effect: text.optional(),
})

/** The points of a loyalty card. Source: docs/service/vouchers.md#loyalty-card. */
export const loyaltyCard = z.object({
  points: count,
  balance: count,
  subtracted_points: count.optional(),
  expired_points: count.optional(),
  pending_points: count.optional(),
  next_expiration_date: maybeDay,
  next_expiration_points: count.nullish(),
})

const picture = z.object({ id: text, url: text })

/** A code of any type. Source: docs/service/vouchers.md#fields. */
export const voucher = namedForm('Voucher', {
  id: text,
  code: text,
  campaign: maybeText,
  campaign_id: maybeText,
  category: maybeText,
  category_id: maybeText,
  categories: z.array(category).optional(),
  type: z.enum(['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD']),
  discount: discount.nullish(),
  gift: gift.nullish(),
  loyalty_card: loyaltyCard.nullish(),
  ...validity,
  active: z.boolean(),
  additional_info: maybeText,
  metadata,
  assets: z.object({ qr: picture.optional(), barcode: picture.optional() }).optional(),
  is_referral_code: z.boolean(),
  ...dates,
  holder_id: maybeText,
  referrer_id: maybeText,
  object: z.literal('voucher'),
  publish: z
    .object({ object: z.literal('list'), count, entries: z.array(z.unknown()).optional(), url: text })
    .optional(),
  redemption: z
    .object({
      quantity: count.nullish(),
      redeemed_quantity: count,
      redeemed_amount: count.optional(),
      redeemed_points: count.optional(),
      object: z.literal('list'),
      url: text,
    })
    .optional(),
  validation_rules_assignments: assignments.optional(),
})

/** What a card has, and what the last change added or took. Source: docs/service/vouchers.md#balance. */
export const balance = namedForm('Balance', {
  type: z.enum(['gift_voucher', 'loyalty_card']).optional(),
  total: count.optional(),
  object: z.literal('balance').optional(),
  amount: count.optional(),
  points: count.optional(),
  balance: count,
  operation_type: text.optional(),
  related_object: z.object({ id: text, type: text }).optional(),
})

/** Points that are not active yet. Source: docs/service/pending-points.md#fields. */
export const pendingPoints = namedForm('PendingPoints', {
  id: text,
  voucher_id: text,
  campaign_id: text,
  customer_id: maybeText,
  order_id: text,
  points: count,
  activates_at: text.meta({ format: 'date' }),
  details: z.object({
    order: z.object({ id: text, source_id: maybeText }),
    event: z.looseObject({ id: text, type: text }),
    earning_rule: z.object({ id: text, source: z.object({ banner: maybeText }).optional() }),
    loyalty_tier: z.object({ id: text, name: text }).optional(),
    holder_loyalty_tier: z.object({ id: text, name: text }).optional(),
  }),
  ...dates,
})

const cause = z.object({ id: text, source_id: maybeText, name: maybeText, type: text.optional() })

/** What can have changed a balance. */
export const transactionCauses = {
  order: cause.nullish(),
  event: z.looseObject({ id: text, type: text.optional() }).nullish(),
  custom_event: cause.nullish(),
  event_schema: cause.nullish(),
  earning_rule: z.object({ id: text, source: z.object({ banner: maybeText }).optional() }).nullish(),
  segment: cause.nullish(),
  loyalty_tier: cause.nullish(),
  holder_loyalty_tier: cause.nullish(),
  redemption: cause.nullish(),
  rollback: cause.nullish(),
  reward: cause.nullish(),
  source_voucher: z.looseObject({ id: text }).nullish(),
  destination_voucher: z.looseObject({ id: text }).nullish(),
}

/** A change of a card's balance. Source: docs/service/loyalty.md#transaction. */
export const transaction = namedForm('Transaction', {
  id: text,
  source_id: maybeText,
  voucher_id: text,
  campaign_id: maybeText,
  source: maybeText,
  reason: maybeText,
  type: text,
  details: z
    .object({ balance: balance.optional(), ...transactionCauses, pending_points: pendingPoints.optional() })
    .nullish(),
  related_transaction_id: maybeText,
  created_at: instant,
})

/** A voucher in the list of a page. Source: docs/service/vouchers.md#client-side. */
export const listedVoucher = voucher.pick({
  code: true,
  active: true,
  start_date: true,
  expiration_date: true,
  metadata: true,
  assets: true,
  created_at: true,
  object: true,
})
