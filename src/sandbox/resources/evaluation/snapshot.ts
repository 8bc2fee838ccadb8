// The stored state as the rules see it. Looks things up on demand, each once per request.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { memoize } from '../../../base/memoized.ts'
import { offeredReward } from '../../answers/loyalty.ts'
import type { Context } from '../../http/route.ts'
import type { RuleOwner, ValidationRule } from '../../rules/conditions/rule.ts'
import type { SessionLock } from '../../rules/eligibility/session.ts'
import { qualifyingTypes } from '../../rules/qualification/campaigns.ts'
import type { Snapshot } from '../../rules/snapshot.ts'
import { defaultStackingRules, type StackingRules } from '../../rules/stacking/stacking-rules.ts'
import { is, isIn } from '../../storage/conditions.ts'
import type { Store } from '../../storage/store.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { categories } from '../../stores/categories.ts'
import { customers } from '../../stores/customers.ts'
import { lineIdPrefix, orders } from '../../stores/orders.ts'
import { products, skus } from '../../stores/products.ts'
import type { Project } from '../../stores/projects.ts'
import { promotionStacks, promotionTiers } from '../../stores/promotions.ts'
import { isHeldBy } from '../../stores/publications.ts'
import { redemptionTotals } from '../../stores/redemptions.ts'
import { sessionLocks } from '../../stores/session-locks.ts'
import { assignments, validationRules } from '../../stores/validation-rules.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { isInSegment } from '../customers/segments.ts'
import { isInCollection } from '../product-collections/members.ts'

/** What a snapshot needs from a request's context. */
export type SnapshotContext = Pick<Context, 'in' | 'now' | 'project' | 'store'> & Partial<Pick<Context, 'caller'>>

/** The maximum number of tiers an answer considers. Source: docs/service/validations.md#which-promotions. */
const newestTiers = 150

/**
 * Lets the rules read a project as it is stored.
 *
 * Use it within one request and discard it: it caches what it read, even when the request then changes it.
 * `promotionTiers` returns the 150 newest and `campaigns` those of the types that can be qualified for, because nothing
 * considers more; both load the rules of all they return at once.
 */
export function snapshotOf(context: SnapshotContext): Snapshot {
  const { project, store } = context
  const read = new Map<string, StoredVoucher>()
  const byCode = new Map<string, StoredVoucher>()
  const voucher = memoize((codeOrId: string) => {
    const known = codeOrId.startsWith(vouchers.prefix) ? undefined : byCode.get(codeOrId)
    const found = known ?? context.in(vouchers).find(codeOrId)
    if (found) read.set(found.id, found)
    return found
  })
  const voucherWithId = (id: string) => read.get(id) ?? context.in(vouchers).get(id)
  const tiersHeld = memoize((customerId: string) => {
    const held = context.in(vouchers).all([is(vouchers, 'holder_id', customerId)])
    return new Set(held.flatMap(({ tier }) => tier?.tier_id ?? []))
  })
  const rules = rulesOf(context)
  const locks = locksOf(context)
  return {
    timeZone: project.timezone,
    apiKey: context.caller?.channel === 'CLIENT_API' ? project.client_app_id : project.app_id,
    // ASSUMED A190: weeks begin on Monday; the project setting for this is not documented.
    weekStartsOn: 1,
    stackingRules: stackingRulesOf(project),
    voucher,
    promotionTier: memoize((id: string) => context.in(promotionTiers).get(id)),
    promotionTiers: () => {
      const { items } = context.in(promotionTiers).page([], '-created_at', newestTiers, 1)
      rules.prefetch('promotion_tier', items)
      return items
    },
    promotionStack: memoize((id: string) => context.in(promotionStacks).get(id)),
    campaign: memoize((idOrName: string) => context.in(campaigns).find(idOrName)),
    campaigns: () => {
      const found = context.in(campaigns).all([isIn(campaigns, 'campaign_type', qualifyingTypes)])
      rules.prefetch('campaign', found)
      return found
    },
    ...catalogueOf(context),
    category: memoize((idOrName: string) => context.in(categories).find(idOrName)),
    rulesOf: rules.of,
    prefetchVouchers: (codes) => {
      if (codes.length < 2) return
      for (const found of context.in(vouchers).findAll(codes)) byCode.set(found.code, found)
    },
    prefetch: (owner, things) => {
      rules.prefetch(owner, things)
      if (owner === 'voucher') locks.prefetch(things)
    },
    customer: (by) => ('id' in by ? context.in(customers).get(by.id) : context.in(customers).findByKey(by.source_id)),
    order: memoize((idOrSourceId: string) => context.in(orders).find(idOrSourceId)),
    reward: (id, card) => offeredReward(id, card, context),
    isInTier: (tierId, { id }) => id !== undefined && tiersHeld(id).has(tierId),
    holdsVoucher: (customerId, voucherId) => {
      const held = voucherWithId(voucherId)
      return held !== undefined && isHeldBy(held, customerId, context)
    },
    isPublished: (voucherId) => (voucherWithId(voucherId)?.publish.count ?? 0) > 0,
    redemptions: (query) => redemptionTotals(store, project.id, query),
    locks: locks.of,
    trackingId: (sourceId) => trackingIdOf(context, sourceId),
  }
}

/** The same for a call that shows or stores new lines of an order, which then get ids. */
export function snapshotWithLineIds(context: Context): Snapshot {
  return { ...snapshotOf(context), lineId: () => context.id(lineIdPrefix) }
}

/** The project's stacking rules over the defaults, without unrelated members such as their id. */
export function stackingRulesOf({ stacking_rules: stored = {} }: Project): StackingRules {
  const known = Object.entries(stored).filter(
    ([name, value]) => Object.hasOwn(defaultStackingRules, name) && value !== null,
  )
  return { ...defaultStackingRules, ...Object.fromEntries(known) }
}

/** Returns the opaque id under which a source id is tracked: stable per source id, and revealing nothing about it. */
export function trackingIdOf(context: Pick<Context, 'project' | 'store'>, sourceId: string): string {
  // A shop asks for the same customers again and again; with the project and its secret, what is kept is dropped as well.
  return context.store.db.cached(`tracking id ${context.project.id} ${sourceId}`, () => {
    const digest = createHmac('sha256', keyOf(context)).update(sourceId).digest()
    return `track_${digest.subarray(0, 16).toString('base64')}`
  })
}

// Node wraps a key given as text at every use. There are as many as projects, and they go with their store.
const keysOf = new WeakMap<Store, (secret: string) => KeyObject>()

function keyOf({ project, store }: Pick<Context, 'project' | 'store'>): KeyObject {
  const known = keysOf.get(store) ?? memoize((secret: string) => createSecretKey(secret, 'utf8'))
  keysOf.set(store, known)
  return known(project.webhook_secret)
}

/** The locks on vouchers; those on many vouchers take one query when prefetched. */
function locksOf(context: SnapshotContext) {
  const known = new Map<string, SessionLock[]>()
  const prefetch = (things: readonly { id: string }[]) => {
    const ids = things.map(({ id }) => id).filter((id) => !known.has(id))
    if (ids.length === 0) return
    for (const id of ids) known.set(id, [])
    for (const lock of context.in(sessionLocks).all([isIn(sessionLocks, 'voucher_id', ids)]))
      known.get(lock.voucher_id)?.push(lock)
  }
  return {
    prefetch,
    of: (voucherId: string): readonly SessionLock[] => {
      prefetch([{ id: voucherId }])
      return known.get(voucherId) ?? []
    },
  }
}

/** The rules of things, oldest assignment first; those of many things take two queries when prefetched. */
function rulesOf(context: SnapshotContext) {
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

/** The part of a snapshot that prices orders and assigns products and customers to groups. */
function catalogueOf(context: SnapshotContext): Pick<Snapshot, 'product' | 'sku' | 'isInCollection' | 'isInSegment'> {
  return {
    product: (idOrSourceId) => context.in(products).find(idOrSourceId),
    sku: (idOrSourceId) => context.in(skus).find(idOrSourceId),
    isInCollection: (collectionId, line) => isInCollection(collectionId, line, context),
    isInSegment: (segmentId, customer) => isInSegment(segmentId, customer, context),
  }
}
