// The demo shop's loyalty programme: cards whose balance is the sum of their transactions, earning rules and rewards.
import { byText } from '../../../base/list.ts'
import { campaignIds, customers, daysOpen, demoId, openingDay } from './shop.ts'

/** The changes of each card, in points; their sum is the card's balance. The first entry is a present from the shop. */
const histories = [[100, 42, -60], [100, 18], [250], [100, 30, 75, -120, 9], [100], [500, -500]]

const dates = { created_at: openingDay, updated_at: null }

/** What customers can do besides buying. */
export const eventSchemas = [
  {
    id: demoId('ms_', 1),
    name: 'cupping_attended',
    schema: { properties: { cups: { type: 'number', optional: true } } },
    ...dates,
    object: 'custom_event_schema',
  },
  {
    id: demoId('ms_', 2),
    name: 'newsletter_subscribed',
    schema: { properties: {} },
    ...dates,
    object: 'custom_event_schema',
  },
]

/** A point for every euro, and 25 for attending a cupping, which expire at the end of the year after. */
export const earningRules = [
  {
    id: demoId('ern_', 1),
    campaign_id: campaignIds.beanClub,
    event: 'order.paid',
    loyalty: {
      type: 'PROPORTIONAL',
      calculation_type: 'ORDER_TOTAL_AMOUNT',
      order: { total_amount: { every: 100, points: 1 } },
    },
    source: { banner: 'A point for every euro' },
    ...dates,
  },
  {
    id: demoId('ern_', 2),
    campaign_id: campaignIds.beanClub,
    event: 'cupping_attended',
    loyalty: { type: 'FIXED', points: 25 },
    source: { banner: 'Thank you for tasting with us' },
    expiration_rules: { period_type: 'MONTH', period_value: 12, rounding_type: 'END_OF_YEAR' },
    ...dates,
  },
]

/** A point pays five cents, and 300 points buy a mug. */
export const rewards = [
  {
    id: demoId('rew_', 1),
    name: 'Pay with points',
    type: 'COIN',
    parameters: { coin: { exchange_ratio: 0.05, points_ratio: 1 } },
    ...dates,
  },
  { id: demoId('rew_', 2), name: 'Enamel mug', type: 'MATERIAL', parameters: {}, ...dates },
]

/** Both are offered in the Bean Club. */
export const rewardAssignments = rewards.map(({ id, type }, index) => ({
  id: demoId('rewa_', index + 1),
  reward_id: id,
  related_object_id: campaignIds.beanClub,
  ...(type === 'MATERIAL' && { parameters: { loyalty: { points: 300 } } }),
  ...dates,
}))

/** Some of the points that the shop gave away for its first anniversary. */
export const pointsBuckets = [
  {
    id: demoId('lopb_', 1),
    voucher_id: demoId('v_', 0x800 + 4),
    total_points: 40,
    points: 40,
    expires_at: '2027-12-31',
    ...dates,
  },
]

/** Who has more points earns more at a cupping, and from 200 points the mug is cheaper. */
export const loyaltyTiers = [
  { name: 'Taster', points: { from: 0, to: 99 } },
  {
    name: 'Regular',
    points: { from: 100, to: 199 },
    earning_rules: { [demoId('ern_', 2)]: { type: 'MULTIPLY', multiplier: 1.2 } },
  },
  {
    name: 'Connoisseur',
    points: { from: 200 },
    earning_rules: { [demoId('ern_', 2)]: { type: 'MULTIPLY', multiplier: 2 } },
    rewards: { [demoId('rewa_', 2)]: { type: 'CUSTOM', points: 250 } },
  },
].map((tier, index) => ({ id: demoId('ltr_', index + 1), campaign_id: campaignIds.beanClub, ...tier, ...dates }))

/** The tier that a balance is in, as a card keeps it. */
function stayAt(balance: number, since: string) {
  const tier = loyaltyTiers.findLast(({ points }) => points.from <= balance)
  return { tier_id: tier?.id, start_date: since.slice(0, 10), created_at: since }
}

/** Returns the loyalty cards and every change of their points, oldest first. */
export function cardsAndTransactions() {
  const changed: ReturnType<typeof transaction>[] = []
  const cards = histories.map((changes, index) => {
    const id = demoId('v_', 0x800 + index)
    for (const step of changes.keys()) {
      const at = daysOpen(10 + index + 7 * step)
      changed.push(transaction(id, changes.slice(0, step + 1), at))
    }
    const used = -sum(changes.filter((points) => points < 0))
    return {
      id,
      code: `CLUB-${String(index + 1).padStart(3, '0')}`,
      type: 'LOYALTY_CARD',
      loyalty_card: { points: sumGiven(changes), balance: sum(changes) },
      campaign_id: campaignIds.beanClub,
      holder_id: customers[index]?.id,
      publish: { count: 1 },
      redemption: { quantity: null, redeemed_quantity: used > 0 ? 1 : 0, redeemed_points: used },
      tier: stayAt(sum(changes), daysOpen(10 + index + 7 * (changes.length - 1))),
      created_at: daysOpen(10 + index),
    }
  })
  // Ids are ordered by time, and lists by id: the newest change comes first wherever it is said to.
  const transactions = changed
    .toSorted((one, other) => byText(one.created_at, other.created_at))
    .map((each, index) => ({ ...each, id: demoId('vtx_', index + 1) }))
  return { cards, transactions }
}

/** Returns the last of the changes so far, as a transaction without its id. */
function transaction(voucher_id: string, changes: readonly number[], created_at: string) {
  const points = changes.at(-1) ?? 0
  const { details, ...about } = kindOf(points, changes.length === 1)
  return {
    source_id: null,
    voucher_id,
    campaign_id: campaignIds.beanClub,
    ...about,
    details: {
      ...details,
      balance: {
        type: 'loyalty_card',
        // All points ever added, including spent ones.
        total: sumGiven(changes),
        object: 'balance',
        points,
        balance: sum(changes),
        operation_type: about.type === 'POINTS_ADDITION' ? 'MANUAL' : 'AUTOMATIC',
        related_object: { id: voucher_id, type: 'voucher' },
      },
    },
    related_transaction_id: null,
    created_at,
  }
}

function kindOf(points: number, isFirst: boolean) {
  if (points < 0) {
    const [reward] = rewards
    const details = { reward: { id: reward?.id, name: reward?.name } }
    return { type: 'POINTS_REDEMPTION', source: null, reason: 'Paid with points', details }
  }
  if (isFirst) return { type: 'POINTS_ADDITION', source: 'API', reason: 'Welcome to the club', details: {} }
  const [rule] = earningRules
  const details = { earning_rule: { id: rule?.id, source: rule?.source } }
  return { type: 'POINTS_ACCRUAL', source: 'Automation', reason: null, details }
}

function sumGiven(changes: readonly number[]): number {
  return sum(changes.filter((points) => points > 0))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
