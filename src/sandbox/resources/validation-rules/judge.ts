// One rule, judged for a customer and an order. Source: docs/service/validation-rules.md#judge-one-rule.
import type { z } from 'zod'
import type { validateRule } from '../../../contract/validations.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { evaluateRules } from '../../rules/conditions/evaluate.ts'
import { ruleContext } from '../../rules/eligibility/eligibility.ts'
import { evaluationOf } from '../../rules/evaluation.ts'
import { applicabilityLists, noEntries } from '../../rules/pricing/applicable-lists.ts'
import { bundleOf } from '../../rules/pricing/incentive.ts'
import { evaluationSubject } from '../evaluation/request.ts'
import { snapshotOf } from '../evaluation/snapshot.ts'
import type { StoredRule } from './store.ts'

type Body = NonNullable<z.output<NonNullable<(typeof validateRule)['body']>>>

/** Says whether a rule holds, and which products of the order it is about. Throws 404 for an unknown id of a customer. */
export function judged(rule: StoredRule, body: Body, context: Context) {
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
