// Conditions of rules whose names look like published ones: the service alone knows all that there are, so these are no problems.
import { nearest } from '../base/nearest.ts'
import { isRecord } from '../base/record.ts'
import { conditionNames, conditionOperators } from '../contract/validation-rules.ts'
import { kindAt } from './project.ts'
import type { Members } from './value.ts'

/**
 * Returns a line for each name or operator in the conditions of a rule that is not published, and nearly one that is, also in
 * sub-rules. Source: docs/service/validation-rules.md#targets; docs/service/validation-rules.md#operators.
 */
export function misspeltConditions({ address, members }: { address: string; members: Members }): string[] {
  return kindAt(address)?.name === 'rules' ? misspeltIn(members.get('rules')).map((line) => `${address}: ${line}`) : []
}

function misspeltIn(rules: unknown): string[] {
  if (!isRecord(rules)) return []
  return Object.values(rules)
    .filter(isRecord)
    .flatMap(({ name, conditions, rules: below }) => [
      ...doubted('condition', name, conditionNames),
      ...Object.keys(isRecord(conditions) ? conditions : {}).flatMap((operator) =>
        doubted('operator', operator, conditionOperators),
      ),
      ...misspeltIn(below),
    ])
}

function doubted(what: string, name: unknown, known: readonly string[]): string[] {
  if (typeof name !== 'string' || known.includes(name)) return []
  const meant = nearest(name, known)
  return meant === undefined ? [] : [`no ${what} "${name}" is published; did you mean "${meant}"?`]
}
