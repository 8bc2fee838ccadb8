// Drawn histories of cards in the embedded service, and a calculator of what they lead to, which shares no code with promo.
import fc from 'fast-check'
import type { TestSandbox } from './sandbox.ts'

/** What may happen to a card. `day` counts from the beginning; whatever comes is done in the order of time. */
const act = fc.record({
  day: fc.nat({ max: 200 }),
  minute: fc.nat({ max: 1439 }),
  what: fc.constantFrom(
    'earn',
    'earn',
    'add',
    'add',
    'redeem',
    'redeem',
    'undo',
    'remove',
    'transfer',
    'replace',
    'disable',
  ),
  amount: fc.integer({ min: 1, max: 400 }),
  /** Points that are added expire after so many days. */
  lasts: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined, freq: 2 }),
})

/** One card, and a second one of the same holder that takes what is transferred. */
export const history = fc.record({
  isGift: fc.boolean(),
  initial: fc.constantFrom(0, 50, 120, 1000),
  /** A gift card that is valid for so many days only. */
  validDays: fc.option(fc.integer({ min: 30, max: 150 }), { nil: undefined, freq: 2 }),
  isSold: fc.boolean(),
  acts: fc.array(act, { maxLength: 9 }),
})

export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

/** Its points expire at the very instant at which February begins. */
export const atMidnight: History = {
  isGift: false,
  initial: 0,
  validDays: undefined,
  isSold: false,
  acts: [{ day: 5, minute: 1, what: 'add', amount: 10, lasts: 16 }],
}

/** When histories begin; their cards are created a second after the other before it, because the service lists so many of one instant. */
export const beginning = Date.parse('2026-01-10T09:00:00.000Z')
const dayMs = 86_400_000

/** The first midnight of UTC after a day of the histories has begun. */
const midnightAfter = (day: number) => Math.floor(beginning / dayMs + 1 + day) * dayMs

const createdMsOf = (at: number) => beginning - at * 1000

/** How many points the reward of the tests costs. */
const rewardPoints = 60

export const gifts = { id: 'camp_gifts', name: 'Gift cards' }
export const club = { id: 'camp_club', name: 'Bean, "Club" <1>' }

/** A change that the calculator expects: an instant in Unix time and a signed number. */
interface Change {
  atMs: number
  kind: string
  amount: number
}

/** A card of the calculator: lots of units with their ends, and every change. */
export class ExpectedCard {
  readonly id: string
  readonly campaign: string
  readonly isSold: boolean
  readonly changes: Change[] = []
  lots: { left: number; endMs: number }[] = []
  isOff = false
  /** When its dates end; never, unless it is a gift card that says so. */
  validUntilMs = Number.POSITIVE_INFINITY
  readonly createdMs: number
  lastChangeMs: number

  constructor(id: string, campaign: string, isSold: boolean, createdMs: number) {
    this.createdMs = createdMs
    this.lastChangeMs = createdMs
    this.id = id
    this.campaign = campaign
    this.isSold = isSold
  }

  get balance(): number {
    return this.lots.reduce((sum, { left }) => sum + left, 0)
  }

  gain(kind: string, amount: number, atMs: number, endMs = Number.POSITIVE_INFINITY): void {
    this.lots.push({ left: amount, endMs })
    this.note(kind, amount, atMs)
  }

  /** The units that end first are used first. */
  lose(kind: string, amount: number, atMs: number): void {
    let rest = amount
    for (const lot of this.lots.toSorted((one, other) => one.endMs - other.endMs)) {
      const used = Math.min(lot.left, rest)
      lot.left -= used
      rest -= used
    }
    this.note(kind, -amount, atMs)
  }

  expire(atMs: number): void {
    if (!this.lots.some(({ endMs }) => endMs < atMs)) return
    const over = this.lots.filter(({ endMs }) => endMs < atMs).reduce((sum, { left }) => sum + left, 0)
    this.lots = this.lots.filter(({ endMs }) => endMs >= atMs)
    if (over > 0) this.note('expired', -over, atMs)
  }

  note(kind: string, amount: number, atMs: number): void {
    this.changes.push({ atMs, kind, amount })
    this.lastChangeMs = atMs
  }

  /** What is on it at the end of an instant. */
  at(untilMs: number): number {
    return this.changes.filter(({ atMs }) => atMs <= untilMs).reduce((sum, { amount }) => sum + amount, 0)
  }

  /** When its balance is no longer owed, and why. */
  get end(): { ms: number; why: 'expired' | 'switched_off' } | undefined {
    const offMs = this.isOff ? this.lastChangeMs : Number.POSITIVE_INFINITY
    if (this.validUntilMs === Number.POSITIVE_INFINITY && !this.isOff) return undefined
    return this.validUntilMs <= offMs ? { ms: this.validUntilMs, why: 'expired' } : { ms: offMs, why: 'switched_off' }
  }

  owedAt(untilMs: number): number {
    return this.end !== undefined && this.end.ms <= untilMs ? 0 : this.at(untilMs)
  }
}

/** Everything that a fixture of so many histories holds: a card and a spare one each, of a holder of their own. */
export function fixtureOf(histories: readonly History[]): Record<string, unknown> {
  const created_at = new Date(beginning).toISOString()
  const createdAt = (at: number) => new Date(createdMsOf(at)).toISOString()
  const vouchers = histories.flatMap(({ isGift, initial, validDays, isSold }, at): object[] => {
    const holder_id = `cust_${at}`
    const metadata = { sold: isSold ? 'yes' : 'no' }
    const common = { created_at: createdAt(at), holder_id, metadata, active: true }
    if (isGift) {
      const expiration_date = validDays === undefined ? null : new Date(beginning + validDays * dayMs).toISOString()
      const gift = { amount: initial, balance: initial, effect: 'APPLY_TO_ORDER' }
      const card = { ...common, campaign_id: gifts.id, type: 'GIFT_VOUCHER', gift, expiration_date }
      return [{ ...card, id: `v_${at}`, code: `G${at}`, redemption: { quantity: null } }]
    }
    const card = { ...common, campaign_id: club.id, type: 'LOYALTY_CARD' }
    return [
      { ...card, id: `v_${at}`, code: `L${at}`, loyalty_card: { points: initial } },
      { ...card, id: `v_${at}b`, code: `L${at}b`, loyalty_card: { points: 0 } },
    ]
  })
  const common = { type: 'AUTO_UPDATE', active: true, metadata: {}, created_at }
  return {
    campaigns: [
      { ...common, ...gifts, campaign_type: 'GIFT_VOUCHERS' },
      { ...common, ...club, campaign_type: 'LOYALTY_PROGRAM' },
    ],
    customers: histories.map((_, at) => ({ id: `cust_${at}`, source_id: `c${at}`, created_at: createdAt(at) })),
    vouchers,
  }
}

/** Lets everything happen, in the order of time; returns what the calculator expects of each card. */
export async function play(histories: readonly History[], sandbox: TestSandbox): Promise<ExpectedCard[]> {
  const { post, clock, settled } = sandbox
  clock.now = new Date(beginning).toISOString()
  const rule = { event: 'order.paid', loyalty: { type: 'FIXED', points: 7 }, source: { banner: 'Seven' } }
  must(post(`/v1/loyalties/${club.id}/earning-rules`, [rule]))
  const reward = must(post('/v1/rewards', { name: 'Mug', type: 'MATERIAL', parameters: {} })).id
  must(post(`/v1/loyalties/${club.id}/rewards`, [{ reward, parameters: { loyalty: { points: rewardPoints } } }]))
  const players = histories.map((drawn, at) => playerOf(drawn, at, reward, { sandbox, settle }))
  const timed = histories.flatMap(({ acts }, at) =>
    acts.map((one) => ({ ...one, at, ms: beginning + one.day * dayMs + (one.minute + 1) * 60_000 })),
  )
  let day = 0
  for (const { ms, at, ...one } of timed.toSorted((first, second) => first.ms - second.ms || first.at - second.at)) {
    // Expired points are taken off whenever jobs run, or before what changes the card.
    for (; midnightAfter(day) <= ms; day += 1) await settle(midnightAfter(day))
    clock.now = new Date(ms).toISOString()
    await players[at]?.act(one, ms)
  }
  for (; day < 260; day += 1) await settle(midnightAfter(day))
  return players.flatMap(({ cards }) => cards)

  /** Runs the jobs that are due at an instant. */
  async function settle(atMs: number): Promise<void> {
    clock.now = new Date(atMs).toISOString()
    await settled()
    for (const { cards } of players) for (const card of cards) card.expire(atMs)
  }
}

type Act = Omit<History['acts'][number], never>

interface World {
  sandbox: TestSandbox
  settle: (atMs: number) => Promise<void>
}

function playerOf(drawn: History, at: number, reward: string, { sandbox: { post }, settle }: World) {
  const { isGift, initial, validDays, isSold } = drawn
  const campaign = isGift ? gifts.id : club.id
  const createdMs = createdMsOf(at)
  const cards = [new ExpectedCard(`v_${at}`, campaign, isSold, createdMs)]
  if (!isGift) cards.push(new ExpectedCard(`v_${at}b`, campaign, isSold, createdMs))
  const [card, spare = card] = cards as [ExpectedCard, ExpectedCard?]
  if (initial > 0) card.gain('issued', initial, createdMs)
  if (validDays !== undefined && isGift) card.validUntilMs = beginning + validDays * dayMs
  const code = `${isGift ? 'G' : 'L'}${at}`
  const spent: { id: string; amount: number }[] = []
  const did = ({ status }: { status: number }) => status === 200

  const balanceOf = (change: number, more: object = {}) =>
    isGift
      ? post(`/v1/vouchers/${code}/balance`, { amount: change, ...more })
      : post(`/v1/loyalties/members/${code}/balance`, { points: change, ...more })
  const transfer = (points: number, ms: number) => {
    if (!did(post(`/v1/loyalties/${club.id}/members/${code}b/transfers`, [{ code, points, source_id: 'x' }]))) return
    card.lose('transferred', points, ms)
    spare.gain('transferred', points, ms)
  }
  const disable = (ms: number) => {
    if (card.isOff) return
    must(post(`/v1/vouchers/${code}/disable`))
    card.isOff = true
    card.lastChangeMs = ms
  }
  const redeem = (amount: number, ms: number) => {
    const answer = isGift
      ? post('/v1/redemptions', { redeemables: [{ object: 'voucher', id: code }], order: { amount } })
      : post(`/v1/loyalties/${club.id}/members/${code}/redemption`, { reward: { id: reward } })
    if (!did(answer)) return
    const used = isGift ? Math.min(card.balance, amount) : rewardPoints
    if (used === 0) return
    card.lose('redeemed', used, ms)
    spent.push({ id: (answer.body.redemptions?.[0] ?? answer.body).id, amount: used })
  }

  return {
    cards,
    async act({ what, amount, lasts }: Act, ms: number): Promise<void> {
      // What changes a card takes off first what expired on it; a refusal takes off nothing.
      const before = card.lots.map((lot) => ({ ...lot }))
      const changesBefore = card.changes.length
      const lastBefore = card.lastChangeMs
      if (what !== 'earn' && what !== 'disable') card.expire(ms)
      const noted = card.changes.length
      if (what === 'earn' && !isGift) {
        const isUsable = !card.isOff
        must(post('/v1/orders', { status: 'PAID', amount, customer: { source_id: `c${at}` } }))
        await settle(ms)
        if (isUsable) card.gain('earned', 7, ms)
        spare.gain('earned', 7, ms)
      } else if (what === 'add') {
        const endMs = ms + (lasts ?? 0) * dayMs
        const ends = !isGift && lasts !== undefined
        const more = ends ? { expiration_type: 'CUSTOM_DATE', expiration_date: new Date(endMs).toISOString() } : {}
        if (did(balanceOf(amount, more))) card.gain('added', amount, ms, ends ? endMs : undefined)
      } else if (what === 'remove') {
        if (did(balanceOf(-amount))) card.lose('removed', amount, ms)
      } else if (what === 'redeem') redeem(amount, ms)
      else if (what === 'undo') {
        const last = spent.at(-1)
        if (last !== undefined && did(post(`/v1/redemptions/${last.id}/rollback`))) {
          spent.pop()
          card.gain('rolled_back', last.amount, ms)
        }
      } else if (what === 'transfer' && !isGift) transfer(amount, ms)
      else if (what === 'replace' && !isGift) {
        if (card.balance > 0) transfer(card.balance, ms)
        disable(ms)
      } else if (what === 'disable') disable(ms)
      if (card.changes.length > noted || noted === changesBefore) return
      card.lots = before
      card.changes.length = changesBefore
      if (!card.isOff) card.lastChangeMs = lastBefore
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any body, and asserts what it expects.
function must({ status, body }: { status: number; body: any }): any {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
