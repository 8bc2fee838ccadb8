// Validation rules of things: assigned at creation, shown with the thing, removed with it.
// Source: docs/service/validation-rules.md#assignments.
import type { Context, Tables } from '../http/route.ts'
import { is, isIn } from '../storage/conditions.ts'
import { assignments, type StoredAssignment } from '../stores/validation-rules.ts'

/** What rules can be assigned to at creation. */
export interface RuleTarget {
  id: string
  type: 'voucher' | 'campaign' | 'promotion_tier' | 'earning_rule' | 'reward_assignment'
}

/** Assigns rules to a thing; their existence was checked before. */
export function assignRules(
  ruleIds: readonly string[],
  thing: RuleTarget,
  context: Pick<Context, 'id' | 'in' | 'now'>,
): StoredAssignment[] {
  return ruleIds.map((rule_id) => {
    return context.in(assignments).insert({
      id: context.id(assignments.prefix),
      rule_id,
      related_object_id: thing.id,
      related_object_type: thing.type,
      created_at: context.now,
      updated_at: null,
      object: 'validation_rules_assignment',
    })
  })
}

/** Removes all rules from a thing that is deleted for good. */
export function removeAssignments(id: string, context: Tables): void {
  const table = context.in(assignments)
  for (const assignment of table.all([is(assignments, 'related_object_id', id)])) table.remove(assignment.id)
}

/** Reads the rules of many things at once; the result returns the list of one thing, or of several, as answers show it. */
export function assignmentLists(ids: readonly string[], context: Tables) {
  const table = context.in(assignments)
  const found = new Map<string, StoredAssignment[]>()
  // One thing and its campaign are read apart: what many things share is in memory.
  const conditions =
    ids.length <= 2
      ? ids.map((id) => is(assignments, 'related_object_id', id))
      : [isIn(assignments, 'related_object_id', ids)]
  for (const assignment of conditions.flatMap((condition) => table.all([condition]))) {
    const of = assignment.related_object_id
    found.set(of, [...(found.get(of) ?? []), assignment])
  }
  return (...of: readonly string[]) => {
    const data = of.flatMap((id) => found.get(id) ?? [])
    return { object: 'list', data_ref: 'data', data, total: data.length }
  }
}
