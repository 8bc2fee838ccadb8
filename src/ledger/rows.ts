// What the copy keeps of each object of the service: the columns of its table, and their values.
import { isRawNumber } from '../base/lossless-json.ts'
import { isRecord } from '../base/record.ts'
import type { Value } from './copy.ts'
import type { TableName } from './schema.ts'

type Wire = Readonly<Record<string, unknown>>

/** The values of one row by column. */
export type Row = Readonly<Record<string, Value>>

/** What is kept of an object of a list; personal data only where it is asked for. */
export const rowOf = {
  campaigns: ({ id, name, campaign_type, created_at, updated_at, metadata }) => ({
    id: textOf(id),
    name: textOf(name),
    type: textOf(campaign_type),
    created_at: instantOf(created_at),
    updated_at: instantOf(updated_at),
    metadata: jsonOf(metadata),
    deleted_at: null,
  }),
  customers: (wire, isWithCustomers) => ({
    id: textOf(wire.id),
    source_id: textOf(wire.source_id),
    created_at: instantOf(wire.created_at),
    updated_at: instantOf(wire.updated_at),
    deleted_at: null,
    ...(isWithCustomers && {
      name: textOf(wire.name),
      email: textOf(wire.email),
      phone: textOf(wire.phone),
      address: jsonOf(wire.address),
    }),
  }),
  vouchers: (wire) => {
    const [gift, card, use] = [wire.gift, wire.loyalty_card, wire.redemption].map(membersOf)
    return {
      id: textOf(wire.id),
      code: textOf(wire.code),
      type: textOf(wire.type),
      campaign_id: textOf(wire.campaign_id),
      customer_id: textOf(wire.holder_id),
      created_at: instantOf(wire.created_at),
      updated_at: instantOf(wire.updated_at),
      active: typeof wire.active === 'boolean' ? Number(wire.active) : null,
      starts_at: instantOf(wire.start_date),
      expires_at: instantOf(wire.expiration_date),
      gift_amount: wholeOf(gift?.amount),
      balance: wholeOf(gift?.balance ?? card?.balance),
      redemption_limit: wholeOf(use?.quantity),
      redeemed: wholeOf(use?.redeemed_quantity),
      metadata: jsonOf(wire.metadata),
      deleted_at: null,
    }
  },
  orders: (wire) => ({
    id: textOf(wire.id),
    source_id: textOf(wire.source_id),
    status: textOf(wire.status),
    amount: wholeOf(wire.amount),
    discount_amount: wholeOf(wire.discount_amount),
    total_discount_amount: wholeOf(wire.total_discount_amount),
    total_amount: wholeOf(wire.total_amount),
    customer_id: textOf(wire.customer_id),
    created_at: instantOf(wire.created_at),
    updated_at: instantOf(wire.updated_at),
    metadata: jsonOf(wire.metadata),
    deleted_at: null,
  }),
  redemptions: (wire) => {
    const [order, voucher] = [wire.order, wire.voucher].map(membersOf)
    const isRollback = wire.object === 'redemption_rollback'
    return {
      id: textOf(wire.id),
      kind: isRollback ? 'rollback' : 'redemption',
      created_at: instantOf(wire.created_at ?? wire.date),
      result: textOf(wire.result),
      status: textOf(wire.status),
      failure_code: textOf(wire.failure_code),
      reason: textOf(wire.reason),
      object_type: textOf(wire.related_object_type),
      object_id: textOf(wire.related_object_id),
      code: textOf(voucher?.code),
      campaign_id: textOf(wire.campaign_id),
      customer_id: textOf(wire.customer_id),
      tracking_id: textOf(wire.tracking_id),
      order_id: textOf(order?.id),
      order_number: textOf(order?.source_id),
      order_status: textOf(order?.status),
      order_amount: wholeOf(order?.amount),
      discount_amount: wholeOf(order?.total_applied_discount_amount ?? order?.applied_discount_amount),
      amount: wholeOf(wire.amount),
      gift_amount: wholeOf(membersOf(wire.gift)?.amount),
      points: wholeOf(membersOf(wire.loyalty_card)?.points),
      // The same member is the parent of a redemption, and what a rollback reverts.
      rolls_back: isRollback ? textOf(wire.redemption) : null,
      parent_id: isRollback ? null : textOf(wire.redemption),
      metadata: jsonOf(wire.metadata),
      deleted_at: null,
    }
  },
  publications: (wire) => {
    const voucher = membersOf(wire.voucher)
    const [first] = Array.isArray(wire.vouchers_id) ? (wire.vouchers_id as unknown[]) : []
    return {
      id: textOf(wire.id),
      voucher_id: textOf(voucher?.id ?? first),
      code: textOf(voucher?.code),
      customer_id: textOf(wire.customer_id),
      campaign_id: textOf(wire.campaign_id),
      created_at: instantOf(wire.created_at),
      channel: textOf(wire.channel),
      result: textOf(wire.result),
      deleted_at: null,
    }
  },
  transactions: (wire) => {
    const details = membersOf(wire.details) ?? {}
    const balance = membersOf(details.balance) ?? {}
    const [order, redemption, rule] = [details.order, details.redemption, details.earning_rule].map(membersOf)
    const isPoints = balance.type === 'loyalty_card' || balance.points !== undefined
    return {
      id: textOf(wire.id),
      card_id: textOf(wire.voucher_id),
      campaign_id: textOf(wire.campaign_id),
      type: textOf(wire.type),
      unit: isPoints ? 'points' : 'credits',
      amount: wholeOf(isPoints ? balance.points : balance.amount),
      balance: wholeOf(balance.balance),
      created_at: instantOf(wire.created_at),
      source_id: textOf(wire.source_id),
      reason: textOf(wire.reason),
      source: textOf(wire.source),
      order_id: textOf(order?.id),
      redemption_id: textOf(redemption?.id),
      rule_id: textOf(rule?.id),
      related_id: textOf(wire.related_transaction_id),
      details: jsonOf(wire.details),
    }
  },
} as const satisfies Record<TableName, (wire: Wire, isWithCustomers: boolean) => Row>

function membersOf(value: unknown): Wire | undefined {
  return isRecord(value) ? value : undefined
}

/** An empty text says no more than a missing one: a cell of an export cannot tell them apart. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A whole number however large; null for anything else, which must not be rounded. */
function wholeOf(value: unknown): number | bigint | null {
  const text = typeof value === 'string' ? value : isRawNumber(value) ? value.rawJSON : undefined
  if (text !== undefined)
    return /^-?\d{1,18}$/.test(text) ? (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)) : null
  return Number.isSafeInteger(value) ? (value as number) : null
}

/** JSON as the service wrote it: a number that JavaScript would change prints as its source. */
function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

/** An instant in UTC with milliseconds, which sorts as text; another text stays as it is. */
function instantOf(value: unknown): string | null {
  const text = textOf(value)
  if (text === null) return null
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}
