// Validation rules: checked before they are stored, because a stored rule that is ignored would give money away.
// Source: docs/service/validation-rules.md#fields; docs/service/validation-rules.md#refused-rules.
import type { z } from 'zod'
import { newValidationRule } from '../../../contract/validation-rules.ts'
import { type Refusal, refused } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import type { Context } from '../../http/route.ts'
import { ruleProblem } from '../../rules/conditions/check-rule.ts'
import type { ValidationRule } from '../../rules/conditions/rule.ts'
import type { ApplicableTo } from '../../rules/pricing/applicable.ts'
import { identityOf, requestOf } from '../../seed/fixture-object.ts'
import { is } from '../../storage/conditions.ts'
import { storeUpdate, type UpdateResult } from '../update.ts'
import { assignments, type StoredRule, validationRules } from './store.ts'

type NewRule = z.output<typeof newValidationRule>
type RuleUpdate = z.output<ReturnType<typeof newValidationRule.partial>>

/** Stores a rule, which has no effect before it is assigned. Throws 400 `invalid_validation_rules` if unsupported. */
export function createRule(body: NewRule, context: Context): StoredRule {
  const rule: StoredRule = {
    id: context.id(validationRules.prefix),
    ...contentOf(body),
    created_at: context.now,
    updated_at: null,
    object: 'validation_rules',
  }
  context.in(validationRules).insert(rule)
  return rule
}

/** Changes a rule everywhere it is assigned; omitted members keep their value. Throws 400. */
export function updateRule(rule: StoredRule, body: RuleUpdate, context: Context): UpdateResult<StoredRule> {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
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
export function ruleAnswer(rule: StoredRule, context: Pick<Context, 'in'>) {
  return { ...rule, assignments_count: context.in(assignments).count([is(assignments, 'rule_id', rule.id)]) }
}

/** Reads a rule of a fixture. Throws the refusal of an unsupported one. */
export function loadRule(wire: Record<string, unknown>, loading: FixtureContext): StoredRule {
  const content = contentOf(requestOf(newValidationRule, wire))
  return { ...identityOf(validationRules, wire, loading), ...content, object: 'validation_rules' }
}

/** 400 with the problem of a rule, or of its assignment. */
export function invalidRules(details: string): Refusal {
  // ASSUMED A194: the message; only the key is published.
  return refused('invalid_validation_rules', 'Invalid Validation Rules', details)
}

function contentOf({ name, rules, applicable_to, error, type, context_type }: NewRule) {
  const content = {
    name,
    // ruleProblem checks the content of the conditions; the contract leaves their language to the service.
    rules: (rules ?? { logic: '' }) as NonNullable<ValidationRule['rules']>,
    applicable_to: { excluded: [], included: [], ...applicable_to, included_all: includesAll(applicable_to ?? {}) },
    error: error ?? null,
    type: type ?? 'expression',
    context_type: context_type ?? 'global',
  }
  const problem = ruleProblem(content)
  if (problem !== undefined) throw invalidRules(problem)
  return content
}

function includesAll({ included_all, included }: ApplicableTo): boolean {
  return typeof included_all === 'boolean' ? included_all : !included?.length
}
