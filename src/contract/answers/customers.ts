// Customers, segments and holders as answered. Source: docs/service/customers.md#fields.
import { z } from 'zod'
import {
  count,
  instant,
  maybeDay,
  maybeEmail,
  maybeInstant,
  maybePhone,
  maybeText,
  metadata,
  namedForm,
  storedForm,
  text,
} from './form.ts'

const address = z.object({
  city: maybeText,
  state: maybeText,
  line_1: maybeText,
  line_2: maybeText,
  country: maybeText,
  postal_code: maybeText,
})

const redemptionTotals = z.object({
  total_redeemed: count,
  total_failed: count,
  total_succeeded: count,
  total_rolled_back: count,
  total_rollback_failed: count,
  total_rollback_succeeded: count,
  gift: z.object({ redeemed_amount: count, amount_to_go: count }),
  loyalty_card: z.object({ redeemed_points: count, points_to_go: count }),
})

const orderTotals = z.object({
  total_amount: count,
  total_count: count,
  average_amount: count,
  last_order_amount: count,
  last_order_date: maybeInstant,
})

/** A customer as its own calls show it. Source: docs/service/customers.md#fields. */
export const customer = storedForm('Customer', 'customer', {
  source_id: maybeText,
  name: maybeText,
  description: maybeText,
  email: maybeEmail,
  phone: maybePhone,
  birthday: maybeDay,
  birthdate: maybeDay,
  address: address.nullish(),
  assets: z.looseObject({}).optional(),
  country: maybeText,
  summary: z.object({ redemptions: redemptionTotals, orders: orderTotals }).optional(),
  loyalty: z.object({ points: count, referred_customers: count, campaigns: z.record(text, z.unknown()) }).optional(),
  referrals: z.object({ total: count, campaigns: z.array(z.unknown()) }).optional(),
  system_metadata: z.record(text, z.unknown()).optional(),
  metadata,
})

/** A customer as other objects show one. */
export const customerSummary = namedForm('CustomerSummary', {
  id: text,
  source_id: maybeText,
  name: maybeText,
  email: maybeEmail,
  metadata,
  object: z.literal('customer'),
})

/** A group of customers. Source: docs/service/customers.md#segments. */
export const segment = storedForm('Segment', 'segment', {
  name: text,
  type: text,
  filter: z.record(text, z.unknown()).nullish(),
  initial_sync_status: maybeText,
})

/** A customer who holds a code. Source: docs/service/referrals.md#holders. */
export const holder = namedForm('RedeemableHolder', {
  id: text,
  created_at: instant,
  redeemable_id: text,
  redeemable_object: text,
  campaign_id: maybeText,
  campaign_type: maybeText,
  voucher_type: maybeText,
  customer_id: text,
  holder_role: text,
  metadata,
  object: z.literal('redeemable_holder'),
})

/** What happened to a customer, a voucher, a campaign, or by a customer. Source: docs/service/customers.md#activity. */
export const activity = namedForm('Activity', {
  id: text,
  type: text,
  data: z.looseObject({}),
  created_at: instant,
  group_id: maybeText,
  source: z.looseObject({}).nullish(),
})
