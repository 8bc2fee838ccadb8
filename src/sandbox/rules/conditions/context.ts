// The data that the conditions of a rule may read, and the outcome of an evaluation.

import type { Metadata } from '../../../contract/fields.ts'
import type { Customer } from '../eligibility/customer.ts'
import type { OrderState } from '../pricing/order.ts'
import type { ProductReference } from '../pricing/product.ts'
import type { Campaign, Voucher } from '../redeemable.ts'

/** Which redemptions to add up; absent members do not restrict. `since` is an inclusive instant. */
export interface RedemptionQuery {
  object?: 'voucher' | 'promotion_tier'
  /** Voucher id or tier id. */
  id?: string
  campaign_id?: string
  customer_id?: string
  since?: string
}

/** Successful, not rolled-back redemptions, added up. */
export interface RedemptionTotals {
  count: number
  customers_count: number
  orders_amount: number
  orders_amount_discounted: number
}

/** A question about products: whether it is asked for a customer. */
export interface ProductScope {
  byCustomer: boolean
}

/** Everything `evaluateRules` may read. */
export interface RuleContext {
  now: string
  timeZone: string
  /** First day of the week for weekly counts, 0 is Sunday. */
  weekStartsOn: number
  /** Only segment and customer-metadata rules count; all others are considered satisfied. */
  audienceOnly: boolean
  /** Only what a fuller cart cannot change is judged; rules about the customer only `byCustomer`. */
  products?: ProductScope
  /** The object that the rules are assigned to. */
  redeemable: { object: 'voucher' | 'promotion_tier' | 'campaign'; id: string; metadata: Metadata }
  voucher?: Voucher
  campaign?: Campaign
  /** The stored customer overlaid with the request's; absent when the request names none. */
  customer?: Customer
  isInSegment: (segmentId: string) => boolean
  /** Whether the customer is in a tier of a loyalty program. */
  isInTier: (tierId: string) => boolean
  /** Whether the customer holds the voucher (`publication.redeemable_by_linked_customer`). */
  isHolder: boolean
  /** The order at this point of the stack, before the incentive. */
  order?: OrderState
  /** The order with the incentive applied; absent when it could not be computed or there is none. */
  orderAfter?: OrderState
  /** The order before anything was applied. */
  initialOrder?: OrderState
  /** The request's own `metadata` (redemption metadata). */
  metadata: Metadata
  /** Gift credits and points this redeemable would take. */
  giftCredits?: number
  pointsUsed?: number
  /** The discount of this attempt, for budgets. */
  discountAmount: number
  isInCollection: (collectionId: string, line: ProductReference) => boolean
  redemptions: (query: RedemptionQuery) => RedemptionTotals
  /** Metadata of the custom event, for earning rules. */
  eventMetadata?: Metadata
  apiKey?: string
}
