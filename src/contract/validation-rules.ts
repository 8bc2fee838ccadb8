// Validation rules and their assignments.
// Source: docs/service/validation-rules.md#fields; docs/service/validation-rules.md#calls.
import { z } from 'zod'
import { bothWays, byPage, callsAbout, listing, pageListing, pages, pagesBy } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, emptyAnswer, forcible } from './fields.ts'

/**
 * A rule to store: numbered conditions in `rules` with their `logic`, and the products it applies to.
 *
 * The conditions are a language of their own (docs/service/validation-rules.md#conditions;
 * docs/service/validation-rules.md#targets), which the service checks.
 */
export const newValidationRule = z.strictObject({
  name: z.string().min(1),
  rules: z.record(z.string(), z.unknown()).nullish(),
  bundle_rules: z.record(z.string(), z.unknown()).nullish(),
  applicable_to: z.record(z.string(), z.unknown()).nullish(),
  error: z.strictObject({ message: z.string() }).nullish(),
  type: z.enum(['expression', 'basic', 'advanced', 'complex']).optional(),
  context_type: z.string().optional(),
})

const inPeriods = (name: string) => ['', '.daily', '.weekly', '.monthly'].map((period) => `${name}${period}`)
const periodsOf = (name: string) => inPeriods(name).slice(1)

/** What a condition, or a sub-rule about lines, may be about, as published. Source: docs/service/validation-rules.md#targets. */
export const conditionNames: readonly string[] = [
  ['customer.segment', 'customer.metadata', 'customer.loyalty.tier', 'publication.redeemable_by_linked_customer'],
  ['order.amount', 'order.total_amount', 'order.initial_amount', 'order.metadata', 'product.metadata'],
  ['count', 'price_any', 'price_each', 'metadata_any', 'metadata_each'].map((name) => `order.items.${name}`),
  ['any', 'every', 'none', 'cheapest', 'most_expensive'].map((name) => `order.items.${name}`),
  ['quantity', 'price', 'metadata', 'aggregated_quantity', 'aggregated_amount'].map((name) => `order.items.${name}`),
  ['product.id', 'product.quantity', 'product.price', 'sku.id', 'sku.quantity', 'sku.price', 'discount_applicable'],
  inPeriods('redemption.count.per_customer'),
  periodsOf('redemption.count'),
  inPeriods('campaign.redemptions.count'),
  inPeriods('campaign.redemptions.customers_count'),
  ['campaign.orders.amount', 'campaign.orders.amount_discounted', 'redemption.metadata', 'redemption.gift.amount'],
  ['redemption.reward.pay_with_points.points_used', 'redemption.api_key', 'custom_event.metadata'],
].flat()

/** How a condition compares, as published. Source: docs/service/validation-rules.md#operators. */
export const conditionOperators: readonly string[] = [
  ['$is', '$is_not', '$in', '$not_in', '$starts_with', '$ends_with', '$contains'],
  ['$less_than', '$less_than_or_equal', '$more_than', '$more_than_or_equal', '$greater_than_or_equal'],
  ['$count', '$count_more', '$count_less', '$after', '$before', '$dow'],
  ['$more_than_ago', '$less_than_ago', '$is_days_ago', '$more_than_future', '$less_than_future'],
  ['$is_days_in_future', '$timeframe_absolute', '$timeframe_daily_hours', '$from'],
].flat()

/** A rule as the service returns it. */
export const validationRule = z.looseObject({ id: z.string(), name: z.string().nullish() })

/** The object that a rule is assigned to: its type and id, or in the older form its id under the name of its type. */
export const newAssignment = z.strictObject({
  related_object_type: z
    .enum(['voucher', 'campaign', 'promotion_tier', 'earning_rule', 'reward_assignment', 'distribution'])
    .optional(),
  related_object_id: z.string().min(1).optional(),
  voucher: z.string().min(1).optional(),
  campaign: z.string().min(1).optional(),
  promotion_tier: z.string().min(1).optional(),
  earning_rule: z.string().min(1).optional(),
  reward_assignment: z.string().min(1).optional(),
  distribution: z.string().min(1).optional(),
})

/** An assignment as the service returns it. */
export const assignment = z.looseObject({
  id: z.string(),
  object: z.literal('validation_rules_assignment'),
  rule_id: z.string(),
})

const listQuery = z.strictObject({
  ...byPage,
  order: bothWays('created_at', 'updated_at').optional(),
  start_date: dateTime.optional(),
  end_date: dateTime.optional(),
})

const calls = callsAbout('validation-rules', '/v1/validation-rules/{validationRuleId}', {
  response: validationRule,
  source: 'docs/service/validation-rules.md',
})

export const listValidationRules = endpoint('validation-rules.list', 'List validation rules', {
  ...listing,
  call: 'GET /v1/validation-rules',
  query: listQuery,
  paging: pages(100, { dates: { created_at: 'dates' } }),
  source: 'docs/service/validation-rules.md#calls',
})

export const getValidationRule = calls.get('Get a validation rule', 'calls')

/** Creates a rule; it has no effect until it is assigned. */
export const createValidationRule = calls.create(
  newValidationRule,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listValidationRules } } },
  'Create a validation rule',
  'calls',
)

/** Changes a rule for all of its assignments. */
export const updateValidationRule = calls.update(newValidationRule.partial(), 'Update a validation rule', 'calls')

/** Removes a rule and its assignments. */
export const deleteValidationRule = calls.delete('Delete a validation rule', 'calls')

/** Assigns a rule to an object. Refused when it is already assigned; with `force` the new assignment replaces the old one. */
export const assignValidationRule = calls.act('assign', 'Assign a validation rule', 'assignments', {
  ...forcible,
  at: 'assignments',
  body: newAssignment,
  response: assignment,
  repeat: 'key',
  proof: { by: 'list', read: { call: () => listRuleAssignments } },
})

export const listRuleAssignments = calls.listOf(
  'assignments',
  pagesBy('created_at', 'updated_at'),
  'List the assignments of a validation rule',
  'assignments',
)

export const unassignValidationRule = endpoint(
  'validation-rules.unassign',
  'Remove an assignment of a validation rule',
  {
    call: 'DELETE /v1/validation-rules/{validationRuleId}/assignments/{assignmentId}',
    response: emptyAnswer,
    source: 'docs/service/validation-rules.md#assignments',
  },
)

/** Lists the assignments of all rules, or those of one object. */
export const listAssignments = endpoint('validation-rules-assignments.list', 'List validation rule assignments', {
  ...pageListing,
  call: 'GET /v1/validation-rules-assignments',
  query: z.strictObject({
    ...byPage,
    order: bothWays('created_at', 'updated_at').optional(),
    related_object_id: z.string().optional(),
    rule: z.string().optional(),
  }),
  source: 'docs/service/validation-rules.md#assignments',
})
