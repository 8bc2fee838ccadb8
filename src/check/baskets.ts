// The requests that a search for the worst basket tries: orders at the boundaries of rules, and customers who meet them.
import { isRecord } from '../base/record.ts'
import type { Offer } from './discounts.ts'
import { type Condition, rangeOf } from './requirement.ts'
import { memberAt } from './shop.ts'

/** Something that a request can redeem. */
export interface Redeemable {
  offer: Offer
  object: 'voucher' | 'promotion_tier'
  id: string
}

/** A line that an order may have. */
export interface Sellable {
  line: { product_id: string } | { sku_id: string }
  price: number
  /** The addresses and ids by which rules name it. */
  names: readonly string[]
}

/** A customer that a request may name. */
export interface Shopper {
  source_id: string
  isIn: (segment: string) => boolean
}

/** What there is to buy, and who buys. */
export interface Market {
  /** The cheapest first. */
  sellables: readonly Sellable[]
  /** One who is in no segment is the last. */
  shoppers: readonly Shopper[]
  /** Returns the products, of some, whose total is the least that reaches an amount; undefined where it takes too many. */
  reach: (of: readonly Sellable[], amount: number) => Sellable[] | undefined
}

/** Opens a market. */
export function marketOf(sellables: readonly Sellable[], shoppers: readonly Shopper[]): Market {
  const known = new Map<string, readonly (Sellable | undefined)[]>()
  return {
    sellables: sellables.toSorted((one, other) => one.price - other.price),
    shoppers,
    reach(of, amount) {
      const [cheapest] = of
      if (cheapest === undefined || amount / cheapest.price > mostPieces) return undefined
      const key = of.map(({ names }) => names[0]).join(' ')
      const totals = known.get(key) ?? totalsOf(of)
      known.set(key, totals)
      const many = Math.max(0, Math.ceil((amount - largestTotal) / cheapest.price))
      const reached = Array<Sellable>(many).fill(cheapest)
      let left = Math.max(0, amount - many * cheapest.price)
      while (left > 0 && totals[left] === undefined) left += 1
      for (let last = totals[left]; last !== undefined; last = totals[left]) {
        reached.push(last)
        left -= last.price
      }
      return reached
    },
  }
}

const mostPieces = 1000
/** Beyond it, orders are filled with the cheapest product. */
const largestTotal = 20_000

/** Of each total that products come to, the one that was added last. The cheapest is the first. */
function totalsOf(of: readonly Sellable[]): (Sellable | undefined)[] {
  const totals: (Sellable | undefined)[] = []
  for (let total = 1; total <= largestTotal + Number(of[0]?.price); total += 1)
    totals[total] = of.find(({ price }) => total === price || totals[total - price] !== undefined)
  return totals
}

type Item = { quantity: number; price: number } & Partial<{ product_id: string; sku_id: string }>
type Order = { amount?: number; items?: Item[]; metadata?: Record<string, unknown> }

/** An order of a customer, and what is redeemed for it. */
export interface BasketRequest {
  redeemables: { object: Redeemable['object']; id: string }[]
  order: Order
  customer?: { source_id: string; metadata: Record<string, unknown> }
  metadata?: Record<string, unknown>
}

type Way = readonly Condition[]

/** Yields at most so many requests for each of a few ways in which the rules of all are met together. */
export function* requestsFor(sequence: readonly Redeemable[], market: Market, most: number): Generator<BasketRequest> {
  const redeemables = sequence.map(({ object, id }) => ({ object, id }))
  for (const ways of choicesOf(sequence)) {
    const audience = audienceOf(sequence, ways.flat(), market.shoppers)
    if (audience === undefined) continue
    const { order: metadata, ...rest } = audience
    for (const order of ordersFor(sequence, ways, market).slice(0, most))
      yield { redeemables, order: { ...order, ...metadata }, ...rest }
  }
}

/** One way for each redeemable, in up to eight combinations. */
function choicesOf(sequence: readonly Redeemable[]): Way[][] {
  return sequence.reduce<Way[][]>(
    (all, { offer: { ways = [[]] } }) => all.flatMap((one) => ways.slice(0, 4).map((way) => [...one, way])).slice(0, 8),
    [[]],
  )
}

/** Who the customer is, and what is noted; undefined where no customer is in the segments that are asked for. */
function audienceOf(sequence: readonly Redeemable[], way: Way, shoppers: readonly Shopper[]) {
  const noteOf = (subject: string) => {
    const values = way.filter(({ name }) => name === subject).map((one) => [one.property, valueFor(one)] as const)
    return Object.fromEntries(values.filter(([, value]) => value !== undefined))
  }
  const segments = way.filter(({ name }) => name === 'customer.segment')
  const shopper = shoppers.findLast(({ isIn }) =>
    segments.every(({ conditions: { $is, $in, $is_not, $not_in } }) => {
      const isInOne = (list: unknown[] = []) => list.some((one) => isIn(String(one)))
      return ($is ?? $in) === undefined ? !isInOne($is_not ?? $not_in) : isInOne($is ?? $in)
    }),
  )
  if (shopper === undefined) return undefined
  const isAboutCustomer =
    way.some(({ name }) => /^(?:customer|redemption\.count\.per_customer)/.test(name)) ||
    sequence.some(({ offer }) => memberAt(offer.campaign, 'campaign_type') === 'REFERRAL_PROGRAM')
  const [order, metadata] = [noteOf('order.metadata'), noteOf('redemption.metadata')]
  return {
    order: Object.keys(order).length > 0 ? { metadata: order } : {},
    ...(isAboutCustomer && { customer: { source_id: shopper.source_id, metadata: noteOf('customer.metadata') } }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

function valueFor(condition: Condition): unknown {
  const { $is, $in, $contains, $starts_with } = condition.conditions
  const [value] = $is ?? $in ?? $contains ?? $starts_with ?? []
  if (value !== undefined) return value
  const { least, most } = rangeOf(condition)
  return Number.isFinite(least) ? least : Number.isFinite(most) ? most : undefined
}

const aboutAmounts = /^order\.(?:amount|initial_amount|total_amount)$/
const aboutItems = /^(?:order\.items|product|sku)\b/

/** Orders at the boundaries of what is asked for, the smallest first. */
function ordersFor(sequence: readonly Redeemable[], ways: readonly Way[], market: Market): Order[] {
  const discounts = sequence.map(({ offer }) => offer.discount)
  const asked = sequence.flatMap(({ offer }) =>
    offer.rules.map((rule) => ['bundle_rules', 'applicable_to'].map((name) => memberAt(rule, name))),
  )
  const others = ways.flat().filter(({ name }) => !aboutAmounts.test(name))
  const numbers = numbersIn([asked, others.filter(({ name }) => aboutItems.test(name))])
  const amounts = amountsFor(discounts, ways, numbers)
  const texts = textsIn([asked, others, discounts])
  const wanted = market.sellables.filter(({ names }) => names.some((name) => texts.has(name)))
  const isAboutItems =
    wanted.length > 0 ||
    others.some(({ name }) => aboutItems.test(name)) ||
    JSON.stringify(discounts).includes('_ITEMS')
  const plain = amounts.map((amount) => ({ amount }))
  if (!isAboutItems) return plain
  const counts = unique([1, ...numbers.filter((one) => one > 0 && one <= 100).flatMap((one) => [one, one + 1])])
  // Some shops send an amount alone.
  const carts = cartsFor(market, wanted, counts.slice(0, 4), amounts.slice(0, 6))
  // An amount off items is taken off each line, so the same product is bought on many.
  const offs = discounts.map(({ amount_off, effect }) =>
    String(effect).includes('_ITEMS') ? Number(amount_off ?? 0) : 0,
  )
  const isPerLine = offs.some((off) => off > 0)
  const products = [...new Set([...ends(wanted), ...ends(market.sellables)])]
  const split = isPerLine ? products.map((one) => Array<Sellable>(piecesOf(one, offs, leastsOf(ways))).fill(one)) : []
  const orders = [...split, ...carts].map((cart) => ({ items: itemsOf(cart, isPerLine) }))
  return [...plain.slice(0, 6), ...new Map(orders.map((one) => [JSON.stringify(one), one])).values()]
}

/** The least amount that each of some ways asks for. */
const leastsOf = (ways: readonly Way[]) =>
  ways.map((way) => Math.max(0, ...way.filter(({ name }) => aboutAmounts.test(name)).map((one) => rangeOf(one).least)))

/** How often a product is bought, on as many lines as may be, so that each discount finds its least amount after those before it. */
function piecesOf({ price }: Sellable, offs: readonly number[], leasts: readonly number[]): number {
  const pieces = leasts.map((least, at) => {
    const off = offs.slice(0, at).reduce((sum, one) => sum + one, 0)
    const few = price > off ? least / (price - off) : Number.POSITIVE_INFINITY
    return Math.ceil(few <= mostLines ? few : (least + mostLines * Math.min(price, off) + off) / price)
  })
  return Math.min(mostPieces, Math.max(1, ...pieces))
}

/**
 * Amounts at which something begins or ends: the least order in which each discount still finds its own least one, that which the
 * discounts use up, and those at which one reaches its limit.
 */
function amountsFor(
  discounts: readonly Offer['discount'][],
  ways: readonly Way[],
  numbers: readonly number[],
): number[] {
  const ranges = ways.map((way) => way.filter(({ name }) => aboutAmounts.test(name)).map(rangeOf))
  const leasts = leastsOf(ways)
  const mosts = ranges.flat().map(({ most }) => most)
  const found = [...leasts, ...mosts, ...numbers, 10_000]
  for (const isOfInitial of [false, true])
    for (const isLimited of [false, true]) {
      // What is left of an order of `x` is `part * x - off`.
      let [part, off, start] = [1, 0, 1]
      for (const [at, { amount_off, percent_off, amount_limit }] of discounts.entries()) {
        start = Math.max(start, ((leasts[at] ?? 0) + off) / part)
        const share = Number(percent_off ?? 0) / 100
        const limit = typeof amount_limit === 'number' ? amount_limit : undefined
        if (limit !== undefined && share > 0) found.push(((isOfInitial ? 0 : off) + limit / share) / part)
        if (limit !== undefined && isLimited) off += limit
        else {
          part = isOfInitial ? part - share : part * (1 - share)
          off = (isOfInitial ? off : off * (1 - share)) + Number(amount_off ?? 0)
        }
        if (part > 0) found.push(off / part)
      }
      // Without a least amount nothing begins, and of a few cents rounding is the largest part.
      if (start > 1) found.push(start, start + 1, start + discounts.length + 1)
    }
  const least = Math.max(...leasts)
  return unique(found.map(Math.ceil)).filter((one) => one > 0 && one >= least && one <= 1e9)
}

/** The two cheapest, and the dearest. */
const ends = (list: readonly Sellable[]) => [...list.slice(0, 2), ...list.slice(2).slice(-1)]

/** Carts with the products that rules name, filled up to just above amounts. */
function cartsFor(
  { sellables, reach }: Market,
  wanted: readonly Sellable[],
  counts: readonly number[],
  amounts: readonly number[],
): Sellable[][] {
  const starts = [
    ...[...new Set([...ends(wanted), ...ends(sellables)])].map((one) => [one]),
    // As many lines as there are pieces that a rule may count.
    ...[wanted, sellables].flatMap((list) => [Math.max(2, ...counts), 6].map((lines) => list.slice(0, lines))),
  ]
  // The cheapest alone makes the most lines.
  const fillers = [wanted.slice(0, 6), wanted.slice(0, 1), sellables.slice(0, 12), sellables.slice(0, 1)]
  const carts = counts.flatMap((count) =>
    starts.flatMap((start): Sellable[][] => {
      const cart = start.flatMap((one) => Array<Sellable>(count).fill(one))
      const missing = unique(amounts.map((amount) => amount - totalOf(cart))).filter((one) => one > 0)
      const added = missing.flatMap((one) => fillers.flatMap((of) => [reach(of, one) ?? []]))
      return [cart, ...added.filter((more) => more.length > 0).map((more) => [...cart, ...more])]
    }),
  )
  return carts.toSorted((one, other) => totalOf(one) - totalOf(other))
}

const mostLines = 20

function itemsOf(cart: readonly Sellable[], isSplit: boolean): Item[] {
  const alone = isSplit ? cart.slice(0, mostLines) : []
  const together = Map.groupBy(cart.slice(alone.length), (one) => one)
  const lines = [
    ...alone.map((one) => [one, 1] as const),
    ...[...together].map(([one, same]) => [one, same.length] as const),
  ]
  return lines.map(([{ line, price }, quantity]) => ({ ...line, quantity, price }))
}

const totalOf = (cart: readonly Sellable[]) => cart.reduce((sum, { price }) => sum + price, 0)

function unique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? [value] : []
  if (Array.isArray(value)) return value.flatMap(numbersIn)
  return isRecord(value) ? Object.values(value).flatMap(numbersIn) : []
}

function textsIn(value: unknown): Set<string> {
  if (typeof value === 'string') return new Set([value])
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return new Set(parts.flatMap((one) => [...textsIn(one)]))
}
