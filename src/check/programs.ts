// Rules about loyalty programs: what points cost, and what they are worth.
import { counted } from '../base/grouped.ts'
import { isRecord } from '../base/record.ts'
import { moneyOf } from './money.ts'
import type { Found, Rule } from './rule.ts'
import { isOn, memberAt, nameOf, objectsOf, parentOf, type Shop, type ShopObject } from './shop.ts'

/** What says when an earning rule adds points. */
const occasions = ['event', 'custom_event.schema_id', 'segment.id', 'loyalty_tier', 'validation_rule_id']
const windows = ['start_date', 'expiration_date', 'validity_timeframe', 'validity_day_of_week', 'validity_hours']

function* paidTwice(shop: Shop): Generator<Found> {
  const active = objectsOf(shop, 'campaigns/earning_rules').filter((rule) => isOn(shop, rule))
  const key = (rule: ShopObject) =>
    JSON.stringify([rule.parent, ...[...occasions, ...windows].map((name) => memberAt(rule, name) ?? null)])
  for (const [, same] of Map.groupBy(active, key)) {
    for (const [at, object] of same.entries()) {
      const other = same[at - 1]
      const program = parentOf(shop, object)
      if (other === undefined || program === undefined) continue
      const [one, two] = [object, other].map((rule) => JSON.stringify(memberAt(rule, 'source.banner') ?? rule.address))
      const message = `${nameOf(program)} adds points twice for each ${String(memberAt(object, 'event'))}, by ${one} and by ${two}, which ask for the same`
      yield { object, message, fix: 'remove one of the two, or active: false' }
    }
  }
}

function* overpaid(shop: Shop): Generator<Found> {
  const money = moneyOf(shop)
  for (const offer of objectsOf(shop, 'campaigns/offers')) {
    const reward = shop.objects.get(String(memberAt(offer, 'reward_id')))
    const program = parentOf(shop, offer)
    const coin = reward && memberAt(reward, 'parameters.coin')
    if (!isRecord(coin) || program === undefined || !isOn(shop, program)) continue
    const worth = Number(coin.exchange_ratio) / Number(coin.points_ratio ?? 1)
    for (const rule of objectsOf(shop, 'campaigns/earning_rules')) {
      const step = ['total_amount', 'amount'].map((name) => memberAt(rule, `loyalty.order.${name}`)).find(isRecord)
      if (rule.parent !== program.address || step === undefined || !isOn(shop, rule)) continue
      // Points for an amount in the smallest unit, and what they pay in major units.
      const percent = (Number(step.points) / Number(step.every)) * worth * 100 * 100
      if (!(percent >= shop.floor)) continue
      const message = `An order in ${nameOf(program)} earns ${counted(Number(step.points), 'point')} for each ${money(Number(step.every))} spent, and ${nameOf(reward as ShopObject)} makes them worth ${Number(percent.toFixed(1))} % of it`
      yield { object: offer, message, fix: 'correct exchange_ratio of the reward, or points of the earning rule' }
    }
  }
}

/** The rules about loyalty programs. */
export const programRules: readonly Rule[] = [
  { id: 'points-earned-twice', severity: 'warning', title: 'two earning rules for the same occasion', find: paidTwice },
  { id: 'points-worth-too-much', severity: 'error', title: 'points that pay back most of an order', find: overpaid },
]
