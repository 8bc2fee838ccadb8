// The demo project: Northlight, a coffee roaster with a web shop. It mailed a thousand spring codes, and the list leaked.
// It also sells gift cards and has a loyalty programme, the Bean Club; friends bring friends with referral codes, and the
// terrace season has discounts without a code.
import type { Fixture } from '../fixture.ts'
import {
  cardsAndTransactions,
  earningRules,
  eventSchemas,
  loyaltyTiers,
  pointsBuckets,
  rewardAssignments,
  rewards,
} from './bean-club.ts'
import { productCollections, products, skus } from './catalogue.ts'
import { promotionAssignments, stacks, tiers } from './promotions.ts'
import { publicationsOf, templates } from './publications.ts'
import { redemptionsOf } from './redemptions.ts'
import { campaigns, categories, customers, daysOpen, demoId, rules } from './shop.ts'
import { otherVouchers, springVouchers } from './vouchers.ts'

/** Returns the demo project as a fixture, identical on every computer, in the form that `sandbox seed --from` takes. */
export function demoFixture(): Fixture {
  const { cards, transactions } = cardsAndTransactions()
  const { vouchers, assignments } = otherVouchers()
  const { publications, holders } = publicationsOf([...vouchers, ...cards])
  return {
    categories,
    products,
    skus,
    product_collections: productCollections,
    campaigns,
    validation_rules: rules,
    validation_rules_assignments: [...assignments, ...promotionAssignments],
    promotion_tiers: tiers,
    promotion_stacks: stacks,
    customers,
    vouchers: [...springVouchers(), ...vouchers, ...cards],
    loyalty_transactions: transactions,
    event_schemas: eventSchemas,
    earning_rules: earningRules,
    rewards,
    reward_assignments: rewardAssignments,
    loyalty_tiers: loyaltyTiers,
    points_buckets: pointsBuckets,
    ...redemptionsOf([...vouchers, ...cards], transactions),
    publications,
    redeemable_holders: holders,
    templates,
    webhooks,
  }
}

/** One webhook. It is disabled, so nothing is sent to a computer without a listener. */
const webhooks = [
  {
    id: demoId('wh_', 1),
    target_url: 'http://127.0.0.1:8090/',
    events: ['voucher.disabled', 'voucher.enabled'],
    active: false,
    created_at: daysOpen(20),
    object: 'webhook',
  },
]
