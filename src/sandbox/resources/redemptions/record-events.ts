// The events of redemptions and rollbacks. Source: docs/service/webhooks.md#what-emits-what.
import type { Context } from '../../http/route.ts'
import { campaignOf } from '../campaigns/facts.ts'
import { holderAnswer } from '../customers/answer.ts'
import { stackAnswer } from '../promotions/answer.ts'
import { promotionStacks } from '../promotions/store.ts'
import { tierWithTotals } from '../promotions/totals.ts'
import { vouchers } from '../vouchers/store.ts'
import { redemptionAnswer } from './answer.ts'
import { redemptions, type StoredRedemption } from './store.ts'

/** What the service announces about redemptions. */
export type RedemptionEvent =
  | 'redemption.succeeded'
  | 'redemption.failed'
  | 'redemption.rollback.succeeded'
  | 'redemption.rollback.failed'

/** Records an event of a redemption or a rollback, as they are stored now. */
export function recordRedemptionEvent(type: RedemptionEvent, told: StoredRedemption, context: Context): void {
  const shown = redemptionAnswer(told, context, tierWithTotals)
  const { voucher, promotion_tier, customer, ...redemption } = shown
  const stack =
    told.promotion_stack_id === undefined ? undefined : context.in(promotionStacks).get(told.promotion_stack_id)
  const code = told.related_object_type === 'voucher' ? context.in(vouchers).get(told.related_object_id) : undefined
  const holder = code && holderAnswer(code, context)
  context.emit(type, told.id, {
    customer: customer ?? null,
    order: shown.order ?? null,
    ...campaignOf(told, context),
    ...(voucher !== undefined && { voucher }),
    ...(promotion_tier !== undefined && { promotion_tier }),
    ...(stack && { promotion_stack: stackAnswer(stack, context) }),
    ...(holder && { holder }),
    ...(told.object === 'redemption_rollback'
      ? { redemption: rolledBack(told, context), redemption_rollback: redemption }
      : { redemption }),
    created_at: told.created_at,
  })
}

/** The redemption that a rollback reverted, or tried to, as it is stored now. */
function rolledBack({ redemption: id = '' }: StoredRedemption, context: Context): Record<string, unknown> | null {
  const original = context.in(redemptions).get(id)
  if (!original) return null
  const {
    voucher: _voucher,
    promotion_tier: _tier,
    customer: _customer,
    ...facts
  } = redemptionAnswer(original, context, tierWithTotals)
  return facts
}
