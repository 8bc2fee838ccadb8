// Joins the outcomes of single rules by "and" and "or".

import type { Missing, RuleSubject } from './context.ts'
import { type Logic, parseLogic } from './logic.ts'
import type { RuleNode, RuleTree } from './rule.ts'

/** The outcome of one rule: it holds, or what failed and with which message, or what the request lacks to evaluate it. */
export type RuleOutcome =
  | { holds: true }
  | { holds: false; kind: RuleSubject['kind']; message?: string }
  | { holds: false; kind: 'missing'; missing: Missing }

/** Evaluates the numbered rules of a tree by its logic. Empty logic holds; logic that cannot be parsed does not. */
export function evaluateTree(tree: RuleTree | undefined, judge: (rule: RuleNode) => RuleOutcome): RuleOutcome {
  const logic = readLogic(tree)
  if (logic === 'empty') return { holds: true }
  if (logic === 'unreadable') return { holds: false, kind: 'redemption' }
  return judgeLogic(logic, (number) => {
    const rule = tree && Object.hasOwn(tree, number) ? tree[number] : undefined
    // A missing rule cannot hold; this does not occur, because such logic is refused when it is stored.
    return typeof rule === 'object' ? judge(rule) : { holds: false, kind: 'redemption' }
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
export function firstFailure(outcomes: readonly RuleOutcome[]): RuleOutcome {
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
