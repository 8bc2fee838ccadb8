// Orders of a shop and what the service has of them: for each kind of difference an order that has it, and near misses that do
// not. Everything is made of numbers, so that a hundred thousand orders are the same in every run.
import { dayMs } from '../../src/base/duration.ts'
import { kinds } from '../../src/ledger/reconcile/kinds.ts'

type Wire = Record<string, unknown>

/** The clock of the tests: orders are of the five months before. */
export const now = Date.parse('2026-06-01T12:00:00.000Z')
const firstMs = Date.parse('2026-01-01T00:00:00.000Z')
/** No order is in the first and the last hour, so that a redemption without one is between orders. */
const spanMs = now - firstMs - 24 * 3_600_000

/** What the shop's file says of an order; amounts in euros. */
interface ShopRow {
  status: string
  amount?: string
  discount?: string
  refunded?: string
  codes?: string
}

/** One case: what each side has, and the ids of the differences that are to be found. */
interface Planted {
  shop?: ShopRow
  wires: Fixture
  finds: string[]
}

type Fixture = Record<'vouchers' | 'orders' | 'redemptions' | 'loyalty_transactions' | 'gift_transactions', Wire[]>

type Plant = (at: Place) => Planted

/** The place of a case: its number among all, and its time. */
interface Place {
  n: number
  number: string
  at: string
}

const euros = (cents: number) => (cents / 100).toFixed(2)
const club = 'camp_club'
const holder = 'cust_holder'

/** Builds the wire objects of one case. */
function builder({ n, number, at }: Place) {
  const wires: Fixture = { vouchers: [], orders: [], redemptions: [], loyalty_transactions: [], gift_transactions: [] }
  let made = 0
  // In the order of time, as the service makes them.
  const id = (prefix: string) => `${prefix}0${String(n).padStart(8, '0')}x${made++}`
  const later = (ms: number) => new Date(Date.parse(at) + ms).toISOString()
  const voucher = (type: string, more: Wire = {}) => {
    const code = id(type === 'DISCOUNT_VOUCHER' ? 'CODE-' : type === 'GIFT_VOUCHER' ? 'GIFT-' : 'CLUB-')
    const forms: Record<string, Wire> = {
      DISCOUNT_VOUCHER: { discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' } },
      GIFT_VOUCHER: {
        gift: { amount: 10_000, balance: 9000 },
        redemption: { redeemed_quantity: 1, redeemed_amount: 1000 },
      },
      LOYALTY_CARD: {
        campaign_id: club,
        holder_id: holder,
        loyalty_card: { points: 500, balance: 440 },
        redemption: { redeemed_quantity: 1, redeemed_points: 60 },
      },
    }
    const wire: Wire = { id: id('v_'), code, type, created_at: later(-86_400_000), ...forms[type], ...more }
    wires.vouchers.push(wire)
    return wire as { id: string; code: string; type: string }
  }
  const order = (more: Wire = {}) => {
    const wire: Wire = {
      id: id('ord_'),
      source_id: number,
      status: 'PAID',
      amount: 5000,
      total_amount: 4500,
      created_at: at,
      ...more,
    }
    wires.orders.push(wire)
    return wire
  }
  const redemption = (about: { id: string; type?: string }, of: Wire | null, more: Wire = {}) => {
    const taken: Record<string, Wire> = {
      GIFT_VOUCHER: { amount: 1000, gift: { amount: 1000 } },
      LOYALTY_CARD: { amount: 60, loyalty_card: { points: 60 } },
    }
    const wire: Wire = {
      id: id('r_'),
      related_object_type: 'voucher',
      related_object_id: about.id,
      created_at: later(1000 * made),
      order: of && { ...of, applied_discount_amount: 500, total_applied_discount_amount: 500 },
      ...taken[about.type ?? ''],
      ...more,
    }
    wires.redemptions.push(wire)
    return wire as { id: string }
  }
  const rollback = (of: { id: string }) => {
    const redeemed = of as Wire
    redeemed.status = 'ROLLED_BACK'
    const { related_object_id, related_object_type, order: left } = redeemed
    wires.redemptions.push({
      id: id('rr_'),
      object: 'redemption_rollback',
      redemption: of.id,
      created_at: later(60_000),
      related_object_id,
      related_object_type,
      order: left,
    })
  }
  /** Several that were made by one request. */
  const together = (all: readonly Wire[], of: Wire) => {
    const parent = redemption({ id: id('r_') }, of, { related_object_type: 'redemption' })
    const children = all.map((one) => redemption(one as { id: string }, of, { redemption: parent.id }))
    Object.assign(parent, {
      related_object_id: parent.id,
      related_redemptions: { redemptions: children.map((child) => ({ id: child.id, date: at })) },
    })
    return children
  }
  const transaction = (card: { id: string }, type: string, points: number, more: Wire = {}) => {
    const { details = {}, ...rest } = more
    const wire = {
      id: id('vtx_'),
      voucher_id: card.id,
      campaign_id: club,
      type,
      created_at: later(5000),
      details: {
        balance: { type: 'loyalty_card', object: 'balance', points, balance: 500, total: 500 },
        ...(details as Wire),
      },
      ...rest,
    }
    wires.loyalty_transactions.push(wire)
    return wire
  }
  const planted = (shop: ShopRow | undefined, ...finds: string[]): Planted => ({ ...(shop && { shop }), wires, finds })
  const code = (more?: Wire) => voucher('DISCOUNT_VOUCHER', more)
  return { voucher, code, order, redemption, rollback, together, transaction, planted, id }
}

const paid: ShopRow = { status: 'paid', amount: euros(5000), discount: euros(500) }
const cancelledWords = ['cancelled', 'Refunded', 'voided']

/** An order that is as it should be. */
const plain: Plant = (at) => {
  const { code, order, redemption, planted } = builder(at)
  const one = code()
  redemption(one, order())
  return planted({ ...paid, codes: one.code })
}

/** Each kind of difference: what has it, and what nearly has. */
export const plants: Readonly<Record<string, { found: readonly Plant[]; near: readonly Plant[] }>> = {
  'order-cancelled': {
    found: [
      ...['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD'].map(
        (type, which): Plant =>
          (at) => {
            const { voucher, order, redemption, planted } = builder(at)
            const { id } = redemption(voucher(type), order())
            return planted({ ...paid, status: cancelledWords[which] ?? '' }, id)
          },
      ),
      (at) => {
        const { code, order, together, planted } = builder(at)
        const children = together([code(), code()], order())
        return planted({ ...paid, status: 'cancelled' }, ...children.map(({ id }) => id))
      },
    ],
    near: [
      (at) => {
        const { code, order, redemption, rollback, planted } = builder(at)
        rollback(redemption(code(), order()))
        return planted({ ...paid, status: 'cancelled' })
      },
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        redemption(code(), order())
        return planted({ ...paid, status: 'pending' })
      },
    ],
  },
  'payment-failed': {
    found: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        return planted({ ...paid, status: 'payment_failed' }, redemption(code(), order()).id)
      },
    ],
    near: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        redemption(code(), order(), { result: 'FAILURE' })
        return planted({ ...paid, status: 'failed' })
      },
    ],
  },
  'order-unknown': {
    found: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        return planted(undefined, redemption(code(), order()).id)
      },
    ],
    near: [
      (at) => {
        const { code, order, redemption, rollback, planted } = builder(at)
        rollback(redemption(code(), order()))
        return planted(undefined)
      },
      // Newer than every order of the file.
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        redemption(code(), order(), { created_at: new Date(now - 60_000).toISOString() })
        return planted(undefined)
      },
    ],
  },
  'without-order': {
    found: [
      (at) => {
        const { code, redemption, planted } = builder(at)
        return planted(undefined, redemption(code(), null).id)
      },
    ],
    near: [
      (at) => {
        const { code, redemption, rollback, planted } = builder(at)
        rollback(redemption(code(), null))
        return planted(undefined)
      },
    ],
  },
  'redeemed-twice': {
    found: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        const [one, both] = [code(), order()]
        redemption(one, both)
        return planted({ ...paid, codes: one.code }, redemption(one, both).id)
      },
    ],
    near: [
      (at) => {
        const { code, order, redemption, rollback, planted } = builder(at)
        const [one, both] = [code(), order()]
        rollback(redemption(one, both))
        redemption(one, both)
        return planted({ ...paid, codes: one.code })
      },
      // Two codes that were redeemed together.
      (at) => {
        const { code, order, together, planted } = builder(at)
        const both = [code(), code()]
        together(both, order())
        return planted({ ...paid, discount: euros(1000), codes: both.map((one) => one.code).join(', ') })
      },
    ],
  },
  'code-not-in-order': {
    found: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        const [both, one, other] = [order(), code(), code()]
        redemption(one, both)
        return planted({ ...paid, codes: one.code }, redemption(other, both).id)
      },
    ],
    near: [
      // Cards are payments, which are not among the codes.
      (at) => {
        const { code, voucher, order, redemption, planted } = builder(at)
        const [both, one] = [order(), code()]
        redemption(one, both)
        redemption(voucher('GIFT_VOUCHER'), both)
        return planted({ ...paid, codes: one.code })
      },
    ],
  },
  'not-redeemed': {
    found: [
      (at) => {
        const { code, planted } = builder(at)
        const one = code()
        return planted({ ...paid, codes: one.code }, `${at.number}/${one.code}`)
      },
      (at) => builder(at).planted({ ...paid }, at.number),
    ],
    near: [
      (at) => builder(at).planted({ ...paid, codes: 'OWN-CODE-OF-THE-SHOP' }),
      (at) => {
        const { code, planted } = builder(at)
        return planted({ ...paid, status: 'pending', codes: code().code })
      },
    ],
  },
  'rolled-back-though-paid': {
    found: ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD'].map(
      (type): Plant =>
        (at) => {
          const { voucher, order, redemption, rollback, planted } = builder(at)
          const one = voucher(type)
          const redeemed = redemption(one, order())
          rollback(redeemed)
          return planted({ ...paid, codes: one.code }, redeemed.id)
        },
    ),
    near: [
      // The customer took the code out before paying.
      (at) => {
        const { code, order, redemption, rollback, planted } = builder(at)
        rollback(redemption(code(), order()))
        return planted({ ...paid, discount: euros(0) })
      },
    ],
  },
  'partly-refunded': {
    found: [
      (at) => {
        const { voucher, order, redemption, planted } = builder(at)
        const { id } = redemption(voucher('GIFT_VOUCHER'), order({ total_amount: 0 }))
        return planted({ ...paid, status: 'partially_refunded', refunded: euros(700) }, id)
      },
      (at) => {
        const { voucher, order, redemption, planted } = builder(at)
        const { id } = redemption(voucher('LOYALTY_CARD'), order())
        return planted({ ...paid, status: 'Partially refunded', refunded: euros(700) }, id)
      },
    ],
    near: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        const one = code()
        redemption(one, order())
        return planted({ ...paid, status: 'partly refunded', codes: one.code, refunded: euros(700) })
      },
    ],
  },
  'points-kept': {
    found: [
      (at) => {
        const { voucher, order, transaction, planted } = builder(at)
        const { id, source_id } = order()
        const earned = transaction(voucher('LOYALTY_CARD'), 'POINTS_ACCRUAL', 45, {
          details: { order: { id, source_id } },
        })
        return planted({ ...paid, discount: euros(0), status: 'refunded' }, earned.id)
      },
    ],
    near: [
      (at) => {
        const { voucher, order, transaction, planted } = builder(at)
        const { id, source_id } = order()
        transaction(voucher('LOYALTY_CARD'), 'POINTS_ACCRUAL', 45, { details: { order: { id, source_id } } })
        return planted({ ...paid, discount: euros(0) })
      },
      // Taken off again, as the file of a fix does it.
      (at) => {
        const { voucher, order, transaction, planted } = builder(at)
        const [card, { id, source_id }] = [voucher('LOYALTY_CARD'), order()]
        const earned = transaction(card, 'POINTS_ACCRUAL', 45, { details: { order: { id, source_id } } })
        transaction(card, 'POINTS_REMOVAL', -45, { source_id: `points-kept/${earned.id}` })
        return planted({ ...paid, discount: euros(0), status: 'refunded' })
      },
    ],
  },
  'used-over-limit': {
    found: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        const one = code({ redemption: { quantity: 1, redeemed_quantity: 2 } })
        redemption(one, order({ source_id: `${at.number}-first` }), { created_at: '2025-12-24T00:00:00.000Z' })
        return planted({ ...paid, codes: one.code }, redemption(one, order()).id)
      },
    ],
    near: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        const one = code({ redemption: { quantity: 1, redeemed_quantity: 1 } })
        redemption(one, order())
        return planted({ ...paid, codes: one.code })
      },
    ],
  },
  'amount-differs': {
    found: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        const one = code()
        redemption(one, order({ amount: 5001 }))
        return planted({ ...paid, codes: one.code }, at.number)
      },
    ],
    near: [plain],
  },
  'discount-differs': {
    found: [
      (at) => {
        const { code, order, redemption, planted } = builder(at)
        const one = code()
        redemption(one, order())
        return planted({ ...paid, discount: euros(501), codes: one.code }, at.number)
      },
    ],
    near: [
      // The shop counts what a card pays as a discount.
      (at) => {
        const { code, voucher, order, redemption, planted } = builder(at)
        const [both, one] = [order(), code()]
        redemption(one, both)
        redemption(voucher('GIFT_VOUCHER'), both)
        return planted({ ...paid, discount: euros(1000), codes: one.code })
      },
    ],
  },
}

/** A project, the orders of its shop, and what is to be found: as `kind/subject`, in no order. */
export interface PlantedProject {
  fixture: Record<string, unknown>
  csv: string
  orders: number
  finds: string[]
}

interface Special {
  name: string
  plant: Plant
}

/** Makes a project of so many cases, of which one in `every` is of a kind or a near miss, in turns, and the others are as they should be. */
export function plantedProject(count: number, every = 10): PlantedProject {
  const special = kinds.flatMap(({ name }): Special[] => {
    const { found = [], near = [] } = plants[name] ?? {}
    return [...found, ...near].map((plant) => ({ name, plant }))
  })
  // The first and the last say from when to when the file has orders.
  const isEnd = (n: number) => n === 0 || n === count - 1
  return projectOf(count, (n) => (n % every === 0 && !isEnd(n) ? special[(n / every) % special.length] : undefined))
}

/** Makes a project of orders of the last sixty days whose payment failed and whose redemption stands. */
export function failedProject(count: number, nowMs: number): Omit<PlantedProject, 'finds'> {
  const [plant = plain] = plants['payment-failed']?.found ?? []
  return projectOf(count, () => ({ name: 'payment-failed', plant }), [nowMs - 60 * dayMs, 59 * dayMs])
}

function projectOf(
  count: number,
  specialAt: (n: number) => Special | undefined,
  [fromMs, forMs] = [firstMs, spanMs],
): PlantedProject {
  const fixture: Record<string, Wire[]> = {
    customers: [{ id: holder, source_id: 'holder' }],
    campaigns: [
      {
        id: club,
        name: 'Club',
        campaign_type: 'LOYALTY_PROGRAM',
        voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
      },
    ],
  }
  const lines = ['Order ID,Financial Status,amount,Discount Amount,Refunded Amount,Discount Code,Created at']
  const finds: string[] = []
  for (let n = 0; n < count; n += 1) {
    const at = new Date(fromMs + Math.floor((forMs * n) / count)).toISOString()
    const number = `S-${n}`
    const { name, plant } = specialAt(n) ?? { name: '', plant: plain }
    const { wires, shop, finds: found } = plant({ n, number, at })
    for (const [collection, some] of Object.entries(wires)) {
      const all = fixture[collection] ?? []
      all.push(...some)
      fixture[collection] = all
    }
    finds.push(...found.map((subject) => `${name}/${subject}`))
    if (shop === undefined) continue
    const { status, amount = '', discount = '', refunded = '', codes = '' } = shop
    lines.push([number, status, amount, discount, refunded, codes.includes(',') ? `"${codes}"` : codes, at].join(','))
  }
  return { fixture, csv: `${lines.join('\n')}\n`, orders: lines.length - 1, finds }
}
