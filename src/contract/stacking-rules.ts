// How many redeemables of each kind apply together.
// Source: docs/service/validations.md#stacking-rules; docs/service/projects.md#stacking-rules.
import { z } from 'zod'
import { callsAbout, listing } from './calls-about.ts'

const upTo30 = z.int().min(1).max(30)
const upTo5 = z.int().min(1).max(5)
const categoryIds = z.array(z.string())

/** The rules of a project; omitted fields keep their defaults. */
export const stackingRules = z.strictObject({
  redeemables_limit: upTo30.optional(),
  applicable_redeemables_limit: upTo30.optional(),
  applicable_redeemables_per_category_limit: upTo30.optional(),
  applicable_redeemables_category_limits: z.record(z.string(), z.int().min(1).max(10)).optional(),
  applicable_exclusive_redeemables_limit: upTo5.optional(),
  applicable_exclusive_redeemables_per_category_limit: upTo5.optional(),
  exclusive_categories: categoryIds.optional(),
  joint_categories: categoryIds.optional(),
  no_effect_skip_categories: categoryIds.optional(),
  no_effect_redeem_anyway_categories: categoryIds.optional(),
  initial_amount_mode_categories: categoryIds.optional(),
  discounted_amount_mode_categories: categoryIds.optional(),
  redeemables_application_mode: z.enum(['ALL', 'PARTIAL']).optional(),
  redeemables_sorting_rule: z.enum(['REQUESTED_ORDER', 'CATEGORY_HIERARCHY']).optional(),
  // No other value is known; one that is not understood would reorder every cart in silence.
  grouped_redeemables_sorting_rule: z.enum(['JOINT_ALWAYS_LAST']).optional(),
  redeemables_no_effect_rule: z.enum(['REDEEM_ANYWAY', 'SKIP']).optional(),
  redeemables_products_application_mode: z.enum(['STACK', 'ONCE']).optional(),
  redeemables_rollback_order_mode: z.enum(['WITH_ORDER', 'WITHOUT_ORDER']).optional(),
  discount_calculation_mode: z.enum(['INITIAL_AMOUNT', 'DISCOUNTED_AMOUNT']).optional(),
})

const storedRules = z.looseObject({ id: z.string() })

const calls = callsAbout('stacking-rules', '/management/v1/projects/{projectId}/stacking-rules/{stackingRulesId}', {
  credential: 'management',
  response: storedRules,
  source: 'docs/service/projects.md#stacking-rules',
})

/** Lists the stacking rules of a project: one object, or none while the defaults apply. */
export const listStackingRules = calls.list(listing, 'List the stacking rules of a project')

export const getStackingRules = calls.get('Get stacking rules')

/** Stores rules for a project that has none. Refused with `stacking_rules_exist` when it has some. */
export const createStackingRules = calls.create(
  stackingRules,
  { repeat: 'key', proof: { by: 'list', read: { call: () => listStackingRules } } },
  'Create stacking rules',
)

/** Changes the rules; omitted fields keep their values. */
export const updateStackingRules = calls.update(stackingRules, 'Update stacking rules')

/** Removes the rules, so that the defaults apply again. */
export const deleteStackingRules = calls.delete('Delete stacking rules')
