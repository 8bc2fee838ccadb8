// The stored state as the rules ask about it. Looks things up when they are asked for, each once per request.
import { createHmac } from 'node:crypto'
import type { Context } from '../../http/route.ts'
import type { Campaign, RuleOwner, Snapshot, StackingRules, ValidationRule } from '../../rules/model.ts'
import { defaultStackingRules } from '../../rules/stacking/defaults.ts'
import { is, isIn } from '../../storage/conditions.ts'
import { campaigns } from '../campaigns/store.ts'
import { categories } from '../categories/store.ts'
import { customers } from '../customers/store.ts'
import { pricedReward } from '../loyalty/rewards.ts'
import type { Project } from '../projects/store.ts'
import { promotionStacks } from '../promotions/stack-store.ts'
import { promotionTiers } from '../promotions/tier-store.ts'
import { isHeldBy } from '../publications/holders.ts'
import { orders } from '../redemptions/order-store.ts'
import { redemptionTotals } from '../redemptions/store.ts'
import { assignments, validationRules } from '../validation-rules/store.ts'
import { vouchers } from '../vouchers/store.ts'
import { catalogueOf } from './catalogue.ts'
import { remembered } from './remembered.ts'
import { sessionLocks } from './session-lock-store.ts'

/** What a snapshot needs of a request's context. */
export type Sight = Pick<Context, 'in' | 'now' | 'project' | 'store'>

/** The most tiers that any answer looks at. Source: docs/service/validations.md#which-promotions. */
const newestTiers = 150

/** Campaign types that are ever qualified for. Source: docs/service/qualifications.md#which-campaigns. */
const qualifyingTypes = ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'REFERRAL_PROGRAM']

/**
 * Lets the rules look at a project as it is stored.
 *
 * Use it within one request and throw it away: it remembers what it saw, also when the request then changes it.
 * `promotionTiers` gives the 150 newest and `campaigns` those of the types that can be qualified for, because nothing
 * looks at more; both read the rules of all they give at once.
 */
export function snapshotOf(context: Sight): Snapshot {
  const { project, store } = context
  const voucher = remembered((codeOrId: string) => context.in(vouchers).find(codeOrId))
  const rules = rulesOf(context)
  return {
    timeZone: project.timezone,
    // ASSUMED A190: weeks begin on Monday; where a project would set that is not documented.
    weekStartsOn: 1,
    stackingRules: stackingRulesOf(project),
    voucher,
    promotionTier: remembered((id: string) => context.in(promotionTiers).get(id)),
    promotionTiers: () => {
      const { items } = context.in(promotionTiers).page([], '-created_at', newestTiers, 1)
      rules.prefetch('promotion_tier', items)
      return items
    },
    promotionStack: remembered((id: string) => context.in(promotionStacks).get(id)),
    campaign: remembered((idOrName: string) => context.in(campaigns).find(idOrName) as Campaign | undefined),
    campaigns: () => {
      const found = context.in(campaigns).all([isIn(campaigns, 'campaign_type', qualifyingTypes)])
      rules.prefetch('campaign', found)
      return found
    },
    ...catalogueOf(context),
    category: remembered((idOrName: string) => context.in(categories).find(idOrName)),
    rulesOf: rules.of,
    customer: (by) => {
      if ('id' in by) return context.in(customers).get(by.id)
      const found = context.in(customers).find(by.source_id)
      // `find` takes an id too, which a source id must not be mistaken for.
      return found?.source_id === by.source_id ? found : undefined
    },
    order: remembered((idOrSourceId: string) => context.in(orders).find(idOrSourceId)),
    reward: remembered((id: string) => pricedReward(id, context)),
    holdsVoucher: (customerId, voucherId) => {
      const held = context.in(vouchers).get(voucherId)
      return held !== undefined && isHeldBy(held, customerId, context)
    },
    isPublished: (voucherId) => (context.in(vouchers).get(voucherId)?.publish.count ?? 0) > 0,
    redemptions: (query) => redemptionTotals(store, project.id, query),
    locks: remembered((voucherId: string) => context.in(sessionLocks).all([is(sessionLocks, 'voucher_id', voucherId)])),
    trackingId: (sourceId) => trackingIdOf(project, sourceId),
  }
}

/** The project's stacking rules over the defaults; members that are none, such as their id, are left out. */
export function stackingRulesOf({ stacking_rules: stored = {} }: Project): StackingRules {
  const known = Object.entries(stored).filter(
    ([name, value]) => Object.hasOwn(defaultStackingRules, name) && value !== null,
  )
  return { ...defaultStackingRules, ...Object.fromEntries(known) }
}

/** Makes the opaque id under which a source id is tracked: the same for a source id, and telling nothing about it. */
export function trackingIdOf({ webhook_secret }: Project, sourceId: string): string {
  return `track_${createHmac('sha256', webhook_secret).update(sourceId).digest('base64').slice(0, 24)}`
}

/** The rules of things, oldest assignment first; those of many things in two queries when they are fetched before. */
function rulesOf(context: Sight) {
  const known = new Map<string, ValidationRule[]>()
  const rules = new Map<string, ValidationRule>()
  const prefetch = (owner: RuleOwner, things: readonly { id: string }[]) => {
    const ids = things.map(({ id }) => id).filter((id) => !known.has(`${owner} ${id}`))
    if (ids.length === 0) return
    const assigned = context.in(assignments).all([isIn(assignments, 'related_object_id', ids)])
    const unseen = assigned.map(({ rule_id }) => rule_id).filter((id) => !rules.has(id))
    if (unseen.length > 0)
      for (const rule of context.in(validationRules).all([isIn(validationRules, 'id', unseen)]))
        rules.set(rule.id, rule)
    for (const id of ids) known.set(`${owner} ${id}`, [])
    for (const { rule_id, related_object_id, related_object_type } of assigned.toSorted(oldestFirst)) {
      const rule = related_object_type === owner ? rules.get(rule_id) : undefined
      if (rule) known.get(`${owner} ${related_object_id}`)?.push(rule)
    }
  }
  return {
    prefetch,
    of: (owner: RuleOwner, id: string): readonly ValidationRule[] => {
      prefetch(owner, [{ id }])
      return known.get(`${owner} ${id}`) ?? []
    },
  }
}

function oldestFirst(a: { created_at: string; id: string }, b: { created_at: string; id: string }): number {
  const [one, other] = [`${a.created_at} ${a.id}`, `${b.created_at} ${b.id}`]
  return one < other ? -1 : one > other ? 1 : 0
}
