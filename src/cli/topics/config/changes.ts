// The differences and the steps of a plan as rows of a result.

import { listNames } from '../../../base/name-list.ts'
import { formatCount } from '../../../base/numbers.ts'
import type { Divergence } from '../../../config/compare.ts'
import type { Step } from '../../../config/steps.ts'
import { encodeValue } from '../../../model/value.ts'

/** One row for each member that differs, and one for an object that only one side has. */
export function* differenceRows(divergences: Iterable<Divergence>): Generator<object> {
  for (const { address, state, differences } of divergences) {
    if (state !== 'update') {
      yield { object: address, change: state, member: null, before: null, after: null }
      continue
    }
    for (const { member, before, after } of differences) {
      yield { object: address, change: state, member, before: encodeValue(before), after: encodeValue(after) }
    }
  }
}

/** One row for each step, with the members it changes. */
export function stepRows(steps: readonly Step[]): object[] {
  return steps.map(({ step, act, object, call, changes, needs, rule }) => ({
    step,
    act,
    object,
    members: shownMembers({ act, changes, rule }),
    call,
    needs,
    changes,
  }))
}

/** What a step changes, short enough for a table: the rule, the codes, or the members. */
export function shownMembers({ act, changes, rule }: Pick<Step, 'act' | 'changes' | 'rule'>): string {
  if (rule !== undefined) return rule
  if (act === 'generate') return formatCount(Number(changes[0]?.after), 'code')
  if (act === 'create' || act === 'delete') return formatCount(changes.length, 'member')
  return listNames(changes.map(({ member }) => member))
}

/** Counts steps by what they do: `8 create, 3 update`. */
export function countedSteps(steps: readonly Step[]): string {
  const counts = Map.groupBy(steps, ({ act }) => act)
  return [...counts].map(([act, all]) => `${all.length} ${act}`).join(', ')
}
