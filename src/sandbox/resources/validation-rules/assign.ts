// Assigns validation rules to existing things. Source: docs/service/validation-rules.md#assignments.
import type { z } from 'zod'
import type { newAssignment } from '../../../contract/validation-rules.ts'
import { assignRules, type RuleTarget } from '../../answers/assignments.ts'
import { identityOf } from '../../http/fixture-object.ts'
import { duplicate, invalidPayload, notFound } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import type { Collection, Stored } from '../../storage/collection.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { earningRules, rewardAssignments } from '../../stores/loyalty.ts'
import { promotionTiers } from '../../stores/promotions.ts'
import { assignments, type StoredAssignment, type StoredRule, validationRules } from '../../stores/validation-rules.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { storeUpdate } from '../update.ts'
import { findReferencedRules } from '../vouchers/parts.ts'
import { invalidRules } from './lifecycle.ts'

/** What rules can be assigned to, by its name in requests and in `related_object_type`. */
const assignable: Readonly<Record<RuleTarget['type'], Collection<Stored>>> = {
  voucher: vouchers as Collection<Stored>,
  campaign: campaigns as Collection<Stored>,
  promotion_tier: promotionTiers as Collection<Stored>,
  earning_rule: earningRules as Collection<Stored>,
  reward_assignment: rewardAssignments as Collection<Stored>,
}

/** Finds the one thing that a request names, by id or natural key. Throws 400 and 404. */
export function findRuleTarget(body: z.output<typeof newAssignment>, context: Tables): RuleTarget {
  const { related_object_type, related_object_id, ...older } = body
  if ((related_object_type === undefined) !== (related_object_id === undefined)) {
    const missing = related_object_id === undefined ? 'related_object_id' : 'related_object_type'
    throw invalidPayload(`Payload must have required property '${missing}'`)
  }
  const named = [...Object.entries(older), [related_object_type, related_object_id] as const].flatMap(
    ([type, asked]) => (type === undefined || asked === undefined ? [] : [[type, asked] as const]),
  )
  const [only] = named
  if (!only || named.length > 1)
    throw invalidPayload(
      `Payload must have exactly one of the properties related_object_id, ${Object.keys(assignable).join(', ')}`,
    )
  const type = assignableType(only[0])
  const found = context.in(assignable[type]).find(only[1])
  if (!found) throw notFound(type, only[1])
  return { type, id: found.id }
}

/** Assigns a rule to a thing. Throws 409 when it is already assigned, unless it `replaces` that assignment. */
export function assignRule(rule: StoredRule, thing: RuleTarget, replaces: boolean, context: Context): StoredAssignment {
  const there = context
    .in(assignments)
    .all([is(assignments, 'related_object_id', thing.id)])
    .find((one) => one.rule_id === rule.id && one.related_object_type === thing.type)
  // ASSUMED A195: the id in the refusal is that of the existing assignment.
  if (there && !replaces) throw duplicate(assignments.type, there.id)
  if (there) context.in(assignments).remove(there.id)
  const [made] = assignRules([rule.id], thing, context)
  if (thing.type === 'earning_rule') nameRuleOfEarning(thing.id, context)
  return made as StoredAssignment
}

/** Takes a rule off the thing it was assigned to. */
export function unassignRule(assignment: StoredAssignment, context: Context): void {
  context.in(assignments).remove(assignment.id)
  if (assignment.related_object_type === 'earning_rule') nameRuleOfEarning(assignment.related_object_id, context)
}

/** Keeps the rule that an earning rule names the oldest one that is assigned to it. */
function nameRuleOfEarning(id: string, context: Context): void {
  const earningRule = context.in(earningRules).get(id)
  if (!earningRule) return
  const [first] = context.in(assignments).all([is(assignments, 'related_object_id', id)])
  storeUpdate(earningRules, earningRule, { ...earningRule, validation_rule_id: first?.rule_id ?? null }, context)
}

/** Assigns the rules that a thing does not have yet; returns whether there were any. Throws 404 for an unknown rule. */
export function addRules(ids: readonly string[], thing: RuleTarget, context: Context): boolean {
  // ASSUMED A197: an update adds rules; removing them is done through assignments.
  const present = context.in(assignments).all([is(assignments, 'related_object_id', thing.id)])
  const added = findReferencedRules(ids, context).filter((id) => !present.some(({ rule_id }) => rule_id === id))
  assignRules(added, thing, context)
  return added.length > 0
}

/** Reads an assignment of a fixture. Throws the refusal of an unknown rule or thing. */
export function loadAssignment(wire: Record<string, unknown>, loading: FixtureContext): StoredAssignment {
  for (const name of ['rule_id', 'related_object_id', 'related_object_type'])
    if (typeof wire[name] !== 'string') throw invalidPayload(`Payload must have required property '${name}'`)
  const { rule_id, related_object_id, related_object_type } = wire as Record<string, string> & StoredAssignment
  const type = assignableType(related_object_type)
  if (!loading.in(validationRules).get(rule_id)) throw notFound(validationRules.type, rule_id)
  if (!loading.in(assignable[type]).get(related_object_id)) throw notFound(type, related_object_id)
  return {
    ...identityOf(assignments, wire, loading),
    rule_id,
    related_object_id,
    related_object_type: type,
    object: 'validation_rules_assignment',
  }
}

function assignableType(type: string): RuleTarget['type'] {
  // A rule on a thing that is never evaluated would be stored and ignored.
  if (!Object.hasOwn(assignable, type))
    throw invalidRules(`Validation rules of a ${type} are not supported by the embedded service`)
  return type as RuleTarget['type']
}
