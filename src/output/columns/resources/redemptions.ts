// The columns of redemptions and of a card's balance after a change.
// Source: docs/service/redemptions.md#redemption-object; docs/service/loyalty.md#change-points; docs/service/vouchers.md#balance.
import type { ColumnSet } from '../../column.ts'

/** A redemption, a rollback or a failed attempt. Amounts are in the smallest currency unit, or points; of a rollback negative. */
export const redemptionColumns: ColumnSet = {
  columns: [
    // What support looks for is first and stays on a narrow terminal; the time, the id and the rest make room for it.
    { name: 'voucher.code', kind: 'identifier', label: 'code', inTable: true },
    { name: 'promotion_tier.name', kind: 'text', label: 'promotion', inTable: true },
    { name: 'customer.source_id', kind: 'identifier', label: 'customer', inTable: true },
    { name: 'amount', kind: 'number', label: 'paid', inTable: true },
    { name: 'order.total_discount_amount', kind: 'number', label: 'discount', inTable: true },
    { name: 'order.total_amount', kind: 'number', label: 'left', inTable: true },
    { name: 'status', kind: 'identifier', inTable: true },
    { name: 'failure_code', kind: 'state', label: 'failure', inTable: true },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'id', kind: 'identifier', inTable: true },
    // An id too, but under another name: as text it may be left out.
    { name: 'redemption', kind: 'text', label: 'part_of', inTable: true },
    { name: 'object', kind: 'text' },
    { name: 'result', kind: 'identifier' },
    { name: 'related_object_type', kind: 'text' },
    { name: 'related_object_id', kind: 'identifier' },
    { name: 'voucher.campaign', kind: 'text' },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'gift.amount', kind: 'number' },
    { name: 'loyalty_card.points', kind: 'number' },
    { name: 'reward.id', kind: 'identifier' },
    { name: 'reward.name', kind: 'text' },
    { name: 'order.id', kind: 'identifier' },
    { name: 'order.source_id', kind: 'identifier' },
    { name: 'order.amount', kind: 'number' },
    { name: 'order.total_applied_discount_amount', kind: 'number' },
    { name: 'customer_id', kind: 'identifier' },
    { name: 'customer.name', kind: 'text' },
    { name: 'customer.email', kind: 'text' },
    { name: 'tracking_id', kind: 'identifier' },
    { name: 'promotion_stack_id', kind: 'identifier' },
    { name: 'failure_message', kind: 'text' },
    { name: 'reason', kind: 'text' },
    { name: 'channel.channel_type', kind: 'text' },
    { name: 'metadata', kind: 'text' },
    { name: 'updated_at', kind: 'time' },
  ],
}

/** What a card holds after a change of its balance: points, or `amount` in the smallest currency unit. */
export const balanceColumns: ColumnSet = {
  columns: [
    { name: 'type', kind: 'text', inTable: true },
    { name: 'points', kind: 'number', inTable: true },
    { name: 'amount', kind: 'number', inTable: true },
    { name: 'balance', kind: 'number', inTable: true },
    { name: 'total', kind: 'number', inTable: true },
    { name: 'operation_type', kind: 'text' },
    { name: 'related_object.type', kind: 'text' },
    { name: 'related_object.id', kind: 'identifier', label: 'card_id', inTable: true },
    { name: 'object', kind: 'text' },
  ],
}
