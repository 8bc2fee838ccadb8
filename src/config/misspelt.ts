// Names in files that look like published ones, and rules that logic names though there are none. The service alone knows all names that
// there are, and metadata has any, so these are no problems: what is not nearly a published name may be right.
import { nearest } from '../base/nearest.ts'
import { isRecord } from '../base/record.ts'
import { filterFields, filterOperators } from '../contract/body-filters.ts'
import { formulaNames, formulaWords } from '../contract/formulas.ts'
import { conditionNames, conditionOperators } from '../contract/validation-rules.ts'
import type { Members } from '../model/value.ts'
import { kindAt } from './addresses.ts'

/**
 * Returns a line for each name in the conditions of a rule, in a filter and in a formula that is not published, and nearly one that
 * is, also inside others, and for each number in the logic of a rule that no rule has.
 * Source: docs/service/validation-rules.md#targets; docs/service/validation-rules.md#operators.
 */
export function misspelt({ address, members }: { address: string; members: Members }): string[] {
  const kind = kindAt(address)?.name ?? ''
  const fields = Object.hasOwn(filterFields, kind) ? filterFields[kind] : undefined
  const lines = [
    ...(kind === 'rules' ? inRules(members.get('rules')) : []),
    ...(fields === undefined ? [] : inFilter(members.get('filter'), fields)),
    ...[...members].flatMap(([name, value]) => inFormulas(name, value)),
  ]
  return lines.map((line) => `${address}: ${line}`)
}

function inRules(rules: unknown): string[] {
  if (!isRecord(rules)) return []
  const { logic, ...numbered } = rules
  return [
    ...Object.values(numbered)
      .filter(isRecord)
      .flatMap(({ name, conditions, rules: below }) => [
        ...findDoubts('condition', name, conditionNames),
        ...namesIn(conditions).flatMap((operator) => findDoubts('operator', operator, conditionOperators)),
        ...inRules(below),
      ]),
    ...inLogic(logic, Object.keys(numbered)),
  ]
}

/** A placeholder may stand for any number. */
function inLogic(logic: unknown, numbers: readonly string[]): string[] {
  if (typeof logic !== 'string' || logic.includes('$')) return []
  const unknown = new Set((logic.match(/\d+/g) ?? []).filter((number) => !numbers.includes(number)))
  return [...unknown].map(
    (number) =>
      `logic "${logic}" names rule ${number}, and there is none: there are ${numbers.join(', ') || 'no rules'}`,
  )
}

function inFilter(filter: unknown, fields: readonly string[]): string[] {
  if (!isRecord(filter)) return []
  return Object.entries(filter).flatMap(([field, given]) => {
    const [top = '', ...rest] = field.split('.')
    const [line] = findDoubts('field', rest.length === 0 ? field : top, fields)
    const { conditions = given } = isRecord(given) ? given : {}
    return [
      ...(line === undefined ? [] : [line]),
      ...namesIn(conditions).flatMap((operator) => findDoubts('operator', operator, filterOperators)),
    ]
  })
}

function inFormulas(name: string, value: unknown): string[] {
  if (typeof value === 'string') return /(?:^|[._])formula$/.test(name) ? inFormula(value) : []
  if (typeof value !== 'object' || value === null || /(?:^|\.)metadata$/.test(name)) return []
  return Object.entries(value).flatMap(([inner, one]) => inFormulas(inner, one))
}

/** A text in quotes is a value, or the name of metadata. */
function inFormula(formula: string): string[] {
  const known = [...formulaNames, ...formulaWords].map((name) => name.toLowerCase())
  const words = formula.match(/"[^"]*"|'[^']*'|\$\{[^}]*\}|[A-Za-z]\w*/g) ?? []
  return words
    .filter((word) => /^[A-Za-z]/.test(word) && !known.includes(word.toLowerCase()))
    .flatMap((word) => findDoubts('name', word, formulaNames))
}

function namesIn(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : []
}

function findDoubts(what: string, name: unknown, known: readonly string[]): string[] {
  if (typeof name !== 'string' || known.includes(name)) return []
  const meant = nearest(name, known)
  return meant === undefined ? [] : [`no ${what} "${name}" is published; did you mean "${meant}"?`]
}
