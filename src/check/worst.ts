// The worst basket that discounts reach together: candidates are the boundaries of their rules, judged by the service's own evaluation.
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

/** An order of a customer, and what is redeemed for it. */
export interface BasketRequest {
  redeemables: { object: Redeemable['object']; id: string }[]
  order: {
    amount?: number
    items?: ({ quantity: number; price: number } & Partial<{ product_id: string; sku_id: string }>)[]
    metadata?: Record<string, unknown>
  }
  customer?: { source_id: string; metadata: Record<string, unknown> }
  metadata?: Record<string, unknown>
}

/** A basket that was found. */
export interface Basket {
  redeemables: readonly Redeemable[]
  request: BasketRequest
  amount: number
  discount: number
}

/** What is asked of the service. */
export type Evaluate = (request: BasketRequest) => { amount: number; discount: number } | undefined

/** The customer of every basket. */
export const shopper = 'promo-check'

/** As many redeemables are combined in every way; of more, the worst pairs are extended. */
const fewRedeemables = 9
const beam = 24
const mostOrders = 48

const shareOf = ({ amount, discount }: Pick<Basket, 'amount' | 'discount'>) => discount / Math.max(1, amount)

/** Returns the worst baskets, those first of which the largest part is taken off: one for each set of offers. */
export function worstBaskets(
  redeemables: readonly Redeemable[],
  sellables: readonly Sellable[],
  { evaluate, most, largest }: { evaluate: Evaluate; most: number; largest: number },
): Basket[] {
  const found = new Map<string, Basket>()
  const judge = (sequence: readonly Redeemable[], few?: number): Basket | undefined => {
    const basket = worstOf(sequence, sellables, evaluate, few)
    if (basket === undefined) return undefined
    const key = keyOf(sequence)
    const known = found.get(key)
    if (known === undefined || isWorse(basket, known)) found.set(key, basket)
    return basket
  }
  let last = redeemables.filter((one) => isFirstOf(one, redeemables)).flatMap((one) => judge([one]) ?? [])
  const isSmall = redeemables.length <= fewRedeemables
  for (let size = 2; size <= Math.min(largest, isSmall ? 3 : 5); size += 1) {
    // What takes everything cannot be made worse, and would hide what can.
    const seeds = (isSmall ? last : worstFirst(last.filter((one) => degreeOf(one) < 1000)).slice(0, beam)).map(
      (one) => one.redeemables,
    )
    const tried = new Set<string>()
    // What fails alone may apply in an order that another changed, so everything is tried as the first of a pair.
    const starts = size === 2 ? redeemables.filter((one) => isFirstOf(one, redeemables)).map((one) => [one]) : seeds
    last = starts.flatMap((seed) =>
      redeemables
        .filter((one) => !seed.includes(one) && isNext(one, seed, redeemables))
        .flatMap((one) => {
          const set = [...seed, one]
            .map(({ id }) => id)
            .toSorted()
            .join(' ')
          if (tried.has(set)) return []
          tried.add(set)
          const sequences = insertions(seed, one, isSmall)
          const baskets = sequences.flatMap((sequence) => judge(sequence, isSmall || size === 2 ? undefined : 12) ?? [])
          return worstFirst(baskets).slice(0, 1)
        }),
    )
  }
  // A discount that adds nothing to others is no part of a basket.
  const all = [...found].filter(
    ([, basket]) =>
      ![...found.values()].some(
        (other) => other !== basket && isSubset(other, basket) && degreeOf(other) >= degreeOf(basket),
      ),
  )
  return worstFirst(all.map(([, basket]) => basket)).slice(0, most)
}

function worstFirst(baskets: readonly Basket[]): Basket[] {
  return baskets.toSorted((one, other) => (isWorse(one, other) ? -1 : isWorse(other, one) ? 1 : 0))
}

/** Tenths of a percent: what differs less is rounding, and then the larger loss is worse. */
const degreeOf = (basket: Pick<Basket, 'amount' | 'discount'>) => Math.round(shareOf(basket) * 1000)

function isWorse(one: Basket, other: Basket): boolean {
  const difference = degreeOf(one) - degreeOf(other)
  return difference === 0 ? one.discount > other.discount : difference > 0
}

function isSubset(one: Basket, other: Basket): boolean {
  return (
    one.redeemables.length < other.redeemables.length &&
    one.redeemables.every((each) => other.redeemables.includes(each))
  )
}

function keyOf(sequence: readonly Redeemable[]): string {
  return sequence
    .map(({ offer }) => offer.object.address)
    .toSorted()
    .join(' ')
}

/** The codes of one campaign are alike: the second is taken after the first. */
function isFirstOf(one: Redeemable, all: readonly Redeemable[]): boolean {
  return all.find(({ offer }) => offer === one.offer) === one
}

function isNext(one: Redeemable, seed: readonly Redeemable[], all: readonly Redeemable[]): boolean {
  return all.find((other) => other.offer === one.offer && !seed.includes(other)) === one
}

function insertions(seed: readonly Redeemable[], one: Redeemable, everywhere: boolean): Redeemable[][] {
  const places = everywhere || seed.length < 3 ? [...seed.keys(), seed.length] : [0, seed.length]
  const inserted = places.map((at) => [...seed.slice(0, at), one, ...seed.slice(at)])
  // Of a pair both orders are there; of three each order of the first two is.
  return seed.length === 2 && everywhere ? inserted.flatMap((three) => [three, three.toReversed()]) : inserted
}

function worstOf(
  sequence: readonly Redeemable[],
  sellables: readonly Sellable[],
  evaluate: Evaluate,
  few: number | undefined,
): Basket | undefined {
  let worst: Basket | undefined
  for (const request of requestsFor(sequence, sellables, few)) {
    const result = evaluate(request)
    if (result === undefined) continue
    const basket = { redeemables: sequence, request, ...result }
    if (worst === undefined || isWorse(basket, worst)) worst = basket
  }
  return worst
}

function* requestsFor(
  sequence: readonly Redeemable[],
  sellables: readonly Sellable[],
  few: number | undefined,
): Generator<BasketRequest> {
  const redeemables = sequence.map(({ object, id }) => ({ object, id }))
  const orders = ordersFor(sequence, sellables).slice(0, few ?? mostOrders)
  for (const { customer, order, redemption } of audiencesOf(sequence)) {
    for (const one of orders) {
      const about = Object.keys(order).length === 0 ? one : { ...one, metadata: order }
      yield {
        redeemables,
        order: about,
        ...(customer && { customer: { source_id: shopper, metadata: customer } }),
        ...(Object.keys(redemption).length > 0 && { metadata: redemption }),
      }
    }
  }
}

type Metadata = Record<string, unknown>

/** Who the customer is, and what is noted, in each of the ways in which the rules are met. */
function audiencesOf(
  sequence: readonly Redeemable[],
): { customer?: Metadata; order: Metadata; redemption: Metadata }[] {
  const ways = sequence.reduce<Condition[][]>(
    (all, { offer }) =>
      (offer.ways ?? [[]])
        .slice(0, 4)
        .flatMap((way) => all.map((one) => [...one, ...way]))
        .slice(0, 8),
    [[]],
  )
  const audiences = ways.map((way) => {
    const noted = (name: string) =>
      Object.fromEntries(
        way
          .filter((one) => one.name === name)
          .flatMap((one) => {
            const value = valueFor(one)
            return value === undefined ? [] : [[one.property, value] as const]
          }),
      )
    const isAboutCustomer =
      way.some(({ name }) => /^(?:customer|redemption\.count\.per_customer)/.test(name)) ||
      sequence.some(({ offer }) => memberAt(offer.campaign, 'campaign_type') === 'REFERRAL_PROGRAM')
    return {
      ...(isAboutCustomer && { customer: noted('customer.metadata') }),
      order: noted('order.metadata'),
      redemption: noted('redemption.metadata'),
    }
  })
  return [...new Map(audiences.map((one) => [JSON.stringify(one), one])).values()]
}

function valueFor(condition: Condition): unknown {
  const { $is, $in, $contains, $starts_with } = condition.conditions
  const [value] = $is ?? $in ?? $contains ?? $starts_with ?? []
  if (value !== undefined) return value
  const { least, most } = rangeOf(condition)
  return Number.isFinite(least) ? least : Number.isFinite(most) ? most : undefined
}

/** Orders at the boundaries of what is asked for. */
function ordersFor(sequence: readonly Redeemable[], sellables: readonly Sellable[]): BasketRequest['order'][] {
  const rules = [...new Set(sequence.flatMap(({ offer }) => offer.rules))]
  const asked = rules.map((rule) => ['rules', 'bundle_rules', 'applicable_to'].map((name) => memberAt(rule, name)))
  const numbers = new Set(numbersIn(asked))
  const discounts = sequence.map(({ offer }) => offer.discount)
  const taken = discounts.flatMap(({ amount_off, fixed_amount }) =>
    [amount_off, fixed_amount].filter((one) => typeof one === 'number'),
  )
  const sums = subsetSums(taken)
  const shares = discounts.flatMap(({ percent_off: percent }) =>
    typeof percent === 'number' && percent < 100 ? [1 - percent / 100] : [],
  )
  const limits = discounts.flatMap(({ percent_off: percent, amount_limit: limit }) =>
    typeof percent === 'number' && typeof limit === 'number' && percent > 0 ? [Math.ceil((limit * 100) / percent)] : [],
  )
  const left = shares.reduce((product, share) => product * share, 1)
  const bounds = [...numbers].flatMap((one) => [one, one + 1, one - 1])
  const amounts = unique([
    ...sums,
    ...bounds.flatMap((one) => [
      one,
      ...sums.map((sum) => one + sum),
      ...[...shares, left].map((share) => Math.ceil(one / share)),
    ]),
    ...limits,
    10_000,
  ]).filter((one) => one > 0 && one <= 1e9)
  const named = namesIn([asked, discounts])
  const isAboutItems =
    named.size > 0 ||
    sequence.some(({ offer }) => String(JSON.stringify(offer.discount.effect)).includes('ITEMS')) ||
    JSON.stringify(asked).includes('"order.items')
  const ofAmounts = amounts.map((amount) => ({ amount }))
  if (!isAboutItems) return ofAmounts
  const byPrice = sellables.toSorted((one, other) => one.price - other.price)
  const wanted = byPrice.filter(({ names }) => names.some((name) => named.has(name)))
  const chosen = [...new Set([...wanted.slice(0, 3), ...wanted.slice(-1), ...byPrice.slice(0, 2)])]
  const counts = unique([1, ...[...numbers].filter((one) => one > 0 && one <= 100).flatMap((one) => [one, one + 1])])
  const line = ({ line, price }: Sellable, quantity: number) => ({ ...line, quantity, price })
  const carts = chosen.flatMap((one) =>
    unique([...counts, ...amounts.slice(0, 8).map((amount) => Math.min(1000, Math.ceil(amount / one.price)))]).map(
      (quantity) => ({
        items: [line(one, quantity)],
      }),
    ),
  )
  const pairs = chosen.flatMap((one, at) =>
    chosen
      .slice(at + 1)
      .flatMap((other) => counts.slice(0, 3).map((count) => ({ items: [line(one, count), line(other, count)] }))),
  )
  return [...carts, ...pairs, ...ofAmounts]
}

function unique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}

function subsetSums(numbers: readonly number[]): number[] {
  let sums = [0]
  for (const one of numbers) sums = sums.concat(sums.map((sum) => sum + one))
  return unique(sums).slice(0, 16)
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? [value] : []
  if (Array.isArray(value)) return value.flatMap(numbersIn)
  return isRecord(value) ? Object.values(value).flatMap(numbersIn) : []
}

/** The texts by which products may be named. */
function namesIn(value: unknown): Set<string> {
  const names = new Set<string>()
  const visit = (inner: unknown): void => {
    if (typeof inner === 'string' && /^(?:products|product-collections)\/|^(?:prod|sku|pc)_/.test(inner))
      names.add(inner)
    else if (Array.isArray(inner)) for (const one of inner) visit(one)
    else if (isRecord(inner)) for (const one of Object.values(inner)) visit(one)
  }
  visit(value)
  return names
}
