// The calls of validation rules and their assignments.
// Source: docs/service/validation-rules.md#calls; docs/service/validation-rules.md#assignments; docs/service/validation-rules.md#judge-one-rule.
import * as contract from '../../contract/validation-rules.ts'
import { validateRule } from '../../contract/validations.ts'
import { campaignOf } from '../answers/campaign-facts.ts'
import { existingById, existingPart, routesFor } from '../answers/existing.ts'
import { tierAnswer } from '../answers/promotions.ts'
import { voucherAnswer } from '../answers/vouchers.ts'
import { Refusal } from '../http/refusal.ts'
import { type BodyOf, type Context, pageAnswer, type Resource, route } from '../http/route.ts'
import { evaluationSubject } from '../resources/evaluation/request.ts'
import { snapshotOf } from '../resources/evaluation/snapshot.ts'
import { assignRule, findRuleTarget, loadAssignment, unassignRule } from '../resources/validation-rules/assign.ts'
import {
  createRule,
  deleteRule,
  loadRule,
  newRuleAnswer,
  ruleAnswer,
  updateRule,
} from '../resources/validation-rules/lifecycle.ts'
import { evaluateRules } from '../rules/conditions/evaluate.ts'
import { ruleContext } from '../rules/eligibility/eligibility.ts'
import { evaluationOf } from '../rules/evaluation.ts'
import { applicabilityLists, noEntries } from '../rules/pricing/applicable-lists.ts'
import { bundleOf } from '../rules/pricing/incentive.ts'
import { areAll } from '../storage/conditions.ts'
import { promotionTiers } from '../stores/promotions.ts'
import { assignments, type StoredAssignment, type StoredRule, validationRules } from '../stores/validation-rules.ts'
import { vouchers } from '../stores/vouchers.ts'

const routeFor = routesFor('validationRuleId', (id, context) => existingById(validationRules, id, context))

/** Validation rules, by id. Vouchers and tiers refer to them when they are created. */
export const validationRuleResource: Resource = {
  collections: [validationRules],
  load: { validation_rules: loadRule },
  routes: [
    route(contract.createValidationRule, ({ body }, context) => {
      const rule = newRuleAnswer(createRule(body, context))
      context.emit('business_validation_rule.created', rule.id, { rule, created_at: context.now })
      return rule
    }),
    routeFor(contract.getValidationRule, (rule, context) => ruleAnswer(rule, context)),
    route(contract.listValidationRules, ({ query }, context) =>
      pageAnswer(validationRules, query, context, { show: (items) => items.map((rule) => ruleAnswer(rule, context)) }),
    ),
    routeFor(contract.updateValidationRule, (before, context, { body }) => {
      const { doc, isChanged } = updateRule(before, body, context)
      const rule = ruleAnswer(doc, context)
      if (isChanged) context.emit('business_validation_rule.updated', rule.id, { rule, updated_at: context.now })
      return rule
    }),
    routeFor(validateRule, (rule, context, { body = {} }) => judgeRule(rule, body, context)),
    routeFor(contract.deleteValidationRule, (rule, context) => {
      const shown = ruleAnswer(rule, context)
      context.emit('business_validation_rule.deleted', rule.id, { rule: shown, deleted_at: context.now })
      deleteRule(rule, context)
    }),
  ],
}

/** Assignments of rules; in a fixture they come after everything they can refer to. */
export const assignmentResource: Resource = {
  collections: [assignments],
  load: { validation_rules_assignments: loadAssignment },
  routes: [
    routeFor(contract.assignValidationRule, (rule, context, { query, body }) => {
      const assignment = assignRule(rule, findRuleTarget(body, context), query.force ?? false, context)
      recordEvent('business_validation_rule.assignment.created', rule, assignment, context)
      return assignment
    }),
    routeFor(contract.unassignValidationRule, (rule, context, { path }) => {
      const assignment = existingPart(assignments, path.assignmentId, { rule_id: rule.id }, context)
      recordEvent('business_validation_rule.assignment.deleted', rule, assignment, context)
      unassignRule(assignment, context)
    }),
    routeFor(contract.listRuleAssignments, ({ id }, context, { query }) =>
      pageAnswer(assignments, query, context, { where: areAll(assignments, { rule_id: id }) }),
    ),
    route(contract.listAssignments, ({ query }, context) => {
      const { rule: rule_id, related_object_id } = query
      return pageAnswer(assignments, query, context, { where: areAll(assignments, { rule_id, related_object_id }) })
    }),
  ],
}

function recordEvent(type: string, rule: StoredRule, assignment: StoredAssignment, context: Context): void {
  context.emit(type, assignment.id, { rule: ruleAnswer(rule, context), assignment, ...shownOwner(assignment, context) })
}

/** The thing of an assignment as its own calls show it, under its own member name. */
function shownOwner({ related_object_type: type, related_object_id: id }: StoredAssignment, context: Context) {
  const voucher = type === 'voucher' ? context.in(vouchers).get(id) : undefined
  const tier = type === 'promotion_tier' ? context.in(promotionTiers).get(id) : undefined
  const campaignId = type === 'campaign' ? id : (voucher ?? tier)?.campaign_id
  return {
    ...(voucher && { voucher: voucherAnswer(voucher, context) }),
    ...(tier && { promotion_tier: tierAnswer(tier, context) }),
    ...campaignOf({ campaign_id: campaignId }, context),
  }
}

type Body = NonNullable<BodyOf<typeof validateRule>>

/** Says whether a rule holds, and which products of the order it is about. Throws 404 for an unknown id of a customer. */
function judgeRule(rule: StoredRule, body: Body, context: Context) {
  const snapshot = snapshotOf(context)
  const { tracking_id } = body
  const subject = { ...evaluationSubject(body), ...(tracking_id !== undefined && { tracking_id }) }
  const found = evaluationOf(snapshot, subject, context.now, {})
  if ('refusal' in found) throw new Refusal(found.refusal)
  const { order } = found.evaluation
  // ASSUMED A1821: without a redeemable there is no discount, so the order after it is the order.
  const seen = { ...ruleContext({}, found.evaluation, undefined), ...(order && { orderAfter: order }) }
  const isMet = evaluateRules([rule], seen).satisfied && bundleOf([rule], found.evaluation)?.quantity !== 0
  const { applicable_to } =
    order && rule.applicable_to ? applicabilityLists(snapshot, [rule.applicable_to], order.items) : noEntries()
  return { valid: isMet, rule_id: rule.id, applicable_to }
}
