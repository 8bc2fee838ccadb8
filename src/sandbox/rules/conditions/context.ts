// The data that the conditions of a rule may read, what the subject of each reads of it, and the outcome of an evaluation.
import type { Metadata } from '../../../contract/fields.ts'
import type { Customer } from '../eligibility/customer.ts'
import type { OrderState } from '../pricing/order.ts'
import type { ProductReference } from '../pricing/product.ts'
import type { Campaign, Voucher } from '../redeemable.ts'
import type { RuleNode, RulesResult } from './rule.ts'

/** Which redemptions to add up, of a campaign or of an object; other absent members do not restrict. `since` is an inclusive instant. */
export interface RedemptionQuery {
  object?: 'voucher' | 'promotion_tier'
  /** Voucher id or tier id. */
  id?: string
  campaign_id?: string
  customer_id?: string
  since?: string
  /** Whether `customers_count` is needed: those of a period are counted one by one. */
  countsCustomers?: true
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
  products?: ProductScope | undefined
  /** The object that the rules are assigned to. */
  redeemable: { object: 'voucher' | 'promotion_tier' | 'campaign'; id: string; metadata: Metadata }
  voucher?: Voucher | undefined
  campaign?: Campaign | undefined
  /** The stored customer overlaid with the request's; absent when the request names none. */
  customer?: Customer | undefined
  isInSegment: (segmentId: string) => boolean
  /** Whether the customer is in a tier of a loyalty program. */
  isInTier: (tierId: string) => boolean
  /** Whether the customer holds the voucher (`publication.redeemable_by_linked_customer`). */
  isHolder: boolean
  /** The order at this point of the stack, before the incentive. */
  order?: OrderState | undefined
  /** The order with the incentive applied; absent when it could not be computed or there is none. */
  orderAfter?: OrderState | undefined
  /** The order before anything was applied. */
  initialOrder?: OrderState | undefined
  /** The request's own `metadata` (redemption metadata). */
  metadata: Metadata
  /** Gift credits and points this redeemable would take. */
  giftCredits?: number | undefined
  pointsUsed?: number | undefined
  /** The discount of this attempt, for budgets. */
  discountAmount: number
  isInCollection: (collectionId: string, line: ProductReference) => boolean
  redemptions: (query: RedemptionQuery) => RedemptionTotals
  /** Metadata of the custom event, for earning rules. */
  eventMetadata?: Metadata | undefined
  apiKey?: string | undefined
  /** Is told what each numbered condition of a rule comes to, but for those about what the request lacks. */
  onCondition?: ((ruleId: string, number: string, holds: boolean) => void) | undefined
}

/** What a request may lack for a rule. */
export type Missing = NonNullable<Extract<RulesResult, { satisfied: false }>['missing']>

/** The type of the values in a rule's conditions: numbers, flags, references to objects, or any. */
export type ConditionValues = 'number' | 'flag' | 'reference' | 'any'

/** One value, several of which any or each must match, a membership test, or what the request lacks. */
export type SubjectValue =
  | { missing: Missing }
  | { value: unknown }
  | { any: unknown[] }
  | { each: unknown[] }
  | { belongsTo: (reference: unknown) => boolean }

/** One name of a rule: what it reads and what has failed when it does not hold. */
export interface RuleSubject {
  kind: 'customer' | 'order' | 'redemption'
  values: ConditionValues
  /** Also evaluated when only audience rules are. */
  audience?: true
  /** Needs `property`, the key in some metadata. */
  property?: true
  read: (context: RuleContext, property: string) => SubjectValue
}

/** Returns the id of a reference, which conditions write as a text or as an object with an id. */
export function idOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference
  const id: unknown =
    typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Returns the `object` of a reference, the kind it refers to; undefined when it has none. */
export function kindOf(reference: unknown): unknown {
  return typeof reference === 'object' && reference !== null && 'object' in reference ? reference.object : undefined
}

/** Returns whether an operator holds for what is *not* among its values. */
export function isNegative(operator: string): boolean {
  return operator === '$is_not' || operator === '$not_in'
}
/** Returns the numbered rules of a tree, without its logic. */
export function numberedRules(tree: RuleNode['rules']): [number: string, rule: RuleNode][] {
  return Object.entries(tree ?? {}).filter((entry): entry is [string, RuleNode] => typeof entry[1] === 'object')
}
