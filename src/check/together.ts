// Rules about discounts that apply together, or never do.
import { type Offer, offersOf, ordersOf, sampleOrder, worthOf } from './discounts.ts'
import { wordFor } from './fix.ts'
import { moneyOf } from './money.ts'
import { amountsOf, type Condition, type Range, rangeOf, type Ways } from './requirement.ts'
import type { Found, Rule } from './rule.ts'
import { instantAt, memberAt, nameOf, numberAt, objectsOf, type Shop, type ShopObject, windows } from './shop.ts'
import { apart, categoryOf, isOfInitialAmount, limitsOf } from './stacking.ts'

/** Says whether every order that meets the one meets the other. */
function implies(one: Ways, other: Ways): boolean {
  if (one === undefined || other === undefined) return false
  return one.every((way) =>
    other.some((wider) => wider.every((wanted) => way.some((given) => isStricter(given, wanted)))),
  )
}

function isStricter(given: Condition, wanted: Condition): boolean {
  if (given.name !== wanted.name || given.property !== wanted.property) return false
  if (JSON.stringify(given.conditions) === JSON.stringify(wanted.conditions)) return true
  const [narrow, wide] = [rangeOf(given), rangeOf(wanted)]
  const isRange = Object.keys(wanted.conditions).every((operator) =>
    /^\$(?:more|less|greater)_than(?:_or_equal)?$/.test(operator),
  )
  return isRange && narrow.least >= wide.least && narrow.most <= wide.most
}

function* neverApplies(shop: Shop): Generator<Found> {
  const money = moneyOf(shop)
  const tiers = offersOf(shop).filter(({ isCode }) => !isCode)
  for (const [, siblings] of Map.groupBy(tiers, ({ campaign }) => campaign)) {
    const ordered = siblings.toSorted((one, other) => (one.object.position ?? 0) - (other.object.position ?? 0))
    for (const [at, tier] of ordered.entries()) {
      const earlier = ordered
        .slice(0, at)
        .find(
          (one) =>
            one.isOrderWide &&
            windows.every((name) => memberAt(one.object, name) === undefined) &&
            apart(shop, one, tier) !== undefined &&
            implies(tier.ways, one.ways),
        )
      if (earlier === undefined) continue
      const orders = ordersOf(tier, amountsOf(tier.ways), money)
      const message = `The tier ${nameOf(tier.object)} never applies after ${nameOf(earlier.object)}, which is before it and takes ${orders} too: ${apart(shop, earlier, tier)}, so its ${worthOf(tier, money)} is never given`
      yield {
        object: tier.object,
        message,
        fix: shop.isOnline
          ? `promo promotions tiers move ${wordFor(tier.object)} --before ${wordFor(earlier.object)}`
          : `move the tier ${nameOf(tier.object)} above ${nameOf(earlier.object)}`,
      }
    }
  }
}

function overlap(one: ShopObject, other: ShopObject): boolean {
  const startOf = (object: ShopObject) => instantAt(object, 'start_date') ?? Number.NEGATIVE_INFINITY
  const endOf = (object: ShopObject) => instantAt(object, 'expiration_date') ?? Number.POSITIVE_INFINITY
  return startOf(one) <= endOf(other) && startOf(other) <= endOf(one)
}

function* sameAudience(shop: Shop): Generator<Found> {
  const money = moneyOf(shop)
  const offers = offersOf(shop).filter(({ rules }) => rules.length > 0)
  // A copy of a rule is for the same orders too.
  const key = ({ rules }: Offer) =>
    rules
      .map((rule) => JSON.stringify(['rules', 'bundle_rules', 'applicable_to'].map((name) => memberAt(rule, name))))
      .toSorted()
      .join(' ')
  for (const [, same] of Map.groupBy(offers, key)) {
    for (const [at, offer] of same.entries()) {
      const other = same
        .slice(0, at)
        .find(
          (one) =>
            one.campaign !== offer.campaign &&
            overlap(one.campaign, offer.campaign) &&
            apart(shop, one, offer) === undefined,
        )
      if (other === undefined) continue
      const rules = offer.rules.map(nameOf).join(' and ')
      const message = `${nameOf(offer.object)} and ${nameOf(other.object)} are for the same orders, by ${rules}, at the same time, and apply together: ${worthOf(offer, money)} and ${worthOf(other, money)} off one order`
      yield {
        object: offer.object,
        member: 'validation_rules',
        message,
        fix: 'give both one category, of which one discount applies to an order',
      }
    }
  }
}

/** What a discount takes off what is left of an order, by itself. */
function takenBy({ discount }: Offer, order: number, left: number): number {
  const { percent_off, amount_off, amount_limit, aggregated_amount_limit } = discount
  const off = discount.type === 'PERCENT' ? (order * Number(percent_off)) / 100 : Number(amount_off)
  return Math.min(left, off, Number(amount_limit ?? aggregated_amount_limit ?? Number.POSITIVE_INFINITY))
}

/** Of the orders at which discounts begin, as many of the smallest are looked at. */
const mostOrders = 20

function* overFloor(shop: Shop): Generator<Found> {
  const money = moneyOf(shop)
  const offers = offersOf(shop).flatMap((offer) => {
    const { type, percent_off, amount_off } = offer.discount
    const range = amountsOf(offer.ways)
    const isKnown = type === 'PERCENT' ? typeof percent_off === 'number' : type === 'AMOUNT' && Number(amount_off) > 0
    return isKnown && offer.isOrderWide && range !== undefined ? [{ offer, ...range }] : []
  })
  const leasts = [...new Set(offers.map(({ least }) => least))].filter((one) => one > 0)
  const orders = [sampleOrder, ...leasts.toSorted((one, other) => one - other).slice(0, mostOrders)]
  const [worst] = orders
    .map((order) => ({ order, ...togetherAt(shop, offers, order) }))
    .toSorted((one, other) => other.off / other.order - one.off / one.order)
  if (worst === undefined || worst.chosen.length < 2 || worst.off < (worst.order * shop.floor) / 100) return
  const { order, off, chosen } = worst
  const parts = [...Map.groupBy(chosen, (offer) => offer)].map(([offer, same]) =>
    same.length === 1
      ? `${nameOf(offer.object)} ${worthOf(offer, money)}`
      : `${same.length} codes of ${nameOf(offer.object)} ${worthOf(offer, money)} each`,
  )
  const percent = Number(((off * 100) / order).toFixed(1))
  const message = `${chosen.length} discounts may apply to one order, and together they take ${percent} % off one of ${money(order)}: ${parts.join(', ')}`
  const [rules] = objectsOf(shop, 'stacking-rules')
  yield {
    object: rules ?? (chosen[0] as Offer).object,
    message,
    fix: 'set applicable_redeemables_limit in the stacking rules, or give them one category',
  }
}

/** Returns the discounts that take most off an order together as the stacking rules allow, and how much that is. */
function togetherAt(shop: Shop, offers: readonly (Range & { offer: Offer })[], order: number) {
  const { all, inCategory } = limitsOf(shop)
  const fitting = offers
    .filter(({ least, most }) => least <= order && order <= most)
    .map((one) => ({ ...one, taken: takenBy(one.offer, order, order) }))
    // One that is over the floor by itself is a finding of its own, and must not hide what the others do.
    .filter(({ taken }) => taken < (order * shop.floor) / 100)
    .toSorted((one, other) => other.taken - one.taken)
  const found: (Range & { offer: Offer })[] = []
  const counts = new Map<string, number>()
  for (const one of fitting) {
    if (found.length >= all) break
    const category = categoryOf(one.offer)
    // Of a campaign with codes of its own a customer may have several.
    const copies = one.offer.isCode && one.offer.object.kind.name === 'campaigns' && !isFixed(one.offer) ? all : 1
    for (let copy = 0; copy < copies && found.length < all; copy += 1) {
      if (found.some(({ offer }) => offer !== one.offer && apart(shop, offer, one.offer) !== undefined)) break
      if (category !== undefined && (counts.get(category) ?? 0) >= inCategory(category)) break
      if (category !== undefined) counts.set(category, (counts.get(category) ?? 0) + 1)
      found.push(one)
    }
  }
  let left = order
  const chosen: Offer[] = []
  // A least amount is asked of what is left.
  for (const { offer, least, most } of found.toSorted((one, other) => other.least - one.least)) {
    if (left < least || left > most) continue
    left -= takenBy(offer, isOfInitialAmount(shop) ? order : left, left)
    chosen.push(offer)
  }
  return { chosen, off: order - left }
}

/** A campaign whose code is one, known to all. */
function isFixed({ object }: Offer): boolean {
  const pattern = memberAt(object, 'voucher.code_config.pattern')
  return typeof pattern === 'string' && !pattern.includes('#')
}

function* unlimitedReferrals(shop: Shop): Generator<Found> {
  for (const { object, reward } of programs(shop)) {
    if (numberAt(object, 'voucher.redemption.quantity') !== undefined) continue
    const message = `A code of ${nameOf(object)} rewards its referrer with ${reward} for each new customer, without a limit: with invented addresses, one person earns it as often as they like`
    yield { object, member: 'referral_program', message, fix: 'set voucher.redemption.quantity' }
  }
}

function* unpaidReferrals(shop: Shop): Generator<Found> {
  for (const { object, reward } of programs(shop)) {
    if (memberAt(object, 'referral_program.conversion_event_type') !== 'redemption') continue
    const message = `${nameOf(object)} gives the referrer ${reward} when the code is redeemed: an order that is never paid, or is sent back, is rewarded too`
    yield {
      object,
      member: 'referral_program',
      message,
      fix: 'conversion_event_type: custom_event, with an event that the shop sends for a paid order',
    }
  }
}

/** The referral programs that are on and reward the referrer. */
function programs(shop: Shop): { object: ShopObject; reward: string }[] {
  return objectsOf(shop, 'campaigns').flatMap((object) => {
    const amount = Number(memberAt(object, 'referral_program.referrer_reward.amount'))
    if (!(amount > 0) || memberAt(object, 'active') === false) return []
    const isPoints = memberAt(object, 'referral_program.referrer_reward.type') === 'LOYALTY_CARD'
    return [{ object, reward: isPoints ? `${amount} points` : moneyOf(shop)(amount) }]
  })
}

/** The rules about what applies together, and about referrals. */
export const togetherRules: readonly Rule[] = [
  {
    id: 'tier-never-applies',
    severity: 'warning',
    title: 'a tier behind another that takes all its orders',
    find: neverApplies,
  },
  {
    id: 'same-orders-twice',
    severity: 'warning',
    title: 'two campaigns for the same orders that apply together',
    find: sameAudience,
  },
  {
    id: 'discounts-over-floor',
    severity: 'warning',
    title: 'discounts that together take most of an order',
    find: overFloor,
  },
  {
    id: 'referral-without-limit',
    severity: 'warning',
    title: 'a referral code that rewards any number of times',
    find: unlimitedReferrals,
  },
  {
    id: 'referral-before-payment',
    severity: 'info',
    title: 'a referral that is rewarded before the order is paid',
    find: unpaidReferrals,
  },
]
