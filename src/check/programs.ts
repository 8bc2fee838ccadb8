// Rules about loyalty programs: what points cost, and what they are worth.
import { formatCount } from '../base/numbers.ts'
import { isRecord, ownValue } from '../base/record.ts'
import { type MetadataProperty, valueProblem } from '../contract/metadata-property.ts'
import { secretsIn } from '../contract/secret-names.ts'
import { currencyOf, moneyOf } from './money.ts'
import type { Found, Rule } from './rule.ts'
import { isOn, memberAt, nameOf, objectsOf, pairsOf, parentOf, type Shop, type ShopObject, windows } from './shop.ts'

/** What says when an earning rule adds points. */
const occasions = ['event', 'custom_event.schema_id', 'segment.id', 'loyalty_tier', 'validation_rule_id']

function* paidTwice(shop: Shop): Generator<Found> {
  const active = objectsOf(shop, 'campaigns/earning_rules').filter((rule) => isOn(shop, rule))
  const key = (rule: ShopObject) =>
    JSON.stringify([rule.parent, ...[...occasions, ...windows].map((name) => memberAt(rule, name) ?? null)])
  for (const [object, other] of pairsOf(active, key)) {
    const program = parentOf(shop, object)
    if (program === undefined) continue
    const [one, two] = [object, other].map((rule) => JSON.stringify(memberAt(rule, 'source.banner') ?? rule.address))
    const message = `${nameOf(program)} adds points twice for each ${String(memberAt(object, 'event'))}, by ${one} and by ${two}, which ask for the same`
    yield { object, message, fix: 'remove one of the two, or active: false' }
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
      const message = `An order in ${nameOf(program)} earns ${formatCount(Number(step.points), 'point')} for each ${money(Number(step.every))} spent, and ${nameOf(reward as ShopObject)} makes them worth ${Number(percent.toFixed(1))} % of it: an order of ${money(10_000)} pays ${money(percent * 100)} of the next`
      yield { object: offer, message, fix: 'correct exchange_ratio of the reward, or points of the earning rule' }
    }
  }
}

function* oddCards(shop: Shop): Generator<Found> {
  const unit = 10 ** currencyOf(shop).digits
  for (const object of objectsOf(shop, 'campaigns')) {
    const amount = Number(memberAt(object, 'voucher.gift.amount'))
    if (!(amount > 0) || amount % unit === 0 || !isOn(shop, object)) continue
    const meant = amount < unit ? `; ${moneyOf(shop)(amount * unit)} are ${amount * unit}` : ''
    const message = `A gift card of ${nameOf(object)} is worth ${moneyOf(shop)(amount)}, which is no whole amount: amounts are in the smallest unit of the currency${meant}`
    yield { object, member: 'voucher.gift', message, fix: 'correct voucher.gift.amount' }
  }
}

/** A key of a payment service, of a code host or of a cloud, or a private key. */
const secret =
  /\b(?:sk|rk)_live_\w{10,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[\w-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY/

function* secrets(shop: Shop): Generator<Found> {
  for (const object of shop.objects.values())
    for (const member of ['name', 'description', 'banner', 'metadata', 'attributes']) {
      const value = memberAt(object, member)
      const found = secret.exec(JSON.stringify(value) ?? '')?.[0] ?? secretsIn(value)[0]
      if (found === undefined || found === '') continue
      const message = `The ${member} of ${nameOf(object)} has a secret, which everybody who reads the project, or a published code, can see: it begins with ${JSON.stringify(found.slice(0, 3))}`
      yield { object, member, message, fix: 'remove it, and have a new one issued' }
    }
}

/** What schemas call the kinds that have metadata; campaigns say it themselves. */
const schemaNames: Readonly<Record<string, string>> = {
  codes: 'voucher',
  products: 'product',
  rewards: 'reward',
  'campaigns/tiers': 'promotion_tier',
  'campaigns/earning_rules': 'earning_rule',
  'campaigns/loyalty_tiers': 'loyalty_tier',
}

function schemaNameOf(object: ShopObject): string | undefined {
  if (object.kind.name !== 'campaigns') return ownValue(schemaNames, object.kind.name)
  const isPromotion = memberAt(object, 'campaign_type') === 'PROMOTION'
  return (memberAt(object, 'use_voucher_metadata_schema') ?? !isPromotion) ? 'voucher' : 'campaign'
}

function* refusedMetadata(shop: Shop): Generator<Found> {
  const schemas = new Map(objectsOf(shop, 'metadata-schemas').map((one) => [memberAt(one, 'related_object'), one]))
  for (const object of schemas.size === 0 ? [] : shop.objects.values()) {
    const name = schemaNameOf(object)
    const schema = name === undefined ? undefined : schemas.get(name)
    if (schema === undefined || (object.isPartial && !object.members.has('metadata'))) continue
    const why = metadataProblem(schema, memberAt(object, 'metadata') ?? {})
    if (why === undefined) continue
    const message = `The metadata of ${nameOf(object)} does not follow the schema of ${String(name)}: ${why}; the service refuses each change of it`
    yield { object, member: 'metadata', message, fix: 'correct the metadata, or the schema' }
  }
}

function metadataProblem(schema: ShopObject, metadata: unknown): string | undefined {
  const defined = memberAt(schema, 'properties')
  if (!isRecord(defined) || !isRecord(metadata)) return undefined
  const properties = Object.entries(defined as Record<string, MetadataProperty>).filter(([, one]) => !one.deleted)
  for (const [name, property] of properties) {
    const value = metadata[name] ?? undefined
    const isMissing = value === undefined
    const problem = isMissing ? (property.optional ? undefined : 'is missing') : valueProblem(property, value)
    if (problem !== undefined) return `${name} ${problem}`
  }
  const unknown = Object.keys(metadata).find((name) => !properties.some(([known]) => known === name))
  return memberAt(schema, 'allow_defined_only') === true && unknown !== undefined
    ? `${unknown} is not defined in it`
    : undefined
}

/** The rules about cards, and about what objects say. */
export const contentRules: readonly Rule[] = [
  {
    id: 'gift-card-odd-value',
    severity: 'warning',
    title: 'gift cards that are worth no whole amount',
    find: oddCards,
  },
  { id: 'secret-in-text', severity: 'error', title: 'a secret in a name, a description or metadata', find: secrets },
  {
    id: 'metadata-refused',
    severity: 'error',
    title: 'metadata that its schema refuses',
    find: refusedMetadata,
  },
]

/** The rules about loyalty programs. */
export const programRules: readonly Rule[] = [
  { id: 'points-earned-twice', severity: 'warning', title: 'two earning rules for the same occasion', find: paidTwice },
  { id: 'points-worth-too-much', severity: 'error', title: 'points that pay back most of an order', find: overpaid },
]
