// What the rules work on, and what they may ask about the stored state. Wire names throughout; no code but types.
// Amounts are integers in the smallest currency unit, points are plain integers, instants are ISO 8601 UTC texts.
import type { Failure } from '../../contract/failure.ts'

export type Metadata = Record<string, unknown>

/** The limits in time that vouchers, campaigns and tiers share; null and absent mean "no limit". */
export interface WindowLimits {
  start_date?: string | null
  expiration_date?: string | null
  validity_timeframe?: { duration: string; interval: string } | null
  /** 0 is Sunday. */
  validity_day_of_week?: number[] | null
  validity_hours?: { daily: { start_time: string; expiration_time: string; days_of_week: number[] }[] } | null
}

export type WindowState = 'open' | 'expired' | 'not_started' | 'outside'

// --- catalogue and people ---------------------------------------------------------------------------------------------

export interface Product {
  id: string
  source_id?: string | null
  name?: string | null
  price?: number | null
  metadata?: Metadata
}

export interface Sku {
  id: string
  product_id: string
  source_id?: string | null
  sku?: string | null
  price?: number | null
  metadata?: Metadata
}

/** A customer for one evaluation. `id` is absent for an anonymous one, known only by what the request says. */
export interface Customer {
  id?: string
  source_id?: string | null
  name?: string | null
  email?: string | null
  metadata?: Metadata
  created_at?: string
  [field: string]: unknown
}

export interface Category {
  id: string
  name: string
  hierarchy: number
  object: 'category'
  created_at?: string
  updated_at?: string | null
  stacking_rules_type?: 'JOINT' | 'EXCLUSIVE'
}

// --- incentives -------------------------------------------------------------------------------------------------------

export type AmountEffect =
  | 'APPLY_TO_ORDER'
  | 'APPLY_TO_ITEMS'
  | 'APPLY_TO_ITEMS_PROPORTIONALLY'
  | 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY'
  | 'APPLY_TO_ITEMS_BY_QUANTITY'

export interface AmountDiscount {
  type: 'AMOUNT'
  amount_off: number
  amount_off_formula?: string
  aggregated_amount_limit?: number
  effect?: AmountEffect
  is_dynamic?: boolean
}

export interface PercentDiscount {
  type: 'PERCENT'
  /** 10 means 10 %. */
  percent_off: number
  percent_off_formula?: string
  amount_limit?: number
  aggregated_amount_limit?: number
  effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS'
  is_dynamic?: boolean
}

export interface FixedDiscount {
  type: 'FIXED'
  fixed_amount: number
  fixed_amount_formula?: string
  effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS'
  is_dynamic?: boolean
}

/** Free units of one product or SKU. */
export interface UnitForm {
  unit_off?: number
  unit_off_formula?: string
  /** Id of a product or of a SKU. */
  unit_type?: string
  effect?: 'ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS'
  product?: Record<string, unknown>
  sku?: Record<string, unknown>
}

export interface UnitDiscount extends Omit<UnitForm, 'effect'> {
  type: 'UNIT'
  effect?: 'ADD_NEW_ITEMS' | 'ADD_MISSING_ITEMS' | 'ADD_MANY_ITEMS'
  units?: UnitForm[]
  is_dynamic?: boolean
}

export type Discount = AmountDiscount | PercentDiscount | FixedDiscount | UnitDiscount

export interface Voucher extends WindowLimits {
  id: string
  code: string
  type: 'DISCOUNT_VOUCHER' | 'GIFT_VOUCHER' | 'LOYALTY_CARD'
  object?: 'voucher'
  discount?: Discount | null
  gift?: { amount: number; balance: number; effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS' } | null
  loyalty_card?: { points: number; balance: number } | null
  campaign?: string | null
  campaign_id?: string | null
  category?: string | null
  category_id?: string | null
  active?: boolean | null
  is_referral_code?: boolean | null
  /** The customer who holds it; of a referral code, the referrer. */
  holder_id?: string | null
  referrer_id?: string | null
  redemption?: { quantity?: number | null; redeemed_quantity: number }
  metadata?: Metadata
}

export interface Campaign extends WindowLimits {
  id: string
  name: string
  campaign_type: string
  type?: string
  active?: boolean | null
  category?: string | null
  category_id?: string | null
  creation_status?: string
  created_at: string
  updated_at?: string | null
  metadata?: Metadata
  [field: string]: unknown
}

export interface PromotionTier extends WindowLimits {
  id: string
  name: string
  campaign_id: string
  hierarchy: number
  active?: boolean | null
  banner?: string | null
  action: { discount: Discount }
  category_id?: string | null
  metadata?: Metadata
  created_at: string
}

export interface PromotionStack {
  id: string
  name: string
  campaign_id: string
  /** Tier ids in the order they are applied. */
  tiers: { ids: string[] }
  category_id?: string | null
}

export interface Reward {
  id: string
  name: string
  type: 'COIN' | 'MATERIAL' | 'CAMPAIGN'
  parameters: {
    /** COIN: what `points_ratio` points are worth, in MAJOR currency units. */
    coin?: { exchange_ratio: number; points_ratio: number }
    /** What one piece of another kind of reward costs. */
    loyalty?: { points: number }
    [kind: string]: unknown
  }
}

// --- validation rules -------------------------------------------------------------------------------------------------

export type ItemEffect =
  | 'APPLY_TO_EVERY'
  | 'APPLY_TO_CHEAPEST'
  | 'APPLY_FROM_CHEAPEST'
  | 'APPLY_TO_MOST_EXPENSIVE'
  | 'APPLY_FROM_MOST_EXPENSIVE'

/** One entry of `applicable_to`: a product, a SKU or a collection, and how far the effect reaches there. */
export interface ApplicableEntry {
  object: 'product' | 'sku' | 'products_collection'
  id: string
  source_id?: string | null
  product_id?: string
  product_source_id?: string | null
  /** FIXED discounts: the new unit price. */
  price?: number
  effect?: ItemEffect
  target?: 'ITEM' | 'UNIT'
  skip_initially?: number
  repeat?: number
  quantity_limit?: number
  aggregated_quantity_limit?: number
  amount_limit?: number
  aggregated_amount_limit?: number
}

/** The product part of a rule: what a discount on items may touch. */
export interface ApplicableTo {
  included?: ApplicableEntry[]
  excluded?: ApplicableEntry[]
  included_all?: boolean
}

/** One numbered rule. `rules` holds sub-rules, numbered "1", "2"… with their own `logic`. */
export interface Rule {
  name: string
  property?: string | null
  conditions?: Record<string, unknown[]>
  rules?: RuleTree
  error?: { message?: string } | null
}

/** `{"1": rule, "2": rule, "logic": "1 and 2"}` */
export interface RuleTree {
  [number: string]: Rule | string
}

export interface ValidationRule {
  id: string
  name?: string | null
  rules?: RuleTree
  applicable_to?: ApplicableTo
  error?: { message?: string } | null
  type?: string
  context_type?: string
}

/** What redemptions to add up; absent members do not narrow. `since` is an inclusive instant. */
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

/** Everything `judgeRules` may look at. */
export interface RuleContext {
  now: string
  timeZone: string
  /** First day of the week for weekly counts, 0 is Sunday. */
  weekStartsOn: number
  /** Only segment and customer-metadata rules count; all others are taken as satisfied. */
  audienceOnly: boolean
  /** What the rules hang on. */
  redeemable: { object: 'voucher' | 'promotion_tier' | 'campaign'; id: string; metadata: Metadata }
  voucher?: Voucher
  campaign?: Campaign
  /** Stored customer overlaid with what the request says; absent when the request names none. */
  customer?: Customer
  isInSegment: (segmentId: string) => boolean
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
  /** What this attempt takes off, for budgets. */
  discountAmount: number
  isInCollection: (collectionId: string, line: ProductReference) => boolean
  redemptions: (query: RedemptionQuery) => RedemptionTotals
  /** Metadata of the custom event, for earning rules. */
  eventMetadata?: Metadata
  apiKey?: string
}

export type RuleVerdict =
  | { satisfied: true }
  | {
      satisfied: false
      kind: 'customer' | 'order' | 'redemption' | 'missing'
      missing?: 'customer' | 'order' | 'order_items' | 'amount'
      ruleIds: string[]
      message?: string
    }

/** What a formula may name. Formulas speak in MAJOR units; the order here is in minor ones. */
export interface FormulaContext {
  order?: OrderState
  /** The line a formula on items is evaluated for. */
  line?: OrderLine
  customer?: Customer
  /** The request's own `metadata`. */
  metadata: Metadata
  /** Metadata of the voucher, or of the tier. */
  redeemableMetadata: Metadata
}

// --- orders -----------------------------------------------------------------------------------------------------------

export interface ProductReference {
  product_id?: string | undefined
  sku_id?: string | undefined
}

/** A line as a request may write it: lenient, quantities may be texts. */
export interface OrderItemRequest {
  object?: string
  product_id?: string | null
  sku_id?: string | null
  source_id?: string | null
  related_object?: 'product' | 'sku'
  quantity?: number | string
  price?: number
  amount?: number
  initial_quantity?: number
  initial_amount?: number
  discount_quantity?: number
  discount_amount?: number
  product?: Partial<Product> & { override?: boolean }
  sku?: Partial<Sku> & { override?: boolean }
  metadata?: Metadata
}

export interface OrderRequest {
  id?: string
  source_id?: string | null
  status?: string
  amount?: number
  initial_amount?: number
  /** Order-level discounts given before, on a stored order. */
  discount_amount?: number
  items?: OrderItemRequest[]
  metadata?: Metadata
  referrer_id?: string | null
}

/** An order kept by the service; its lines and discounts are where a new evaluation starts. */
export interface StoredOrder extends OrderRequest {
  id: string
  status: string
  created_at: string
  updated_at?: string | null
}

/** One line while it is calculated: every counter present, zero included. `orderAnswer` makes the wire form. */
export interface OrderLine extends ProductReference {
  /** As the request wrote it, for the echo. */
  source_id: string | undefined
  related_object: 'product' | 'sku' | undefined
  product: Product | undefined
  sku: Sku | undefined
  metadata: Metadata | undefined
  quantity: number
  initial_quantity: number
  /** Units given free. */
  discount_quantity: number
  /** Undefined when nobody knows it. */
  price: number | undefined
  amount: number | undefined
  initial_amount: number | undefined
  /** All discounts on this line so far. */
  discount_amount: number
  /** The part of the current step. */
  applied_discount_amount: number
}

/** An order while it is calculated: every counter present, zero included. Sums are in `totals` of order.ts. */
export interface OrderState {
  id: string | undefined
  source_id: string | undefined
  status: string | undefined
  created_at: string | undefined
  /** Undefined when neither the order nor any line has one. */
  amount: number | undefined
  /** `amount` before units were added. */
  initial_amount: number | undefined
  /** All order-level discounts so far. */
  discount_amount: number
  /** The order-level part of the current step. */
  applied_discount_amount: number
  items: OrderLine[]
  /** Whether the request (or the stored order) has an items array at all. */
  hasItems: boolean
  metadata: Metadata | undefined
  referrer_id: string | undefined
}

/** An order as the service answers it: zero-valued discounts left out. */
export type OrderAnswer = Record<string, unknown>

// --- requests ---------------------------------------------------------------------------------------------------------

export interface RedeemableRequest {
  object: 'voucher' | 'promotion_tier' | 'promotion_stack'
  id: string
  gift?: { credits?: number }
  reward?: { id?: string; points?: number }
}

export interface SessionRequest {
  type: 'LOCK'
  key?: string
  ttl?: number
  ttl_unit?: 'DAYS' | 'HOURS' | 'MINUTES' | 'SECONDS' | 'MILLISECONDS' | 'MICROSECONDS' | 'NANOSECONDS'
}

/** What one session holds of one voucher. */
export interface SessionLock {
  key: string
  voucher_id: string
  /** Redemptions held: 1. */
  quantity: number
  credits: number
  points: number
  expires_at: string
}

/** What foreign, unexpired locks take from a voucher: `lockedBy(locks, ownKey, now)` of session.ts. */
export interface Locked {
  quantity: number
  credits: number
  points: number
}

/** A customer as a request names it; some calls take a bare id or source id. */
export type CustomerRequest = Customer | string

export type Expansion = 'order' | 'redemption' | 'redeemable' | 'category'

export interface ValidationRequest {
  redeemables: RedeemableRequest[]
  order?: OrderRequest
  customer?: CustomerRequest
  tracking_id?: string
  session?: SessionRequest
  metadata?: Metadata
  options?: { expand?: Expansion[] }
}

export interface StackingRules {
  redeemables_limit: number
  applicable_redeemables_limit: number
  applicable_redeemables_per_category_limit: number
  applicable_redeemables_category_limits: Record<string, number>
  applicable_exclusive_redeemables_limit: number
  applicable_exclusive_redeemables_per_category_limit: number
  exclusive_categories: string[]
  joint_categories: string[]
  redeemables_application_mode: 'ALL' | 'PARTIAL'
  redeemables_sorting_rule: 'REQUESTED_ORDER' | 'CATEGORY_HIERARCHY'
  redeemables_products_application_mode: 'STACK' | 'ONCE'
  redeemables_no_effect_rule: 'REDEEM_ANYWAY' | 'SKIP'
  no_effect_skip_categories: string[]
  no_effect_redeem_anyway_categories: string[]
  redeemables_rollback_order_mode: 'WITH_ORDER' | 'WITHOUT_ORDER'
  grouped_redeemables_sorting_rule?: 'JOINT_ALWAYS_LAST'
  /** Kept by the project, never echoed by a validation. */
  discount_calculation_mode?: 'DISCOUNTED_AMOUNT' | 'INITIAL_AMOUNT'
  initial_amount_mode_categories?: string[]
  discounted_amount_mode_categories?: string[]
}

/** A failure as a value: the route, or the redeemable's result, adds the request id. */
export type Refusal = Failure & { error?: { message: string } }

// --- the state, read only ---------------------------------------------------------------------------------------------

/** What rules attach to. */
export type RuleOwner =
  | 'voucher'
  | 'campaign'
  | 'promotion_tier'
  | 'earning_rule'
  | 'reward_assignment'
  | 'distribution'

/** Every question the rules may ask about stored state. Answers must not change while one evaluation runs. */
export interface Snapshot {
  /** IANA name of the project's zone, `UTC` by default. */
  timeZone: string
  weekStartsOn: number
  stackingRules: StackingRules
  /** By code or id. */
  voucher: (codeOrId: string) => Voucher | undefined
  promotionTier: (id: string) => PromotionTier | undefined
  /** All tiers, newest first. */
  promotionTiers: () => readonly PromotionTier[]
  promotionStack: (id: string) => PromotionStack | undefined
  /** By id or name. */
  campaign: (idOrName: string) => Campaign | undefined
  campaigns: () => readonly Campaign[]
  /** By id or source id. */
  product: (idOrSourceId: string) => Product | undefined
  sku: (idOrSourceId: string) => Sku | undefined
  isInCollection: (collectionId: string, line: ProductReference) => boolean
  /** By id or name. */
  category: (idOrName: string) => Category | undefined
  /** Rules assigned to exactly this object (a voucher's campaign is asked for separately), oldest assignment first. */
  rulesOf: (owner: RuleOwner, id: string) => readonly ValidationRule[]
  customer: (by: { id: string } | { source_id: string }) => Customer | undefined
  isInSegment: (segmentId: string, customer: Customer) => boolean
  /** By id or source id. */
  order: (idOrSourceId: string) => StoredOrder | undefined
  reward: (id: string) => Reward | undefined
  /** Whether the customer holds the voucher, as its owner or (referral codes) as referrer. */
  holdsVoucher: (customerId: string, voucherId: string) => boolean
  /** Whether the voucher was ever published. */
  isPublished: (voucherId: string) => boolean
  redemptions: (query: RedemptionQuery) => RedemptionTotals
  /** All stored locks on a voucher, own and expired ones included. */
  locks: (voucherId: string) => readonly SessionLock[]
  /** The opaque `track_…` of a source id. */
  trackingId: (sourceId: string) => string
}
