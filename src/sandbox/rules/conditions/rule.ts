// Validation rules as they are stored: numbered conditions joined by logic, and the products they cover.
import type { ApplicableTo } from '../pricing/applicable.ts'

/** One numbered rule. `rules` holds sub-rules, numbered "1", "2"… with their own `logic`. */
export interface RuleNode {
  name: string
  property?: string | null
  conditions?: Record<string, unknown[]>
  rules?: RuleTree
  error?: { message?: string } | null
}

/** `{"1": rule, "2": rule, "logic": "1 and 2"}` */
export interface RuleTree {
  [number: string]: RuleNode | string
}

/** The parts of a bundle by number, all of which are needed, and the `limit`: how often it counts in one order. */
export interface BundleRules {
  [number: string]: RuleNode | number | null | undefined
}

export interface ValidationRule {
  id: string
  name?: string | null
  rules?: RuleTree
  bundle_rules?: BundleRules | null
  applicable_to?: ApplicableTo | null
  error?: { message?: string } | null
  type?: string
  context_type?: string
}

/** What rules can be assigned to. */
export type RuleOwner =
  | 'voucher'
  | 'campaign'
  | 'promotion_tier'
  | 'earning_rule'
  | 'reward_assignment'
  | 'distribution'

export type RulesResult =
  | { satisfied: true }
  | {
      satisfied: false
      kind: 'customer' | 'order' | 'redemption' | 'missing'
      missing?: 'customer' | 'order' | 'order_items' | 'amount'
      ruleIds: string[]
      message?: string
    }
