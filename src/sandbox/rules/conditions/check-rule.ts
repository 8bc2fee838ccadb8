// Checks whether the embedded service supports a validation rule. A rule that it would silently ignore is refused.
// Source: docs/service/validation-rules.md#refused-rules.

import { parseLogic, ruleNumbersIn } from '../../../contract/rule-logic.ts'
import { applicableToProblem } from '../pricing/check-applicable.ts'
import { type ConditionValues, idOf, isNegative, kindOf, numberedRules } from './context.ts'
import { isDateText, type OperatorValues, operators } from './operators.ts'
import { lineValues, quantifierOf } from './order-lines.ts'
import type { RuleNode, RuleTree, ValidationRule } from './rule.ts'
import { ruleSubjects } from './subjects.ts'

/**
 * Returns why a validation rule cannot be stored, as the `details` of `invalid_validation_rules`, or undefined when it can.
 *
 * Checks names, properties, operators, the types of their values, sub-rules, logic and `applicable_to`.
 */
export function ruleProblem(rule: Pick<ValidationRule, 'rules' | 'applicable_to'>): string | undefined {
  return treeProblem(rule.rules, oneProblem) ?? applicableToProblem(rule.applicable_to)
}

// ASSUMED A1731: a rule has at most 500 numbered conditions, and as many below a condition about lines: every evaluation that
// anybody asks for judges each of them.
const mostRules = 500
const longestLogic = 10_000

function treeProblem(
  tree: RuleTree | undefined,
  problemOf: (rule: RuleNode) => string | undefined,
): string | undefined {
  if (tree === undefined) return undefined
  const numbers = Object.keys(tree).filter((key) => key !== 'logic')
  if (numbers.length > mostRules) return `Rules must NOT have more than ${mostRules} numbers`
  for (const number of numbers) {
    const rule: unknown = tree[number]
    if (!/^\d+$/.test(number) || !isRule(rule)) return `Rule '${number}' must be a number with a name and conditions`
  }
  return first(numberedRules(tree), ([, rule]) => problemOf(rule)) ?? logicProblem(tree, numbers)
}

function logicProblem({ logic }: RuleTree, numbers: readonly string[]): string | undefined {
  if (typeof logic === 'string' && logic.length > longestLogic)
    return `Logic must NOT have more than ${longestLogic} characters`
  if (typeof logic !== 'string') return numbers.length > 0 ? "Rules must have required property 'logic'" : undefined
  try {
    const parsed = parseLogic(logic)
    const known = new Set(numbers)
    const unknown = (parsed ? ruleNumbersIn(parsed) : []).find((number) => !known.has(number))
    return unknown === undefined ? undefined : `Logic names rule ${unknown}, which does not exist`
  } catch (error) {
    if (error instanceof SyntaxError) return `Invalid logic: ${error.message}`
    throw error
  }
}

function oneProblem(rule: RuleNode): string | undefined {
  if (quantifierOf(rule)) {
    return (
      conditionsProblem(rule, 'line', true) ??
      mixedProblem(rule) ??
      propertyProblem(rule) ??
      treeProblem(rule.rules, partProblem)
    )
  }
  const target = Object.hasOwn(ruleSubjects, rule.name) ? ruleSubjects[rule.name] : undefined
  return target ? valueProblem(rule, target) : describeUnsupported(rule.name)
}

/** "Is" requires some line, "is not" all lines: one rule about products cannot evaluate both. */
function mixedProblem({ name, conditions = {} }: RuleNode): string | undefined {
  const negative = Object.keys(conditions).find(isNegative)
  const positive = Object.keys(conditions).find((operator) => !isNegative(operator))
  if (!negative || !positive || name.startsWith('order.')) return undefined
  return `Operators '${positive}' and '${negative}' of rule '${name}' need a rule each`
}

function partProblem(rule: RuleNode): string | undefined {
  const value = Object.hasOwn(lineValues, rule.name) ? lineValues[rule.name] : undefined
  return value ? valueProblem(rule, value) : describeUnsupported(rule.name)
}

function valueProblem(rule: RuleNode, target: { values: ConditionValues; property?: true }): string | undefined {
  if (numberedRules(rule.rules).length > 0)
    return `Sub-rules of '${rule.name}' are not supported by the embedded service`
  return propertyProblem(rule, target.property) ?? conditionsProblem(rule, target.values)
}

function propertyProblem({ name, property }: RuleNode, needed = false): string | undefined {
  if (needed) return property ? undefined : `Rule '${name}' must have required property 'property'`
  return property ? `Rule '${name}' takes no property` : undefined
}

function conditionsProblem(
  { name, conditions = {} }: RuleNode,
  accepted: ConditionValues | 'line',
  mayBeEmpty = false,
): string | undefined {
  const entries = Object.entries(conditions)
  if (entries.length === 0 && !mayBeEmpty) return `Rule '${name}' must have conditions`
  return first(entries, ([operator, values]) => {
    const needs = Object.hasOwn(operators, operator) ? operators[operator]?.values : undefined
    if (!needs || !fits(operator, needs, accepted))
      return `Operator '${operator}' of rule '${name}' is not supported by the embedded service`
    if (!Array.isArray(values) || values.length === 0)
      return `Operator '${operator}' of rule '${name}' needs an array of values`
    const check = needs === 'same' ? sameAs[accepted] : valueChecks[needs]
    return values.every(check) ? undefined : `Operator '${operator}' of rule '${name}' has a value of the wrong type`
  })
}

/** Metadata can be of any type; numbers can also be compared; references and flags only for equality. */
function fits(operator: string, needs: OperatorValues, accepted: ConditionValues | 'line'): boolean {
  if (accepted === 'any') return true
  if (accepted === 'number' && needs === 'number') return true
  return needs === 'same' && operator !== '$contains'
}

const sameAs: Readonly<Record<ConditionValues | 'line', (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  reference: (value) => Boolean(idOf(value)),
  line: (value) => Boolean(idOf(value)) && (kindOf(value) === undefined || lineKinds.has(kindOf(value))),
  any: (value) => ['string', 'number', 'boolean'].includes(typeof value),
}

const lineKinds: ReadonlySet<unknown> = new Set(['product', 'sku', 'products_collection'])

const valueChecks: Readonly<Record<Exclude<OperatorValues, 'same'>, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  date: isDateText,
  days: isWhole,
  size: isWhole,
  weekday: (value) => isWhole(value) && Number(value) <= 6,
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isRule(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

function describeUnsupported(name: string): string {
  return `Rule '${name}' is not supported by the embedded service`
}

function first<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem) return problem
  }
  return undefined
}
