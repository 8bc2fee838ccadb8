// The worst basket that discounts reach together: what is tried is judged by the service's own evaluation.
import { type BasketRequest, type Market, type Redeemable, requestsFor } from './baskets.ts'

/** A basket that was found. */
export interface Basket {
  redeemables: readonly Redeemable[]
  request: BasketRequest
  amount: number
  discount: number
}

type Loss = Pick<Basket, 'amount' | 'discount'>

/** What is asked of the service. */
export type Evaluate = (request: BasketRequest) => Loss | undefined

/** As many of the worst combinations are extended by one more. */
const beam = 24
/** No search evaluates many more requests: the work is bound by their number, and the time is not looked at. */
const mostRequests = 120_000
const longest = 5

/** Returns the worst baskets, those first of which the largest part is taken off: one for each set of offers. */
export function worstBaskets(
  redeemables: readonly Redeemable[],
  market: Market,
  { evaluate, most, largest }: { evaluate: Evaluate; most: number; largest: number },
): Basket[] {
  const found = new Map<string, Basket>()
  const first = redeemables.filter((one) => isNext(one, [], redeemables)).map((one) => [one])
  let sequences: (readonly Redeemable[])[] = first
  for (let size = 1; size <= Math.min(largest, longest); size += 1) {
    const each = Math.min(200, Math.max(12, Math.round(mostRequests / longest / sequences.length)))
    const best = new Map<string, Basket>()
    for (const sequence of sequences) {
      const basket = worstOf(requestsFor(sequence, market, each), sequence, evaluate)
      if (basket === undefined) continue
      keepWorse(best, ({ id }) => id, basket)
      keepWorse(found, ({ offer }) => offer.object.address, basket)
    }
    // What takes everything cannot be made worse, and would hide what can.
    const seeds = worstFirst([...best.values()].filter((one) => degreeOf(one) < 1000)).slice(0, beam)
    // What fails alone may apply in an order that another changed, so everything is tried as the first of a pair.
    sequences = extendSequences(size === 1 ? first : seeds.map((one) => one.redeemables), redeemables)
  }
  const baskets = [...found.values()]
  return worstFirst(baskets.filter((one) => !baskets.some((other) => isPart(other, one)))).slice(0, most)
}

/** Keeps the worst basket of each set of redeemables, in any order. */
function keepWorse(baskets: Map<string, Basket>, nameOf: (one: Redeemable) => string, basket: Basket): void {
  const key = basket.redeemables.map(nameOf).toSorted().join(' ')
  const known = baskets.get(key)
  if (known === undefined || isWorse(basket, known)) baskets.set(key, basket)
}

function worstFirst(baskets: readonly Basket[]): Basket[] {
  return baskets.toSorted((one, other) => (isWorse(one, other) ? -1 : isWorse(other, one) ? 1 : 0))
}

/** Tenths of a percent: what differs less is rounding, and then the larger loss is worse. */
const degreeOf = ({ amount, discount }: Loss) => Math.round((discount * 1000) / Math.max(1, amount))

function isWorse(one: Loss, other: Loss): boolean {
  const difference = degreeOf(one) - degreeOf(other)
  return difference === 0 ? one.discount > other.discount : difference > 0
}

/** Says whether a basket is as bad as another without what the other adds. */
function isPart(one: Basket, other: Basket): boolean {
  return (
    one.redeemables.length < other.redeemables.length &&
    one.redeemables.every((each) => other.redeemables.includes(each)) &&
    degreeOf(one) >= degreeOf(other)
  )
}

/** Puts one more redeemable at each place of some sequences. */
function extendSequences(sequences: readonly (readonly Redeemable[])[], all: readonly Redeemable[]): Redeemable[][] {
  const longer = sequences.flatMap((sequence) =>
    all
      .filter((one) => !sequence.includes(one) && isNext(one, sequence, all))
      .flatMap((one) => [...sequence.keys(), sequence.length].map((at) => sequence.toSpliced(at, 0, one))),
  )
  return [...new Map(longer.map((one) => [one.map(({ id }) => id).join(' '), one])).values()]
}

/** The codes of one campaign are alike: the second is taken after the first. */
function isNext(one: Redeemable, sequence: readonly Redeemable[], all: readonly Redeemable[]): boolean {
  return (
    all.find(({ offer, ...other }) => offer === one.offer && !sequence.some(({ id }) => id === other.id))?.id === one.id
  )
}

const nothing = { amount: 1, discount: 0 }

function worstOf(
  requests: Iterable<BasketRequest>,
  redeemables: readonly Redeemable[],
  evaluate: Evaluate,
): Basket | undefined {
  let worst: Basket | undefined
  for (const request of requests) {
    const result = evaluate(request)
    if (result === undefined) continue
    const basket = { redeemables, request, ...result }
    // Of orders that lose alike the round one stays, which is at a boundary.
    const isAlike =
      degreeOf(basket) === degreeOf(worst ?? nothing) && basket.discount < (worst ?? nothing).discount * 1.01
    if (!isAlike && isWorse(basket, worst ?? nothing)) worst = basket
  }
  return worst
}
