// The subject of a rule: what it reads from the context, and what its values may be.

import type { RuleContext } from './context.ts'
import type { RuleNode, RulesResult } from './rule.ts'

/** What a rule can miss in a request. */
export type Missing = NonNullable<Extract<RulesResult, { satisfied: false }>['missing']>

/** What the values of a rule's conditions are: numbers, yes or no, references to objects, or anything. */
export type ConditionValues = 'number' | 'flag' | 'reference' | 'any'

/** One value, several of which one or all must do, a question of membership, or something the request lacks. */
export type SubjectValue =
  | { missing: Missing }
  | { value: unknown }
  | { any: unknown[] }
  | { each: unknown[] }
  | { belongsTo: (reference: unknown) => boolean }

/** One name of a rule: what it looks at and who is to blame when it fails. */
export interface RuleSubject {
  kind: 'customer' | 'order' | 'redemption'
  values: ConditionValues
  /** Judged even when only audience rules are. */
  audience?: true
  /** Needs `property`, the key in some metadata. */
  property?: true
  read: (context: RuleContext, property: string) => SubjectValue
}

/** The id of a reference, which conditions write as a text or as an object with an id. */
export function idOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference
  const id: unknown =
    typeof reference === 'object' && reference !== null && 'id' in reference ? reference.id : undefined
  return typeof id === 'string' ? id : undefined
}

/** What a reference says it refers to, in its `object`; undefined when it does not say. */
export function kindOf(reference: unknown): unknown {
  return typeof reference === 'object' && reference !== null && 'object' in reference ? reference.object : undefined
}

/** Says whether an operator holds for what is *not* among its values. */
export function isNegative(operator: string): boolean {
  return operator === '$is_not' || operator === '$not_in'
}

/** An own value of some metadata; absent and null are both undefined, and `__proto__` is a key like any other. */
export function ownValue(metadata: Record<string, unknown> | undefined, property: string): unknown {
  return metadata && Object.hasOwn(metadata, property) ? (metadata[property] ?? undefined) : undefined
}

/** The numbered rules of a tree, without its logic. */
export function numberedRules(tree: RuleNode['rules']): [number: string, rule: RuleNode][] {
  return Object.entries(tree ?? {}).filter((entry): entry is [string, RuleNode] => typeof entry[1] === 'object')
}
