// The project's stacking rules: the defaults, and the form in which an answer repeats them.
// Source: docs/service/validations.md#stacking-rules; docs/service/validations.md#calculation-base.

import type { z } from 'zod'
import type { AllRequired } from '../../../contract/fields.ts'
import type { stackingRules } from '../../../contract/stacking-rules.ts'

/** The complete stacking rules of a project. An answer omits how discounts are calculated. */
export type StackingRules = AllRequired<z.output<typeof stackingRules>>

/**
 * The initial stacking rules of a project.
 *
 * ASSUMED A11: the application mode, the products mode, the no-effect rule, the grouping and the calculation base
 * have no documented default (docs/service/validations.md#stacking-rules); chosen are ALL, STACK, REDEEM_ANYWAY,
 * JOINT_ALWAYS_LAST and DISCOUNTED_AMOUNT.
 */
export const defaultStackingRules: Readonly<StackingRules> = {
  redeemables_limit: 30,
  applicable_redeemables_limit: 5,
  applicable_redeemables_per_category_limit: 1,
  applicable_redeemables_category_limits: {},
  applicable_exclusive_redeemables_limit: 1,
  applicable_exclusive_redeemables_per_category_limit: 1,
  exclusive_categories: [],
  joint_categories: [],
  redeemables_application_mode: 'ALL',
  redeemables_sorting_rule: 'REQUESTED_ORDER',
  redeemables_products_application_mode: 'STACK',
  redeemables_no_effect_rule: 'REDEEM_ANYWAY',
  no_effect_skip_categories: [],
  no_effect_redeem_anyway_categories: [],
  redeemables_rollback_order_mode: 'WITH_ORDER',
  grouped_redeemables_sorting_rule: 'JOINT_ALWAYS_LAST',
  discount_calculation_mode: 'DISCOUNTED_AMOUNT',
  initial_amount_mode_categories: [],
  discounted_amount_mode_categories: [],
}

/** Returns the rules as in answers: without the calculation base, which only the management object has. */
export function echoedRules(rules: StackingRules): Partial<StackingRules> {
  const {
    discount_calculation_mode: _mode,
    initial_amount_mode_categories: _initial,
    discounted_amount_mode_categories: _discounted,
    ...echoed
  } = rules
  return echoed
}
