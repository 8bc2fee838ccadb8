// Evaluates validation rules: numbered rules, joined by logic, on one context.
// Source: docs/service/validation-rules.md#conditions.

import { type Logic, parseLogic } from '../../../contract/rule-logic.ts'
import type { OrderLine } from '../pricing/order.ts'
import { isNegative, type Missing, type RuleContext, type RuleSubject, type SubjectValue } from './context.ts'
import { clockOf, meets, type ZonedNow } from './operators.ts'
import { extremeLine, lineValues, matchesLine, orderLines, type Quantifier, quantifierOf } from './order-lines.ts'
import type { RuleNode, RulesResult, RuleTree, ValidationRule } from './rule.ts'
import { ruleSubjects } from './subjects.ts'

/**
 * Evaluates all validation rules assigned to an object; all of them must hold.
 *
 * A failure names all failed rules, and the message of the first: its numbered rule's, else its fallback. `missing` names
 * what the request must contain to be evaluated, and precedes any violation. With `audienceOnly`, everything that is not
 * about segments or customer metadata holds.
 */
export function evaluateRules(rules: readonly ValidationRule[], context: RuleContext): RulesResult {
  const clock = clockOf(context)
  const judged = rules.map((rule) => ({
    rule,
    outcome: evaluateTree(rule.rules, (one, number) => {
      const outcome = judgeRule(one, context, clock)
      if (outcome.holds || outcome.kind !== 'missing') context.onCondition?.(rule.id, number, outcome.holds)
      return outcome
    }),
  }))
  const failed = judged.filter(({ outcome }) => !outcome.holds)
  const outcome = firstFailure(failed.map((one) => one.outcome))
  if (outcome.holds) return { satisfied: true }

  const ruleIds = failed.map(({ rule }) => rule.id)
  if (outcome.kind === 'missing') return { satisfied: false, kind: 'missing', missing: outcome.missing, ruleIds }
  const fallback = failed.find((one) => one.outcome === outcome)?.rule.error?.message
  const message = outcome.message ?? fallback
  return { satisfied: false, kind: outcome.kind, ruleIds, ...(message ? { message } : {}) }
}

function judgeRule(rule: RuleNode, context: RuleContext, clock: ZonedNow): RuleOutcome {
  if (isOmitted(rule, context)) return { holds: true }
  const target = subjectOf(rule)
  const quantifier = quantifierOf(rule)
  if (quantifier) return judgeLines(rule, quantifier, context, clock)
  // An unknown name is refused when a rule is stored; if one is found nevertheless, it must not count as met.
  if (!target) return failure(rule, 'redemption')

  const reading = target.read(context, rule.property ?? '')
  if ('missing' in reading) return { holds: false, kind: 'missing', missing: reading.missing }
  return isMet(reading, rule.conditions ?? {}, clock) ? { holds: true } : failure(rule, target.kind)
}

/** Returns whether a numbered rule is not judged in this context, so that it counts as met. */
export function isOmitted(rule: RuleNode, { audienceOnly, products, customer }: RuleContext): boolean {
  const target = subjectOf(rule)
  if (audienceOnly) return !target?.audience
  if (!products || quantifierOf(rule)) return false
  if (target?.kind === 'customer') return !products.byCustomer
  if (target?.kind === 'order') return !/^(product|sku)\./.test(rule.name)
  return rule.name.startsWith('redemption.count.per_customer') && !customer
}

/** Returns whether a rule about lines only asks for the product: more of it in the cart may meet everything else. */
export function isRelaxed(rule: RuleNode, { products }: RuleContext): boolean {
  const quantifier = quantifierOf(rule)
  const isForbidding = quantifier === 'none' || Object.keys(rule.conditions ?? {}).some(isNegative)
  return products !== undefined && quantifier !== undefined && !isForbidding
}

function subjectOf({ name }: RuleNode) {
  return Object.hasOwn(ruleSubjects, name) ? ruleSubjects[name] : undefined
}

function isMet(reading: SubjectValue, conditions: Record<string, unknown[]>, clock: ZonedNow): boolean {
  if ('any' in reading) return reading.any.some((value) => meets(value, conditions, clock))
  if ('each' in reading) return reading.each.every((value) => meets(value, conditions, clock))
  if ('value' in reading) return meets(reading.value, conditions, clock)
  if ('missing' in reading) return false
  return Object.entries(conditions).every(([operator, references]) => {
    const belongs = references.some((reference) => reading.belongsTo(reference))
    return isNegative(operator) ? !belongs : belongs
  })
}

function judgeLines(rule: RuleNode, quantifier: Quantifier, context: RuleContext, clock: ZonedNow): RuleOutcome {
  const found = orderLines(context)
  if ('missing' in found) return { holds: false, kind: 'missing', missing: found.missing }
  const matching = found.lines.filter((line) => matchesLine(rule.conditions ?? {}, line, context))
  if (isRelaxed(rule, context)) return matching.length > 0 ? { holds: true } : failure(rule, 'order')
  const passes = (line: OrderLine) => evaluateTree(rule.rules, (sub) => judgeLine(sub, line, matching, clock)).holds
  const passing = matching.filter(passes)
  return enough(quantifier, found.lines, passing) ? { holds: true } : failure(rule, 'order')
}

function enough(quantifier: Quantifier, lines: readonly OrderLine[], passing: readonly OrderLine[]): boolean {
  switch (quantifier) {
    case 'any':
      return passing.length > 0
    case 'every':
      return passing.length === lines.length
    case 'none':
      return passing.length === 0
    default: {
      const line = extremeLine(lines, quantifier)
      return line !== undefined && passing.includes(line)
    }
  }
}

function judgeLine(rule: RuleNode, line: OrderLine, matching: readonly OrderLine[], clock: ZonedNow): RuleOutcome {
  const value = Object.hasOwn(lineValues, rule.name) ? lineValues[rule.name] : undefined
  const holds = value && meets(value.read(line, matching, rule.property ?? ''), rule.conditions ?? {}, clock)
  return holds ? { holds } : failure(rule, 'order')
}

function failure(rule: RuleNode, kind: 'customer' | 'order' | 'redemption'): RuleOutcome {
  return { holds: false, kind, ...(rule.error?.message ? { message: rule.error.message } : {}) }
}

/** The outcome of one rule: it holds, or what failed and with which message, or what the request lacks to evaluate it. */
export type RuleOutcome =
  | { holds: true }
  | { holds: false; kind: RuleSubject['kind']; message?: string }
  | { holds: false; kind: 'missing'; missing: Missing }

/** Evaluates the numbered rules of a tree by its logic. Empty logic holds; logic that cannot be parsed does not. */
function evaluateTree(tree: RuleTree | undefined, judge: (rule: RuleNode, number: string) => RuleOutcome): RuleOutcome {
  const logic = readLogic(tree)
  if (logic === 'empty') return { holds: true }
  if (logic === 'unreadable') return { holds: false, kind: 'redemption' }
  return judgeLogic(logic, (number) => {
    const rule = tree && Object.hasOwn(tree, number) ? tree[number] : undefined
    // A missing rule cannot hold; this does not occur, because such logic is refused when it is stored.
    return typeof rule === 'object' ? judge(rule, number) : { holds: false, kind: 'redemption' }
  })
}

function judgeLogic(logic: Logic, judge: (number: string) => RuleOutcome): RuleOutcome {
  if ('rule' in logic) return judge(logic.rule)
  const outcomes = logic.parts.map((part) => judgeLogic(part, judge))
  return logic.join === 'or' ? (outcomes.find(({ holds }) => holds) ?? firstFailure(outcomes)) : firstFailure(outcomes)
}

/**
 * Returns what must be reported first: what the request lacks, then the first failure
 * (docs/service/validations.md#eligibility-checks).
 */
function firstFailure(outcomes: readonly RuleOutcome[]): RuleOutcome {
  const missing = outcomes.find((outcome) => !outcome.holds && outcome.kind === 'missing')
  return missing ?? outcomes.find(({ holds }) => !holds) ?? { holds: true }
}

type ReadLogic = Logic | 'empty' | 'unreadable'

/** The logic of the rules that are in memory: each is judged for every voucher of a cart. */
const known = new WeakMap<RuleTree, ReadLogic>()

function readLogic(tree: RuleTree | undefined): ReadLogic {
  if (!tree) return 'empty'
  const logic = known.get(tree) ?? parsedLogic(tree)
  known.set(tree, logic)
  return logic
}

function parsedLogic({ logic }: RuleTree): ReadLogic {
  try {
    return parseLogic(typeof logic === 'string' ? logic : '') ?? 'empty'
  } catch {
    return 'unreadable'
  }
}
