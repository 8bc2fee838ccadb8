// Validation rules: checked before they are stored, because a stored rule that is ignored would give money away.
// Source: docs/service/validation-rules.md#fields; docs/service/validation-rules.md#refused-rules.
import type { z } from 'zod'
import { isRecord, withoutUndefined } from '../../../base/record.ts'
import { newValidationRule } from '../../../contract/validation-rules.ts'
import { withoutUnset } from '../../answers/unset.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { type Refusal, refused } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import { ruleProblem } from '../../rules/conditions/check-rule.ts'
import type { BundleRules, RuleTree } from '../../rules/conditions/rule.ts'
import type { ApplicableTo } from '../../rules/pricing/applicable.ts'
import { bundleProblem } from '../../rules/pricing/bundle.ts'
import { is } from '../../storage/conditions.ts'
import { assignments, type StoredRule, validationRules } from '../../stores/validation-rules.ts'
import { storeUpdate, type UpdateResult } from '../update.ts'

type NewRule = z.output<typeof newValidationRule>
type RuleUpdate = z.output<ReturnType<typeof newValidationRule.partial>>

/** Stores a rule, which has no effect before it is assigned. Throws 400 `invalid_validation_rules` if unsupported. */
export function createRule(body: NewRule, context: Context): StoredRule {
  return context.in(validationRules).insert({
    id: context.id(validationRules.prefix),
    ...contentOf(body),
    created_at: context.now,
    updated_at: null,
    object: 'validation_rules',
  })
}

/** Changes a rule everywhere it is assigned; omitted members keep their value. Throws 400. */
export function updateRule(rule: StoredRule, body: RuleUpdate, context: Context): UpdateResult<StoredRule> {
  const given = withoutUndefined(body)
  // The stored values came from a request, so they are valid in a request.
  const content = contentOf({ ...(rule as object), ...given } as NewRule)
  return storeUpdate(validationRules, rule, { ...rule, ...content }, context)
}

/** Removes a rule from everything it is assigned to. */
export function deleteRule(rule: StoredRule, context: Context): void {
  // ASSUMED A193: the assignments of a deleted rule are removed with it, without events of their own.
  for (const { id } of context.in(assignments).all([is(assignments, 'rule_id', rule.id)]))
    context.in(assignments).remove(id)
  context.in(validationRules).remove(rule.id)
}

/** Shows a rule, with the number of things it is assigned to. */
export function ruleAnswer(rule: StoredRule, context: Tables) {
  // A rule stored by an earlier version has no bundles.
  const { bundle_rules = {} } = rule
  return {
    ...rule,
    bundle_rules,
    assignments_count: context.in(assignments).count([is(assignments, 'rule_id', rule.id)]),
  }
}

/** Shows a rule that was just created: without the members that say nothing yet. */
export function newRuleAnswer(rule: StoredRule): StoredRule {
  return withoutUnset(rule, ['error', 'updated_at']) as StoredRule
}

/** Reads a rule of a fixture. Throws the refusal of an unsupported one. */
export function loadRule(wire: Record<string, unknown>, loading: FixtureContext): StoredRule {
  const content = contentOf(requestOf(newValidationRule, wire))
  return { ...identityOf(validationRules, wire, loading), ...content, object: 'validation_rules' }
}

/** 400 with the problem of a rule, or of its assignment. */
export function invalidRules(details: string): Refusal {
  return refused('invalid_validation_rules', details)
}

function contentOf({ name, rules, bundle_rules, applicable_to, error, type, context_type }: NewRule) {
  const content = {
    name,
    // ruleProblem checks the content of the conditions; the contract leaves their language to the service.
    rules: withLogic((rules ?? {}) as RuleTree),
    // ASSUMED A1002: a rule without bundles shows an empty object, as one without conditions does.
    bundle_rules: (bundle_rules ?? {}) as BundleRules,
    applicable_to: completeApplicableTo(applicable_to),
    error: error ?? null,
    type: type ?? 'expression',
    context_type: context_type ?? 'global',
  }
  const problem = ruleProblem(content) ?? bundleProblem(content.bundle_rules)
  if (problem !== undefined) throw invalidRules(problem)
  return content
}

/** What a numbered condition holds that is read member by member. */
const nested = ['conditions', 'rules']

/** Completes conditions without logic or sub-rules, and leaves out nested members that are null, in sub-rules too. */
function withLogic(tree: RuleTree): RuleTree {
  const numbers = Object.keys(tree).filter((key) => key !== 'logic')
  if (numbers.length === 0) return tree
  const rules = numbers.map((number) => {
    const given: unknown = tree[number]
    if (!isRecord(given)) return [number, given] as const
    const rule = Object.fromEntries(
      Object.entries(given).filter(([name, value]) => value !== null || !nested.includes(name)),
    )
    // The service stores an empty tree for a condition without sub-rules (observed).
    const inner = rule.rules ?? {}
    return [number, { ...rule, rules: isRecord(inner) ? withLogic(inner as RuleTree) : inner }] as const
  })
  // ASSUMED A1001: several conditions without logic must all hold; with one, the service stores "1" (observed).
  return { ...Object.fromEntries(rules), logic: tree.logic ?? numbers.join(' and ') } as RuleTree
}

/** Completes what products a rule is about; null for a rule that says nothing about products. */
function completeApplicableTo(applicableTo: NewRule['applicable_to']): ApplicableTo | null {
  if (!applicableTo) return null
  const { included, included_all } = applicableTo as ApplicableTo
  return {
    ...applicableTo,
    ...(Array.isArray(included) && { included: included.map(withEffect) }),
    included_all: typeof included_all === 'boolean' ? included_all : !included?.length,
  }
}

function withEffect<Entry>(entry: Entry): Entry {
  return isRecord(entry) ? { strict: false, effect: 'APPLY_TO_EVERY', ...entry } : entry
}
