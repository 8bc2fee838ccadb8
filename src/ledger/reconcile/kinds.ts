// The kinds of differences between a shop's orders and the service: each with its words, its test and its remedy, in the order in
// which they are asked. Adding a kind is adding a declaration here, and its section in docs/ledger.md.
import { argumentWords, shellWord } from '../../base/shell-word.ts'
import type { Case, Earned, ShopOrder, Use } from './case.ts'
import type { Remedy } from './remedies.ts'

/** What the tests know besides the case. */
export interface About {
  /** Whole days in which the service still rolls a redemption back; negative: it is too late. */
  daysLeft: (use: Use) => number
  /** Whether two writings mean the same code in this project. */
  isSame: (one: string, other: string) => boolean
}

/** A difference that a kind found. */
export interface Found {
  /** What distinguishes it from the others of its kind. */
  subject: string
  /** What is different, as a sentence without its end. */
  says: string
  /** What it is about, in the service. */
  use?: Use
  earned?: Earned
  code?: string
  /** The money at stake, and the points. */
  money?: number | null
  points?: number | null
  remedy?: Remedy | undefined
  /** What a person does where there is no remedy. */
  advice?: string
  /** Where rolling back is the remedy: whole days until it is too late, negative since it is. */
  daysLeft?: number
  /** Why the data does not allow to decide it. */
  undecided?: string
}

export interface Kind {
  /** Begins the id of each difference of the kind. */
  name: string
  /** What is wrong, in a few words. */
  title: string
  /** What repairs it, in a few words. */
  repair: string
  /** It says that something is not there: of an order that is newer than the copy it cannot be decided. */
  isAbsence?: true
  /** It follows from other differences: it is asked only where there are none. */
  isLast?: true
  find: (one: Case, about: About, id: (subject: string) => string) => Iterable<Found>
}

const day = (instant: string) => instant.slice(0, 10)
const isStanding = ({ rolledBackAt }: Use) => rolledBackAt === null
const isCard = ({ credits, points, type }: Use) =>
  credits !== null || points !== null || (type !== null && type !== 'DISCOUNT_VOUCHER')
const requestOf = ({ id, parent }: Use) => parent ?? id
const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, one) => total + (one ?? 0), 0)

/** What a redemption took, in words. */
export function takenBy({ credits, points, discount }: Use): string {
  if (credits !== null) return `${credits} credits`
  if (points !== null) return `${points} points`
  return discount === null ? 'redeemed' : `${discount} off`
}

function atStake({ credits, points, discount }: Use): Pick<Found, 'money' | 'points'> {
  return points === null ? { money: credits ?? discount } : { points }
}

const inWords: Readonly<Record<ShopOrder['state'], string>> = {
  paid: 'the order is paid',
  pending: 'the order is pending',
  cancelled: 'the order is cancelled',
  refunded: 'the order is refunded',
  'partly-refunded': 'the order is partly refunded',
  failed: 'the payment failed',
}

/** Why something is repaired, as the service keeps it. */
function reasonOf({ number, state }: ShopOrder): string {
  return `order ${number}: ${inWords[state]}`
}

type Repair = Pick<Found, 'remedy' | 'advice' | 'daysLeft'>

/** Rolls a redemption back; where that is too late, gives back what it took from a card. */
function giveBack(use: Use, reason: string, id: string, about: About): Repair {
  const daysLeft = about.daysLeft(use)
  if (daysLeft >= 0) {
    const { parent } = use
    return {
      daysLeft,
      remedy: { name: 'rollback', row: { id: parent ?? use.id, stacked: parent === null ? '' : 'true', reason } },
    }
  }
  const row = { code: use.code, reason, source_id: id }
  if (use.credits !== null)
    return { daysLeft, remedy: { name: 'balance-add', row: { ...row, amount: String(use.credits) } } }
  if (use.points !== null)
    return { daysLeft, remedy: { name: 'points-add', row: { ...row, points: String(use.points) } } }
  return { daysLeft, advice: 'give the customer another code' }
}

/** Rolls one redemption back that was not made together with others. */
function takeOut(use: Use, reason: string, id: string, about: About): Repair {
  if (use.parent === null) return giveBack(use, reason, id, about)
  const advice = `it was redeemed together with others, as ${use.parent}: only all of them can be rolled back`
  return { daysLeft: about.daysLeft(use), advice }
}

/** Redeems a code for an order that is paid. */
function redeem(code: string, { number, amount }: ShopOrder): Repair {
  if (amount === null) return { advice: 'redeem the code for the order, or write its discount off' }
  const row = { code, 'order.source_id': number, 'order.amount': String(amount) }
  return { remedy: { name: 'redeem', row } }
}

/** Finds what stands although its order came to nothing. */
const standsThough =
  (...states: readonly ShopOrder['state'][]): Kind['find'] =>
  ({ shop, uses }, about, id) =>
    shop === undefined || !states.includes(shop.state)
      ? []
      : uses.filter(isStanding).map((use) => {
          const says = `${inWords[shop.state]}, and ${use.code} stands redeemed: ${takenBy(use)}`
          return { subject: use.id, says, use, ...atStake(use), ...giveBack(use, reasonOf(shop), id(use.id), about) }
        })

/** Whether the shop's order was paid, and is still, at least in part. */
const isPaid = (shop: ShopOrder | undefined): shop is ShopOrder =>
  shop?.state === 'paid' || shop?.state === 'partly-refunded'

/** The discounts that a shop may mean: those of codes and promotions alone, or with what cards paid. */
function discountsOf(uses: readonly Use[]): number[] {
  const standing = uses.filter(isStanding)
  const ofCodes = sum(standing.filter((use) => !isCard(use)).map(({ discount }) => discount))
  return [ofCodes, ofCodes + sum(standing.filter(isCard).map(({ credits, discount }) => discount ?? credits))]
}

/** Whether the shop gave what a redemption would have taken; undefined: its file does not show it. */
function isGiven(use: Use, shop: ShopOrder, uses: readonly Use[], { isSame }: About): boolean | undefined {
  if (shop.codes?.some((code) => isSame(code, use.code))) return true
  if (shop.codes !== null && use.of === 'voucher' && !isCard(use)) return false
  return shop.discount === null ? undefined : !discountsOf(uses).includes(shop.discount)
}

/** The kinds. */
export const kinds: readonly Kind[] = [
  {
    name: 'order-cancelled',
    title: 'the order is cancelled or refunded, and the redemption stands',
    repair: 'roll it back; after three months, give credit or points back',
    find: standsThough('cancelled', 'refunded'),
  },
  {
    name: 'payment-failed',
    title: 'the payment failed, and the redemption stands',
    repair: 'the same',
    find: standsThough('failed'),
  },
  {
    name: 'order-unknown',
    title: 'the redemption names an order that the shop does not have',
    repair: 'the same, once you know that there was no order',
    *find({ number, shop, uses }, about, id) {
      if (shop !== undefined || number === null) return
      for (const use of uses.filter(isStanding)) {
        const says = `the shop has no order ${number}, and ${use.code} stands redeemed: ${takenBy(use)}`
        const reason = `the shop has no order ${number}`
        yield { subject: use.id, says, use, ...atStake(use), ...giveBack(use, reason, id(use.id), about) }
      }
    },
  },
  {
    name: 'without-order',
    title: 'the redemption names no order',
    repair: 'look which order it was for',
    *find({ number, shop, uses }) {
      if (shop !== undefined || number !== null) return
      for (const use of uses.filter(isStanding)) {
        const says = `${use.code} was redeemed without an order number: ${takenBy(use)}`
        yield { subject: use.id, says, use, ...atStake(use), advice: `promo redemptions get ${argumentWords(use.id)}` }
      }
    },
  },
  {
    name: 'redeemed-twice',
    title: 'the same code or promotion was redeemed twice for one order',
    repair: 'roll the later one back',
    *find({ number, uses }, about, id) {
      if (number === null) return
      for (const same of Map.groupBy(uses.filter(isStanding), ({ object }) => object).values())
        for (const use of same.slice(1)) {
          if (requestOf(use) === requestOf(same[0] as Use)) continue
          const says = `${use.code} was redeemed again for the order, ${takenBy(use)}; first as ${same[0]?.id}`
          const reason = `redeemed twice for order ${number}`
          yield { subject: use.id, says, use, ...atStake(use), ...takeOut(use, reason, id(use.id), about) }
        }
    },
  },
  {
    name: 'code-not-in-order',
    title: 'a code was redeemed for the order, and the shop’s order does not have it',
    repair: 'roll it back',
    *find({ shop, uses }, about, id) {
      if (!isPaid(shop) || shop.codes === null) return
      const has = (code: string) => shop.codes?.some((other) => about.isSame(other, code))
      for (const use of uses.filter((one) => isStanding(one) && one.of === 'voucher' && !isCard(one))) {
        if (has(use.code)) continue
        const says = `${use.code} stands redeemed, ${takenBy(use)}, and the order has ${shop.codes.join(', ') || 'no code'}`
        const reason = `order ${shop.number} does not have the code`
        yield { subject: use.id, says, use, ...atStake(use), ...takeOut(use, reason, id(use.id), about) }
      }
    },
  },
  {
    name: 'not-redeemed',
    title: 'the shop gave a discount, and nothing was redeemed for the order',
    repair: 'redeem the code for the order, where the file has its amount',
    isAbsence: true,
    *find({ shop, uses, ours }, about) {
      if (!isPaid(shop)) return
      for (const [code, type] of ours) {
        if (uses.some((use) => about.isSame(use.code, code))) continue
        const says = `the order has ${code}, and it was not redeemed for it`
        // How much a card pays, no file of orders says.
        const repair =
          type === 'DISCOUNT_VOUCHER' ? redeem(code, shop) : { advice: 'redeem what the card paid for the order' }
        yield { subject: `${shop.number}/${code}`, says, code, money: shop.discount, ...repair }
      }
      // Codes that the project does not have are discounts of the shop alone.
      if ((shop.codes ?? []).length > 0 || uses.length > 0 || (shop.discount ?? 0) <= 0) return
      const says = `the shop gave ${shop.discount} off, and nothing was redeemed for the order`
      yield { subject: shop.number, says, money: shop.discount, advice: 'look for the reason in the shop' }
    },
  },
  {
    name: 'rolled-back-though-paid',
    title: 'the redemption was rolled back, and the order is paid',
    repair: 'take the credit or the points off again, or redeem the code',
    isAbsence: true,
    *find({ shop, uses }, about, id) {
      if (!isPaid(shop)) return
      const standing = new Set(uses.filter(isStanding).map(({ object }) => object))
      const undone = uses.filter((use) => !isStanding(use) && !standing.has(use.object))
      for (const same of Map.groupBy(undone, ({ object }) => object).values()) {
        const use = same.at(-1) as Use
        if (isGiven(use, shop, uses, about) === false) continue
        const says = `${inWords[shop.state]}, and ${use.code} was rolled back on ${day(use.rolledBackAt ?? '')}: ${takenBy(use)}`
        const row = { code: use.code, reason: reasonOf(shop), source_id: id(use.id) }
        const repair: Repair =
          use.credits !== null
            ? { remedy: { name: 'balance-remove', row: { ...row, amount: String(use.credits) } } }
            : use.points !== null
              ? { remedy: { name: 'points-remove', row: { ...row, points: String(use.points) } } }
              : use.of === 'voucher'
                ? redeem(use.code, shop)
                : { advice: 'look whether the order had the promotion' }
        yield { subject: use.id, says, use, ...atStake(use), ...repair }
      }
    },
  },
  {
    name: 'partly-refunded',
    title: 'a part of the order is refunded, and a card paid for it',
    repair: 'give back the card’s part; where the card paid all, that is what was refunded',
    *find({ shop, uses, order }, _about, id) {
      if (shop?.state !== 'partly-refunded') return
      for (const use of uses.filter((one) => isStanding(one) && (one.credits ?? one.points ?? 0) > 0)) {
        const { credits, code } = use
        const { refunded } = shop
        const says = `${refunded ?? 'a part'} of the order is refunded, and ${code} paid ${takenBy(use)}`
        const paidAll = credits !== null && order?.total === 0 && uses.filter(isStanding).length === 1
        const row = { code, reason: reasonOf(shop), source_id: id(use.id) }
        const found = { subject: use.id, says, use }
        if (refunded !== null && paidAll && refunded <= credits)
          yield {
            ...found,
            money: refunded,
            remedy: { name: 'balance-add', row: { ...row, amount: String(refunded) } },
          }
        else
          yield {
            ...found,
            ...atStake(use),
            undecided: `how much of it goes back to ${code} is not in the data`,
            advice: `${credits === null ? 'promo loyalty points add --points' : 'promo vouchers balance add --amount'} N --source-id ${shellWord(row.source_id)} ${argumentWords(code)}`,
          }
      }
    },
  },
  {
    name: 'points-kept',
    title: 'the order is cancelled or refunded, and the points that it earned stay',
    repair: 'take the points off',
    *find({ shop, earned }, _about, id) {
      const isWhole = ['cancelled', 'refunded', 'failed'].includes(shop?.state ?? '')
      if (shop === undefined || !(isWhole || shop.state === 'partly-refunded')) return
      for (const one of earned) {
        const { card, points } = one
        const says = `${inWords[shop.state]}, and ${card ?? 'a card'} keeps the ${points} points that it earned`
        const row = { reason: reasonOf(shop), source_id: id(one.id), points: String(points) }
        const found = { subject: one.id, says, earned: one, points }
        if (card === null) yield { ...found, advice: 'the copy does not have the card' }
        else if (isWhole) yield { ...found, remedy: { name: 'points-remove', row: { ...row, code: card } } }
        else
          yield {
            ...found,
            undecided: `how many of the ${points} points go is not in the data`,
            advice: `promo loyalty points remove --points N --source-id ${shellWord(row.source_id)} ${argumentWords(card)}`,
          }
      }
    },
  },
  {
    name: 'used-over-limit',
    title: 'the code was used more often than its limit allows',
    repair: 'look whether the limit is meant; roll back, or raise it',
    *find({ uses }, about) {
      for (const use of uses.filter((one) => isStanding(one) && one.isBeyond)) {
        const says = `${use.code} was used over its limit: ${takenBy(use)}`
        const daysLeft = about.daysLeft(use)
        const advice =
          daysLeft < 0 ? 'look whether the limit is meant' : `promo redemptions rollback ${argumentWords(use.id)}`
        yield { subject: use.id, says, use, ...atStake(use), daysLeft, advice }
      }
    },
  },
  {
    name: 'amount-differs',
    title: 'the amount of the order is another in the service',
    repair: 'look which is right: earned points and limits count it',
    isLast: true,
    *find({ shop, uses, order }) {
      if (!isPaid(shop) || order === undefined || !uses.some(isStanding)) return
      const sides = [
        ['amount', shop.amount, order.amount],
        ['amount after discounts', shop.total, order.total],
      ] as const
      for (const [what, ours, theirs] of sides) {
        if (ours === null || theirs === null || ours === theirs) continue
        const says = `the ${what} is ${ours} in the shop and ${theirs} in the service`
        yield { subject: shop.number, says, money: Math.abs(ours - theirs), advice: 'look which of the two is right' }
        return
      }
    },
  },
  {
    name: 'discount-differs',
    title: 'the discount of the order is another in the service',
    repair: 'look which is right',
    isAbsence: true,
    isLast: true,
    *find({ shop, uses }) {
      if (shop?.discount == null || !isPaid(shop) || !uses.some(isStanding)) return
      const theirs = discountsOf(uses)
      if (theirs.includes(shop.discount)) return
      const says = `the discount is ${shop.discount} in the shop and ${[...new Set(theirs)].join(' or ')} in the service`
      const money = Math.min(...theirs.map((one) => Math.abs(one - (shop.discount ?? 0))))
      yield { subject: shop.number, says, money, advice: 'look which of the two is right' }
    },
  },
]
