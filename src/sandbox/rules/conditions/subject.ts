// The subject of a rule: what it reads from the context, and the type of its values.

import type { RuleContext } from './context.ts'
import type { RuleNode, RulesResult } from './rule.ts'

/** What a request may lack for a rule. */
export type Missing = NonNullable<Extract<RulesResult, { satisfied: false }>['missing']>

/** The type of the values in a rule's conditions: numbers, flags, references to objects, or any. */
export type ConditionValues = 'number' | 'flag' | 'reference' | 'any'

/** One value, several of which any or each must match, a membership test, or what the request lacks. */
export type SubjectValue =
  | { missing: Missing }
  | { value: unknown }
  | { any: unknown[] }
  | { each: unknown[] }
  | { belongsTo: (reference: unknown) => boolean }

/** One name of a rule: what it reads and what has failed when it does not hold. */
export interface RuleSubject {
  kind: 'customer' | 'order' | 'redemption'
  values: ConditionValues
  /** Also evaluated when only audience rules are. */
  audience?: true
  /** Needs `property`, the key in some metadata. */
  property?: true
  read: (context: RuleContext, property: string) => SubjectValue
}

/** Returns the id of a reference, which conditions write as a text or as an object with an id. */
export function idOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference
  const id: unknown =
    typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Returns the `object` of a reference, the kind it refers to; undefined when it has none. */
export function kindOf(reference: unknown): unknown {
  return typeof reference === 'object' && reference !== null && 'object' in reference ? reference.object : undefined
}

/** Returns whether an operator holds for what is *not* among its values. */
export function isNegative(operator: string): boolean {
  return operator === '$is_not' || operator === '$not_in'
}
/** Returns the numbered rules of a tree, without its logic. */
export function numberedRules(tree: RuleNode['rules']): [number: string, rule: RuleNode][] {
  return Object.entries(tree ?? {}).filter((entry): entry is [string, RuleNode] => typeof entry[1] === 'object')
}
