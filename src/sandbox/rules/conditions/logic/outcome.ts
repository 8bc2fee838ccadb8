// How the outcomes of single rules are joined by "and" and "or".
import type { Rule, RuleTree } from '../../model.ts'
import type { Missing, Target } from './reading.ts'
import { type Logic, parseLogic } from './text.ts'

/** What came of one rule: it holds, or whose fault it is, in whose words, or what the request lacks to tell. */
export type Outcome =
  | { holds: true }
  | { holds: false; kind: Target['kind']; message?: string }
  | { holds: false; kind: 'missing'; missing: Missing }

/** Judges the numbered rules of a tree as its logic joins them. Empty logic holds; logic that cannot be read does not. */
export function judgeTree(tree: RuleTree | undefined, judge: (rule: Rule) => Outcome): Outcome {
  const logic = readLogic(tree)
  if (logic === 'empty') return { holds: true }
  if (logic === 'unreadable') return { holds: false, kind: 'redemption' }
  return judgeLogic(logic, (number) => {
    const rule = tree && Object.hasOwn(tree, number) ? tree[number] : undefined
    // A rule that is not there cannot hold; it never gets here, for such logic is refused when it is stored.
    return typeof rule === 'object' ? judge(rule) : { holds: false, kind: 'redemption' }
  })
}

function judgeLogic(logic: Logic, judge: (number: string) => Outcome): Outcome {
  if ('rule' in logic) return judge(logic.rule)
  const outcomes = logic.parts.map((part) => judgeLogic(part, judge))
  return logic.join === 'or' ? (outcomes.find(({ holds }) => holds) ?? worst(outcomes)) : worst(outcomes)
}

/**
 * What must be said first: something missing, then the first failure.
 *
 * A request that lacks something is told so before it is told what else is wrong (docs/service/validations.md#eligibility-checks; docs/service/validations.md#application-modes before 9).
 */
export function worst(outcomes: readonly Outcome[]): Outcome {
  const missing = outcomes.find((outcome) => !outcome.holds && outcome.kind === 'missing')
  return missing ?? outcomes.find(({ holds }) => !holds) ?? { holds: true }
}

function readLogic(tree: RuleTree | undefined): Logic | 'empty' | 'unreadable' {
  try {
    return parseLogic(typeof tree?.logic === 'string' ? tree.logic : '') ?? 'empty'
  } catch {
    return 'unreadable'
  }
}
