// Redeems: the evaluation of a validation, followed by storing its effects.
// Source: docs/service/redemptions.md#redeem.
import type { z } from 'zod'
import type { newRedemption } from '../../../contract/redemptions.ts'
import type { voucherUse } from '../../../contract/validations.ts'
import { redeemedOrder, redemptionAnswer } from '../../answers/redemptions.ts'
import { Refusal } from '../../http/refusal.ts'
import { type Answer, type Context, ok } from '../../http/route.ts'
import { calculateOrder } from '../../rules/pricing/order.ts'
import { type AppliedEntry, appliedEntries } from '../../rules/stacking/entry.ts'
import { type Evaluation, evaluateRedeemables } from '../../rules/stacking/validation.ts'
import { redeemableAnswer } from '../../rules/stacking/validation-entry.ts'
import type { StoredCustomer } from '../../stores/customers.ts'
import type { StoredOrder } from '../../stores/orders.ts'
import { type OrderAdditions, redemptions, type StoredRedemption } from '../../stores/redemptions.ts'
import { releaseSession, sessionLocks } from '../../stores/session-locks.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { upsertCustomer } from '../customers/upsert.ts'
import { redeemingOne, validationRequestOf } from '../evaluation/request.ts'
import { snapshotWithLineIds, stackingRulesOf } from '../evaluation/snapshot.ts'
import { checkMetadata } from '../metadata/check.ts'
import type { SavedOrder } from '../orders/save.ts'
import { scheduleEffects } from './effects.ts'
import { addedUnits, noteRedemptions, orderAfter, saveOrder, saveOverrides } from './order.ts'
import {
  failedRedemption,
  type RedemptionOrigin,
  recordRedemptionEvent,
  redemptionRecord,
  relatedObjectOf,
} from './record.ts'
import { expireCards, giveReward, paymentOf, spend } from './spend.ts'

type Body = z.output<typeof newRedemption>

/**
 * Redeems what a request names, all in the transaction of the request.
 *
 * Where the project requires all to apply, one that does not fails the entire request, otherwise only when none applies:
 * then the answer is the error, and a failed redemption is stored. Throws 400 or 404 for a request that cannot be
 * evaluated at all; such a request stores nothing.
 */
export function redeem(body: Body, context: Context): Answer {
  checkMetadata(context, 'redemption', body.metadata)
  expireCards(body.redeemables, context)
  const request = validationRequestOf(body)
  const snapshot = snapshotWithLineIds(context)
  const evaluation = evaluateRedeemables(snapshot, request, context.now)
  // ASSUMED A284: a request that cannot be evaluated, such as one with an unknown customer id, stores no failed redemption.
  if ('refusal' in evaluation) throw new Refusal(evaluation.refusal)
  const origin: RedemptionOrigin = {
    // A failed attempt stores no customer: it belongs to one only if that customer existed.
    customer_id: evaluation.customer?.id ?? null,
    tracking_id: evaluation.tracking_id ?? null,
    metadata: body.metadata ?? null,
  }
  if (!evaluation.valid || appliedEntries(evaluation.entries).length === 0)
    return failedRedemption(evaluation.entries, origin, context)

  const customer = keptCustomer(body, context)
  saveOverrides(body.order, context)
  const undo =
    evaluation.order && addedUnits(calculateOrder({ ...snapshot, lineId: undefined }, request.order), evaluation.order)
  const kept = evaluation.order && saveOrder(body.order, evaluation.order, customer?.id, context)
  const redeemed = storeRedemptions(
    body,
    evaluation,
    { ...origin, customer_id: customer?.id ?? null },
    kept,
    undo,
    context,
  )
  if (body.session?.key !== undefined) releaseSession(context.in(sessionLocks), body.session.key)
  // Before anything tells of the redemptions: their order names them.
  const noted = kept && noteRedemptions(kept.order, redeemed.parent ? [redeemed.parent] : redeemed.children, context)
  for (const redemption of redeemed.children) recordRedemptionEvent('redemption.succeeded', redemption, context)
  if (redeemed.parent) recordRedemptionEvent('redemption.succeeded', redeemed.parent, context)
  scheduleEffects(redeemed.children, customer, kept, context)
  return ok(answerOf(body, evaluation, redeemed, noted, context))
}

/** Redeems one thing, as older calls do; the answer is the redemption with its order, or its refusal. */
export function redeemAlone(
  object: 'voucher' | 'promotion_tier',
  id: string,
  body: z.output<typeof voucherUse>,
  context: Context,
): Answer {
  const holder = object === 'voucher' && isForNobody(body) ? cardHolder(id, context) : undefined
  const answer = redeem(redeemingOne(object, id, { ...body, ...(holder && { customer: holder }) }), context)
  if (answer.status !== 200) return answer
  const { redemptions: made, order = null } = answer.body as { redemptions: object[]; order?: object }
  return ok({ ...made[0], order })
}

function isForNobody({ customer, order, tracking_id }: z.output<typeof voucherUse>): boolean {
  return !customer && !order?.customer && !order?.customer_id && tracking_id === undefined
}

/** Returns who holds a card; nobody for other codes, which anybody may use. */
function cardHolder(id: string, context: Context): { id: string } | undefined {
  const voucher = context.in(vouchers).find(id)
  const isCard = voucher?.type === 'LOYALTY_CARD' || voucher?.type === 'GIFT_VOUCHER'
  return isCard && voucher.holder_id !== null ? { id: voucher.holder_id } : undefined
}

interface Redeemed {
  children: StoredRedemption[]
  /** Of several redeemables, or of a stack. */
  parent: StoredRedemption | undefined
}

/** Stores the customer named by the request, else by its order or its tracking id. */
function keptCustomer({ customer, order, tracking_id }: Body, context: Context): StoredCustomer | undefined {
  const person = customer ?? order?.customer ?? (order?.customer_id ? { id: order.customer_id } : undefined)
  if (person && (person.id != null || person.source_id != null || tracking_id === undefined))
    return upsertCustomer(person, context)
  // ASSUMED A285: a tracking id alone names, and stores, the customer with that source id.
  return tracking_id === undefined ? undefined : upsertCustomer({ ...person, source_id: tracking_id }, context)
}

function storeRedemptions(
  body: Body,
  { entries, order: state }: Evaluation,
  origin: RedemptionOrigin,
  kept: SavedOrder | undefined,
  undo: OrderAdditions | undefined,
  context: Context,
): Redeemed {
  const table = context.in(redemptions)
  const [first] = body.redeemables
  const isStack = first?.object === 'promotion_stack'
  // ASSUMED A286: whether there is a parent depends on the request, not on how much of it applied.
  const parentId = isStack || body.redeemables.length > 1 ? context.id(redemptions.prefix) : undefined
  const root = undo && { undo }
  const children = appliedEntries(entries).map((entry): StoredRedemption => {
    const child: StoredRedemption = {
      ...redemptionRecord(context.id(redemptions.prefix), origin, relatedObjectOf(entry.candidate), context),
      order: kept && entry.incentive.order ? { ...orderAfter(entry.incentive.order, kept.order) } : null,
      ...paymentOf(entry, boughtBy(entry, origin, context)),
      // ASSUMED A1812: a redemption has no result to show the bundle in; it is a member of its own.
      ...(entry.incentive.bundle && { bundle: entry.incentive.bundle }),
      ...(parentId === undefined ? root : { redemption: parentId }),
    }
    table.insert(child)
    spend(child, context)
    return child
  })
  if (parentId === undefined) return { children, parent: undefined }
  const about = { related_object_type: 'redemption' as const, related_object_id: parentId, campaign_id: null }
  const parent: StoredRedemption = {
    ...redemptionRecord(parentId, origin, about, context),
    order: kept && state ? { ...orderAfter(state, kept.order) } : null,
    ...(isStack && first && { promotion_stack_id: first.id }),
    related_redemptions: { redemptions: children.map(({ id, created_at }) => ({ id, date: created_at })) },
    ...root,
  }
  table.insert(parent)
  return { children, parent }
}

/** Gives what the points of an entry buy, if that is a code. */
function boughtBy(
  { candidate, incentive }: AppliedEntry,
  { customer_id }: RedemptionOrigin,
  context: Context,
): StoredVoucher | undefined {
  if (incentive.reward?.type !== 'CAMPAIGN') return undefined
  return giveReward(incentive.reward, customer_id ?? candidate.voucher?.holder_id ?? undefined, context)
}

function answerOf(
  { options }: Body,
  { entries }: Evaluation,
  { children, parent }: Redeemed,
  kept: StoredOrder | undefined,
  context: Context,
) {
  const expand = options?.expand ?? []
  const set = (status: string) =>
    entries
      .filter((entry) => entry.status === status)
      .map((entry) =>
        redeemableAnswer(entry, expand, {
          request_id: context.requestId,
          explainsSkips: true,
          stackingRules: stackingRulesOf(context.project),
        }),
      )
  const last = parent?.order ?? children[0]?.order
  const order = kept && last && { ...redeemedOrder(last, context), updated_at: kept.updated_at ?? null }
  return {
    redemptions: children.map((child) => {
      // ASSUMED A287: redeemables are shown in full in any case; `expand` decides only how each shows its order.
      const { order: own, ...rest } = withoutUpdate(redemptionAnswer(child, context))
      if (expand.length > 0 && !expand.includes('order')) return rest
      return { ...rest, order: parent && expand.length === 0 ? ofStep(own) : own }
    }),
    ...(parent && { parent_redemption: withoutUpdate(redemptionAnswer(parent, context)) }),
    ...(order && { order }),
    skipped_redeemables: set('SKIPPED'),
    inapplicable_redeemables: set('INAPPLICABLE'),
  }
}

type Shown = Record<string, unknown>

/** That an order has not been changed is told at the top alone (docs/service/redemptions.md#orders). */
function withoutUpdate(redemption: Shown): Shown {
  const { updated_at = null, ...order } = (redemption.order ?? {}) as Shown
  return redemption.order && updated_at === null ? { ...redemption, order } : redemption
}

/** Of several redemptions only the parent tells whose order it is; each tells what it did: amounts and lines. */
function ofStep(order: unknown): Shown | null {
  if (!order) return null
  const { created_at, status, customer, customer_id, referrer, referrer_id, redemptions: _, ...step } = order as Shown
  return Object.fromEntries(Object.entries(step).filter(([name, value]) => !(name.endsWith('_amount') && value === 0)))
}
