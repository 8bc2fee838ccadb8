// Rules about what discounts take off: baskets given away, and percentages without a maximum.
import { isRecord } from '../base/record.ts'
import { fixOf, ruleFix } from './fix.ts'
import { moneyOf } from './money.ts'
import { amountsOf, isLimited, keepsTotal, namesProducts, type Range, type Ways, waysOf } from './requirement.ts'
import type { Found, Rule } from './rule.ts'
import {
  isOn,
  memberAt,
  nameOf,
  numberAt,
  objectsOf,
  parentOf,
  rulesOf,
  type Shop,
  type ShopObject,
  subjectOf,
} from './shop.ts'

/** A discount that customers can get now: of the codes of a campaign, of a single code, or of a promotion tier. */
export interface Offer {
  object: ShopObject
  /** Where the object has it. */
  member: string
  discount: Readonly<Record<string, unknown>>
  /** The campaign, or the object itself. */
  campaign: ShopObject
  rules: readonly ShopObject[]
  ways: Ways
  /** How often one code can be redeemed; undefined: any number of times. A tier needs no code. */
  quantity: number | undefined
  isCode: boolean
  /** It takes off the whole order, and not some products. */
  isOrderWide: boolean
}

// Each rule asks for them.
const offersBy = new WeakMap<Shop, Offer[]>()

/** Returns the discounts that are on and not over. */
export function offersOf(shop: Shop): Offer[] {
  const offers = offersBy.get(shop) ?? readOffers(shop)
  offersBy.set(shop, offers)
  return offers
}

function readOffers(shop: Shop): Offer[] {
  const places = [
    ...objectsOf(shop, 'campaigns').map((object) => ({ object, member: 'voucher.discount' })),
    ...objectsOf(shop, 'codes').map((object) => ({ object, member: 'discount' })),
    ...objectsOf(shop, 'campaigns/tiers').map((object) => ({ object, member: 'action.discount' })),
  ]
  return places.flatMap(({ object, member }) => {
    const discount = memberAt(object, member)
    if (!isRecord(discount) || !isOn(shop, object)) return []
    const rules = rulesOf(shop, object)
    const isOrderWide =
      discount.effect === undefined
        ? !namesProducts(rules)
        : !JSON.stringify(discount.effect).includes('_ITEMS') || !namesProducts(rules)
    return {
      object,
      member,
      discount,
      campaign: parentOf(shop, object) ?? object,
      rules,
      ways: waysOf(rules),
      quantity: numberAt(object, object.kind.name === 'codes' ? 'redemption.quantity' : 'voucher.redemption.quantity'),
      isCode: member !== 'action.discount',
      isOrderWide,
    }
  })
}

/** Which orders get a discount, in words: `any order`, `every order from 30.00`. */
export function ordersOf(
  { rules, ways }: Pick<Offer, 'rules' | 'ways'>,
  range: Range | undefined,
  money: (amount: number) => string,
) {
  const named = rules.map(nameOf).join(' and ')
  if (range === undefined) return `every order that meets ${named}`
  const isForSome = ways?.every((way) => way.some(({ name }) => name.startsWith('customer.'))) ?? false
  const whose = isForSome ? ` of a customer who meets ${named}` : ''
  const from = range.least > 0 ? ` from ${money(range.least)}` : ''
  const to = Number.isFinite(range.most) ? ` up to ${money(range.most)}` : ''
  return from === '' && to === '' ? `any order${whose}` : `every order${from}${to}${whose}`
}

/** An order by which a loss is shown. */
export const sampleOrder = 100_000

const isDynamic = ({ discount }: Offer) => Object.keys(discount).some((name) => name.endsWith('_formula'))

/** Asks for a larger order, by a rule of the project that does so and nothing else where there is one. */
function minimumFix(shop: Shop, { object }: Offer, above: number): string {
  const known = objectsOf(shop, 'rules').find((rule) => {
    const ways = waysOf([rule])
    const least = amountsOf(ways)?.least ?? 0
    return least > above && ways?.length === 1 && ways[0]?.length === 1 && !namesProducts([rule])
  })
  const edit = `a rule with order.amount: {$more_than: [${above}]}`
  return ruleFix(shop, object, { known, flags: `--min-amount ${above + 1}`, edit })
}

const oncePerCustomer = 'a rule with redemption.count.per_customer: {$less_than_or_equal: [1]}'

/** The least that a product of the project costs. */
function cheapest(shop: Shop): { name: string; price: number } | undefined {
  const priced = objectsOf(shop, 'products').flatMap((product) => {
    const price = numberAt(product, 'price')
    return price === undefined || price <= 0 ? [] : { name: nameOf(product), price }
  })
  return priced.toSorted((one, other) => one.price - other.price)[0]
}

/** The discounts of a type that are off whole orders, and the orders that get them. */
function orderWide(shop: Shop, type: string): (Offer & { range: Range | undefined })[] {
  return offersOf(shop)
    .filter((offer) => offer.discount.type === type && offer.isOrderWide && !isDynamic(offer))
    .map((offer) => ({ ...offer, range: amountsOf(offer.ways) }))
}

function* withoutMinimum(shop: Shop): Generator<Found> {
  const money = moneyOf(shop)
  const product = cheapest(shop)
  for (const offer of orderWide(shop, 'AMOUNT')) {
    const { object, discount, ways, member, range } = offer
    const off = Number(discount.amount_off)
    if (!(off > 0)) continue
    if (range === undefined || range.least > off || range.most <= 0 || keepsTotal(ways)) continue
    const takes = `${subjectOf(object)} takes ${money(off)} off ${ordersOf(offer, range, money)}`
    const fix = minimumFix(shop, offer, off)
    if (range.least === 0 && shop.hasAllProducts && product !== undefined && product.price > off) {
      const left = money(product.price - off)
      const message = `${takes}, without a minimum: ${product.name}, the cheapest product here, costs ${left} instead of ${money(product.price)}`
      yield { object, member, message, fix, severity: 'warning' }
    } else {
      const sold =
        range.least === 0 && product !== undefined && product.price <= off
          ? `, like ${product.name} for ${money(product.price)},`
          : ''
      const some =
        range.least > 0 && range.least === off ? `an order of ${money(off)}` : `an order of up to ${money(off)}`
      yield { object, member, message: `${takes}: ${some}${sold} costs nothing`, fix }
    }
  }
}

const isCapped = ({ amount_limit, aggregated_amount_limit }: Offer['discount']) =>
  typeof amount_limit === 'number' || typeof aggregated_amount_limit === 'number'

function* percentages(shop: Shop, least: number, below: number): Generator<Found> {
  const money = moneyOf(shop)
  for (const offer of orderWide(shop, 'PERCENT')) {
    const { object, discount, member, range } = offer
    const percent = Number(discount.percent_off)
    if (
      isCapped(discount) ||
      !(percent >= least && percent < below) ||
      Number.isFinite(range?.most ?? Number.POSITIVE_INFINITY)
    )
      continue
    const order = Math.max(sampleOrder, range?.least ?? 0)
    const all = percent === 100
    const message = `${subjectOf(object)} takes ${percent} % off ${ordersOf(offer, range, money)}, and no maximum is set: an order of ${money(order)} ${all ? 'costs nothing' : `loses ${money((order * percent) / 100)}`}`
    const edit = `set ${member}.amount_limit, or correct percent_off`
    const fix = fixOf(shop, object, `--percent-off ${percent} --max-amount-off 5000`, edit)
    yield { object, member, message, fix }
  }
}

function* fixedPrices(shop: Shop): Generator<Found> {
  const money = moneyOf(shop)
  for (const offer of orderWide(shop, 'FIXED')) {
    const { object, discount, member, range } = offer
    if (discount.effect !== undefined && discount.effect !== 'APPLY_TO_ORDER') continue
    if (Number.isFinite(range?.most ?? Number.POSITIVE_INFINITY)) continue
    const order = Math.max(sampleOrder, range?.least ?? 0)
    const price = money(Number(discount.fixed_amount))
    const message = `${subjectOf(object)} makes ${ordersOf(offer, range, money)} cost ${price}, however much is in it: an order of ${money(order)} costs ${price}`
    // What such an order may be worth is for the shop to say.
    const most = Math.max(5 * Number(discount.fixed_amount), range?.least ?? 0)
    const condition = { name: 'order.amount', conditions: { $less_than_or_equal: [most] } }
    const flags = `--body '${JSON.stringify({ rules: { 1: condition, logic: '1' } })}'`
    const edit = `a rule such as order.amount: {$less_than_or_equal: [${most}]}`
    yield { object, member, message, fix: ruleFix(shop, object, { flags, edit }) }
  }
}

function* freeItems(shop: Shop): Generator<Found> {
  for (const offer of offersOf(shop)) {
    const { object, discount, ways, member, quantity, isCode, rules } = offer
    if (discount.type !== 'UNIT' || (isCode && quantity !== undefined)) continue
    if (rules.some((rule) => isRecord(memberAt(rule, 'bundle_rules')))) continue
    if (isLimited(ways, 'redemption.count', 'campaign.redemptions') || amountsOf(ways)?.least !== 0) continue
    const units = Array.isArray(discount.units) ? discount.units.filter(isRecord) : [discount]
    const what = units
      .map(({ unit_off, unit_type }) => {
        const product = shop.objects.get(String(unit_type))
        return `${Number(unit_off ?? 1)} × ${product === undefined ? JSON.stringify(unit_type) : nameOf(product)}`
      })
      .join(' and ')
    const who = isCode ? 'whoever has a code' : 'every customer'
    const message = `${subjectOf(object)} adds ${what} for free to any order, and ${who} gets it again with each order`
    const fix = ruleFix(shop, object, { flags: '--per-customer 1', edit: oncePerCustomer })
    yield { object, member, message, fix }
  }
}

/** What a discount takes off, in a few words. */
export function worthOf({ discount }: Pick<Offer, 'discount'>, money: (amount: number) => string): string {
  switch (discount.type) {
    case 'PERCENT':
      return `${Number(discount.percent_off)} %`
    case 'AMOUNT':
      return money(Number(discount.amount_off))
    case 'FIXED':
      return `the price down to ${money(Number(discount.fixed_amount))}`
    default:
      return 'free items'
  }
}

function* sharedCodes(shop: Shop): Generator<Found> {
  const money = moneyOf(shop)
  for (const offer of offersOf(shop)) {
    const { object, ways, isCode, quantity, discount } = offer
    if (!isCode || quantity !== undefined || isLimited(ways, 'redemption.count', 'campaign.redemptions')) continue
    // A referral code is made to be shared, and has rules of its own.
    if (
      memberAt(object, 'campaign_type') === 'REFERRAL_PROGRAM' ||
      memberAt(object, 'voucher.is_referral_code') === true
    )
      continue
    const isSingle = object.kind.name === 'codes'
    const codes = isSingle ? subjectOf(object) : `A code of ${nameOf(object)}`
    const gives = `${worthOf(offer, money)}${['UNIT', 'FIXED'].includes(String(discount.type)) ? '' : ' off'}`
    const message = `${codes} can be used any number of times, by the same customer too: once it is public, each order gets ${gives} again`
    const edit = `${oncePerCustomer}; or set voucher.redemption.quantity`
    const fix = ruleFix(shop, object, { flags: '--per-customer 1', edit })
    yield { object, member: isSingle ? 'redemption' : 'voucher.redemption', message, fix }
  }
}

/** The rules about discounts. */
export const discountRules: readonly Rule[] = [
  {
    id: 'discount-without-minimum',
    severity: 'error',
    title: 'an amount off orders that may be worth less',
    find: withoutMinimum,
  },
  {
    id: 'percentage-without-maximum',
    severity: 'error',
    title: 'half of an order or more, without a maximum',
    find: (shop) => percentages(shop, 50, 100),
  },
  { id: 'everything-free', severity: 'error', title: 'all of an order', find: (shop) => percentages(shop, 100, 101) },
  { id: 'price-for-any-order', severity: 'error', title: 'a fixed price for orders of any size', find: fixedPrices },
  {
    id: 'free-items-without-limit',
    severity: 'error',
    title: 'free items with every order',
    find: freeItems,
  },
  {
    id: 'code-without-limit',
    severity: 'error',
    title: 'a code that can be used any number of times',
    find: sharedCodes,
  },
]
