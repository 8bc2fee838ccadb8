// From a checked body to the input of the rules: no nulls, numbers for quantities, one customer.
import type { z } from 'zod'
import type { customer as customerSchema } from '../../../contract/customer.ts'
import type { Metadata } from '../../../contract/fields.ts'
import type { orderItem, order as orderSchema } from '../../../contract/order.ts'
import type { newValidation, voucherUse } from '../../../contract/validations.ts'
import type { Customer } from '../../rules/eligibility/customer.ts'
import { roundHalfUp } from '../../rules/pricing/money.ts'
import type { OrderItemRequest, OrderRequest } from '../../rules/pricing/order.ts'
import type { ValidationRequest } from '../../rules/stacking/validation.ts'

type Person = z.output<typeof customerSchema>
type Cart = z.output<typeof orderSchema>

/** The parts common to all evaluations. */
export interface EvaluationParts {
  customer?: Person | undefined
  order?: Cart | undefined
  metadata?: Metadata | undefined
}

/** The subject of an evaluation: the customer and the order. */
export function evaluationSubject({ customer, order, metadata }: EvaluationParts) {
  // ASSUMED A191: the customer inside the order is used when the request itself names none.
  const person = customer ?? order?.customer ?? (order?.customer_id ? { id: order.customer_id } : undefined)
  return {
    ...(person && { customer: withoutNulls(person) as Customer }),
    ...(order && { order: orderOf(order) }),
    ...(metadata && { metadata }),
  }
}

/** A validation, or the part of a redemption that is one. */
export function validationRequestOf(body: z.output<typeof newValidation>): ValidationRequest {
  const { redeemables, session, options, tracking_id } = body
  return {
    ...evaluationSubject(body),
    redeemables: redeemables.map((redeemable) => withoutNulls(redeemable) as ValidationRequest['redeemables'][number]),
    // ASSUMED A192: a session without a type is a LOCK, the only existing type.
    ...(session && { session: { ...(withoutNulls(session) as object), type: 'LOCK' } }),
    ...(options?.expand && { options: { expand: options.expand } }),
    ...(tracking_id !== undefined && { tracking_id }),
  }
}

/** The validation or redemption that an older call about one voucher or tier means. */
export function redeemingOne(
  object: 'voucher' | 'promotion_tier',
  id: string,
  { gift, reward, ...body }: z.output<typeof voucherUse>,
) {
  return { ...body, redeemables: [{ object, id, ...(gift && { gift }), ...(reward && { reward }) }] }
}

function orderOf({ customer, customer_id, items, referrer, ...facts }: Cart): OrderRequest {
  const person = customer ?? (customer_id == null ? undefined : { id: customer_id })
  return {
    ...inNumbers(withoutNulls(facts) as OrderRequest),
    ...(person && { customer: { id: person.id ?? null, source_id: person.source_id ?? null } }),
    ...(referrer?.id && !facts.referrer_id && { referrer_id: referrer.id }),
    ...(items && { items: items.map(itemOf) }),
  }
}

/** Reads one line of an order: no nulls, whole numbers for texts. */
function itemOf(item: z.output<typeof orderItem>): OrderItemRequest {
  const { product, sku, ...clean } = withoutNulls(item) as Record<string, unknown>
  return {
    ...inNumbers(clean),
    ...(product !== undefined && { product: inNumbers(product as object) }),
    ...(sku !== undefined && { sku: inNumbers(sku as object) }),
  } as OrderItemRequest
}

const numeric = [
  'quantity',
  'discount_quantity',
  'initial_quantity',
  'price',
  'amount',
  'discount_amount',
  'initial_amount',
] as const

/** Clients send quantities and amounts as text, too (docs/service/pricing.md#order-in-requests). */
function inNumbers<Fields extends object>(fields: Fields): Fields {
  const read = { ...fields } as Record<string, unknown>
  for (const name of numeric) if (typeof read[name] === 'string') read[name] = amountOf(read[name])
  return read as Fields
}

/** Returns the number of a quantity or an amount that may have been sent as text. */
export function amountOf(sent: string | number): number {
  // ASSUMED A1101: a text with decimals counts as the nearest whole number of the smallest currency unit.
  return typeof sent === 'number' ? sent : roundHalfUp(Number(sent))
}

/** Omits null and undefined at every level except inside metadata, where null is a value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value))
    if (item !== null && item !== undefined) kept[name] = name === 'metadata' ? item : withoutNulls(item)
  return kept
}
