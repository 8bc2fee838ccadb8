// The rules' view of the stored state.

import type { RedemptionQuery, RedemptionTotals, RuleContext } from './conditions/context.ts'
import type { RuleOwner, ValidationRule } from './conditions/rule.ts'
import type { Customer, Customers } from './eligibility/customer.ts'
import type { SessionLock } from './eligibility/session.ts'
import type { Collections } from './pricing/applicable.ts'
import type { Catalogue } from './pricing/order.ts'
import type { Reward } from './pricing/payment.ts'
import type { Campaign, Category, PromotionStack, PromotionTier, Voucher } from './redeemable.ts'
import type { StackingRules } from './stacking/stacking-rules.ts'

/** Every query the rules may make on stored state. Results must not change during an evaluation. */
export interface Snapshot extends Omit<Catalogue, 'customer'>, Collections, Customers {
  /** IANA name of the project's time zone, `UTC` by default. */
  timeZone: string
  /** The id of the application key that the request was sent with, for rules on it. */
  apiKey?: string
  weekStartsOn: number
  stackingRules: StackingRules
  /** By code or id. */
  voucher: (codeOrId: string) => Voucher | undefined
  promotionTier: (id: string) => PromotionTier | undefined
  /** The 150 newest tiers, newest first: no answer considers more. */
  promotionTiers: () => readonly PromotionTier[]
  promotionStack: (id: string) => PromotionStack | undefined
  /** By id or name. */
  campaign: (idOrName: string) => Campaign | undefined
  /** The campaigns of the types that can be qualified for. */
  campaigns: () => readonly Campaign[]
  /** By id or name. */
  category: (idOrName: string) => Category | undefined
  /** Rules assigned to exactly this object (a voucher's campaign is queried separately), oldest assignment first. */
  rulesOf: (owner: RuleOwner, id: string) => readonly ValidationRule[]
  /** Reads many vouchers at once, by code, where that is cheaper than one by one. */
  prefetchVouchers?: (codes: readonly string[]) => void
  /** Reads the rules and the locks of many things at once, where that is cheaper than one by one. */
  prefetch?: (owner: RuleOwner, things: readonly { id: string }[]) => void
  isInSegment: (segmentId: string, customer: Customer) => boolean
  /** A reward with the price for the holder of a card, if its program offers it. */
  reward: (id: string, card: Voucher) => Reward | undefined
  /** Returns whether the customer is in a tier of a loyalty program. */
  isInTier: (tierId: string, customer: Customer) => boolean
  /** Returns whether the customer holds the voucher, as owner or (referral codes) as referrer. */
  holdsVoucher: (customerId: string, voucherId: string) => boolean
  /** Returns whether the voucher was ever published. */
  isPublished: (voucherId: string) => boolean
  redemptions: (query: RedemptionQuery) => RedemptionTotals
  /** Returns all stored locks on a voucher, including own and expired ones. */
  locks: (voucherId: string) => readonly SessionLock[]
  /** Is told what conditions come to. */
  onCondition?: RuleContext['onCondition']
}
