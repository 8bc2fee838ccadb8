// Rules about validation rules: those that nobody asks, that everybody meets, or that nobody can meet.
import { isRecord } from '../base/record.ts'
import { kindAt } from '../config/addresses.ts'
import { kindNamed } from '../model/kinds.ts'
import { addressesIn, foreignIds } from '../model/value.ts'
import { moneyOf } from './money.ts'
import { contradictionIn, namesProducts, waysOf } from './requirement.ts'
import type { Found, Rule } from './rule.ts'
import { memberAt, nameOf, objectsOf, type Shop, type ShopObject } from './shop.ts'

function* unusedRules(shop: Shop): Generator<Found> {
  const used = new Set([...shop.objects.values()].flatMap(({ members }) => [...members.values()].flatMap(addressesIn)))
  for (const object of objectsOf(shop, 'rules')) {
    if (object.wire?.assignments_count !== 0 || used.has(object.address)) continue
    const message = `The rule ${nameOf(object)} is assigned to nothing: whatever it was made for accepts any order`
    yield { object, message, fix: 'promo rules assign --help, or delete it' }
  }
}

/** The objects of the project to which the rule is assigned, as far as they are known. */
function usersOf(shop: Shop, rule: ShopObject): ShopObject[] {
  return [...shop.objects.values()].filter(({ members }) =>
    ['validation_rules', 'validation_rule_id'].some((name) => addressesIn(members.get(name)).includes(rule.address)),
  )
}

function listObjects(objects: readonly ShopObject[]): string {
  return objects.length === 0 ? 'what it is assigned to' : objects.map(nameOf).join(', ')
}

function* acceptsAll(shop: Shop): Generator<Found> {
  for (const object of objectsOf(shop, 'rules')) {
    const ways = waysOf([object])
    const users = usersOf(shop, object)
    if (users.length === 0 || ways === undefined || !ways.some((way) => way.length === 0)) continue
    const bundle = memberAt(object, 'bundle_rules')
    if (namesProducts([object]) || (isRecord(bundle) && Object.keys(bundle).length > 0)) continue
    const message = `The rule ${nameOf(object)} has no conditions: ${listObjects(users)} accepts any order, as without it`
    yield { object, member: 'rules', message, fix: 'add conditions, or remove it from validation_rules' }
  }
}

function* neverTrue(shop: Shop): Generator<Found> {
  const told = new Set<string>()
  for (const object of objectsOf(shop, 'rules')) {
    const why = impossible(shop, [object])
    if (why === undefined) continue
    told.add(object.address)
    const message = `The rule ${nameOf(object)} is never met: ${why}. ${listObjects(usersOf(shop, object))} applies to no order`
    yield { object, member: 'rules', message, fix: 'correct the conditions' }
  }
  // Rules that exclude each other.
  for (const object of [...objectsOf(shop, 'campaigns'), ...objectsOf(shop, 'campaigns/tiers')]) {
    const assigned = addressesIn(object.members.get('validation_rules')).flatMap(
      (address) => shop.objects.get(address) ?? [],
    )
    const why = assigned.some(({ address }) => told.has(address)) ? undefined : impossible(shop, assigned)
    if (why === undefined) continue
    const message = `${nameOf(object)} applies to no order: of its rules ${assigned.map(nameOf).join(' and ')} all must be met, and ${why}`
    yield { object, member: 'validation_rules', message, fix: 'remove one of the rules, or correct it' }
  }
}

/** Returns why rules are never met together; undefined where they may be. */
function impossible(shop: Shop, rules: readonly ShopObject[]): string | undefined {
  const ways = waysOf(rules)
  if (ways === undefined || ways.length === 0) return undefined
  const money = moneyOf(shop)
  const reasons = ways.map((way) => contradictionIn(way, money))
  return reasons.includes(undefined) ? undefined : [...new Set(reasons)].join('; ')
}

function* brokenReferences(shop: Shop): Generator<Found> {
  for (const object of shop.objects.values()) {
    const kind = kindAt(object.address)
    if (kind === undefined) continue
    for (const { member, id } of foreignIds(kind, object.members)) {
      const [prefix = ''] = id.split('_')
      const of = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined
      if (of === undefined || shop.unreadable.includes(of)) continue
      const message = `${nameOf(object)} asks for the ${kindNamed(of).noun} ${id}, and the project has none of this id: no customer and no order is in it`
      yield { object, member, message, fix: 'name one that there is' }
    }
  }
}

/** The kinds that are read completely, by what their ids begin with. */
const prefixes: Record<string, string> = { seg: 'segments', pc: 'product-collections', cat: 'categories', val: 'rules' }

/** The rules about validation rules. */
export const conditionRules: readonly Rule[] = [
  {
    id: 'rule-unused',
    severity: 'info',
    title: 'a validation rule that is assigned to nothing',
    needs: 'the assignments of rules to single codes',
    find: unusedRules,
  },
  {
    id: 'rule-accepts-everything',
    severity: 'warning',
    title: 'a validation rule without conditions',
    find: acceptsAll,
  },
  { id: 'rule-never-met', severity: 'error', title: 'a validation rule that no order meets', find: neverTrue },
  {
    id: 'reference-to-nothing',
    severity: 'error',
    title: 'a condition about what was deleted',
    needs: 'all objects of the project',
    find: brokenReferences,
  },
]
