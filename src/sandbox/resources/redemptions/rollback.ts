// Rolls redemptions back. Source: docs/service/redemptions.md#roll-back; docs/service/redemptions.md#refused-rollbacks.
import type { z } from 'zod'
import { addDuration } from '../../../base/time/calendar-duration.ts'
import { timeZoneOf } from '../../../base/time/time-zone.ts'
import { type newRollback, rollbackMonths } from '../../../contract/redemptions.ts'
import { orderShown } from '../../answers/orders.ts'
import { redemptionAnswer } from '../../answers/redemptions.ts'
import * as refusal from '../../http/refusal.ts'
import { type Answer, type Context, ok, type Tables } from '../../http/route.ts'
import { notFound, type RefusalBody, refuse } from '../../rules/failures.ts'
import { customers } from '../../stores/customers.ts'
import { orders, type StoredOrder } from '../../stores/orders.ts'
import { redemptions, type StoredRedemption } from '../../stores/redemptions.ts'
import { upsertCustomer } from '../customers/upsert.ts'
import { snapshotOf, stackingRulesOf, trackingIdOf } from '../evaluation/snapshot.ts'
import { checkMetadata } from '../metadata/check.ts'
import { storeOrder } from '../orders/save.ts'
import { findByIds, mergeMetadata } from '../update.ts'
import { cancelOrder, noteRollbacks } from './order.ts'
import { errorAnswer, failureOf, recordRedemptionEvent, redemptionRecord } from './record.ts'
import { restoreSpent } from './spend.ts'

type Body = NonNullable<z.output<typeof newRollback>>

/** Begins the ids of rollbacks. Source: docs/service/redemptions.md#redemption-object. */
const rollbackPrefix = 'rr_'
const failedPrefix = 'rrf_'

/**
 * Rolls back one redemption (`single`), or all of one request by their parent (`whole`): uses, credits and points
 * are returned, and if the project says so, the order is canceled and loses these discounts.
 *
 * A refused rollback is stored as failed, and the answer is its reason. Throws 404 for an unknown id.
 * Records `redemption.rollback.succeeded` for each redemption and for their parent, or `redemption.rollback.failed`.
 */
export function rollBack(redemptionId: string, asked: RollbackScope, body: Body, context: Context): Answer {
  const table = context.in(redemptions)
  const root = table.get(redemptionId)
  if (!root) throw refusal.notFound(redemptions.type, redemptionId)
  checkMetadata(context, 'redemption', body.metadata)
  const problem = rollbackProblem(root, asked, body, context)
  if (problem) {
    const failed = { ...rollbackOf(root, body, context), id: context.id(failedPrefix), ...failureOf(problem) }
    table.insert(failed)
    recordRedemptionEvent('redemption.rollback.failed', failed, context)
    return errorAnswer(problem, failed, context)
  }

  mustOnlyChangeStatus(body)
  if (body.customer) upsertCustomer(body.customer, context)
  const order = changedOrder(root, body, context)
  const children = (root.related_redemptions?.redemptions ?? []).flatMap(({ id }) => table.get(id) ?? [])
  const taken = (asked === 'whole' ? [...children, root] : [root]).map((redemption) => {
    const rollback: StoredRedemption = {
      ...rollbackOf(redemption, body, context),
      ...(order && { order: redemption === root ? { ...order } : stepOf(redemption, order) }),
    }
    table.insert(rollback)
    const rollbacks = [...(redemption.related_redemptions?.rollbacks ?? []), { id: rollback.id, date: context.now }]
    table.update({
      ...redemption,
      status: 'ROLLED_BACK',
      related_redemptions: { ...redemption.related_redemptions, rollbacks },
      updated_at: context.now,
    })
    restoreSpent(redemption, rollback.id, context)
    return rollback
  })
  const noted = order && noteRollbacks(order, taken.at(-1) as StoredRedemption, taken.slice(0, -1), context)
  for (const rollback of taken) recordRedemptionEvent('redemption.rollback.succeeded', rollback, context)
  const answers = taken.map((rollback) => redemptionAnswer(rollback, context))
  if (asked === 'single') return ok(answers[0])
  return ok({
    rollbacks: answers.slice(0, -1),
    parent_rollback: answers.at(-1),
    ...(noted && { order: orderShown(noted) }),
  })
}

/** The order as one of several redemptions had left it, in the state that it has now. */
function stepOf(
  { order: left }: StoredRedemption,
  { status, updated_at }: StoredOrder,
): NonNullable<StoredRedemption['order']> | null {
  return left ? { ...left, status, updated_at } : null
}

function rollbackOf(redemption: StoredRedemption, body: Body, context: Context): StoredRedemption {
  const { gift, loyalty_card, reward, amount, related_object_type, related_object_id, campaign_id } = redemption
  const origin = {
    // ASSUMED A288: a rollback belongs to whom the redemption belongs to; a customer that it names is that one, and changed.
    customer_id: redemption.customer_id,
    tracking_id:
      body.tracking_id === undefined
        ? ((redemption.tracking_id as string | null | undefined) ?? null)
        : trackingIdOf(context, body.tracking_id),
    metadata: body.metadata ?? null,
  }
  const { voucher_code } = redemption
  const about = {
    related_object_type,
    related_object_id,
    campaign_id,
    ...(voucher_code !== undefined && { voucher_code }),
  }
  return {
    ...redemptionRecord(context.id(rollbackPrefix), origin, about, context),
    object: 'redemption_rollback',
    redemption: redemption.id,
    reason: body.reason ?? null,
    order: redemption.order ?? null,
    ...(typeof amount === 'number' && { amount: -amount }),
    ...(gift && { gift: { amount: -gift.amount } }),
    ...(loyalty_card && { loyalty_card: { points: -loyalty_card.points } }),
    ...(reward && { reward }),
  }
}

// ASSUMED A289: a rollback may change status and metadata of its order, and nothing else.
function mustOnlyChangeStatus({ order }: Body): void {
  if (!order) return
  const { id: _id, source_id: _source, status: _status, metadata: _metadata, object: _object, ...rest } = order
  const [other] = Object.keys(rest)
  if (other !== undefined)
    throw refusal.refused('invalid_rollback_params', `Property .order.${other} cannot be changed`)
}

function changedOrder(root: StoredRedemption, { order: said }: Body, context: Context): StoredOrder | undefined {
  // ASSUMED A290: the project's setting for orders applies to single rollbacks too. Points and rewards that the order has
  // earned in the meantime stay with the customer.
  const isCanceled = stackingRulesOf(context.project).redeemables_rollback_order_mode === 'WITH_ORDER'
  const order = isCanceled
    ? cancelOrder(root, snapshotOf(context), context)
    : context.in(orders).get(root.order?.id ?? '')
  if (!order || (said?.status === undefined && !said?.metadata)) return order
  const metadata = mergeMetadata(order.metadata, said.metadata)
  const changed = { ...order, status: said.status ?? order.status, metadata, updated_at: context.now }
  return storeOrder(order, changed, context).order
}

// Why a redemption cannot be rolled back. Source: docs/service/redemptions.md#refused-rollbacks.

/** One redemption, or all that were made together. */
export type RollbackScope = 'single' | 'whole'

const limit = { months: rollbackMonths, days: 0, clockMs: 0 }

/** Returns why not, or undefined. */
function rollbackProblem(
  redemption: StoredRedemption,
  asked: RollbackScope,
  named: { order?: Named | undefined; customer?: Named | undefined },
  context: Pick<Context, 'in' | 'now' | 'project'>,
): RefusalBody | undefined {
  const { now, project } = context
  const { id, object, result, status, related_object_type, created_at } = redemption
  // ASSUMED A291: which documented key has which cause, and the wording; that three months end to the millisecond.
  const invalid = (details: string) => refuse('invalid_redemption', details)
  if (object !== 'redemption') return invalid(`${id} is a rollback`)
  if (result !== 'SUCCESS') return invalid(`${id} is a failed redemption`)
  const isParent = related_object_type === 'redemption'
  if (asked === 'whole' && !isParent)
    return refuse('invalid_redemption_parent', `${id} is not the parent of redemptions`)
  if (asked === 'single' && isParent)
    return invalid(`${id} is the parent of redemptions, which are rolled back together`)
  if (redemption.redemption !== undefined) {
    const details = `${id} is part of ${redemption.redemption} and cannot be rolled back alone`
    return refuse('invalid_redemption_parent', details)
  }
  if (status === 'ROLLED_BACK') return refuse('already_rolled_back', id)
  const end = addDuration(Date.parse(created_at), limit, timeZoneOf(project.timezone))
  if (Date.parse(now) > end) return invalid(`${id} is older than three months`)
  return strangerProblem(redemption, named, context)
}

/** How a request names an order or a customer. */
interface Named {
  id?: string | null | undefined
  source_id?: string | null | undefined
}

/** Returns the refusal of an order or a customer that the redemption does not belong to. */
function strangerProblem(
  { order: redeemed, customer_id }: StoredRedemption,
  { order, customer }: { order?: Named | undefined; customer?: Named | undefined },
  { in: collectionOf }: Tables,
): RefusalBody | undefined {
  const isOther =
    (order?.id != null && order.id !== redeemed?.id) ||
    (order?.source_id != null && order.source_id !== redeemed?.source_id)
  if (isOther) return refuse('invalid_order', 'Order is not related with redemption.')
  if (!customer) return undefined
  const found = findByIds(collectionOf(customers), customer)
  if (!found && customer.id != null) return notFound('customer', customer.id)
  if (found !== undefined && found.id === customer_id) return undefined
  return refuse('invalid_customer', 'Customer is not related with redemption.')
}
