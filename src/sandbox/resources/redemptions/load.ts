// A redemption, a rollback or a failed attempt from a fixture, with its own ids and dates.
// Source: docs/sandbox.md#fixtures.
import { z } from 'zod'
import { dateTime, metadata } from '../../../contract/fields.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/route.ts'
import { promotionTiers } from '../../stores/promotions.ts'
import { redemptions, type StoredRedemption } from '../../stores/redemptions.ts'
import { vouchers } from '../../stores/vouchers.ts'
import { findCustomer } from '../customers/upsert.ts'

const reference = z.looseObject({ id: z.string().optional(), code: z.string().optional() })

const wireRedemption = z.strictObject({
  object: z.enum(['redemption', 'redemption_rollback']).optional(),
  result: z.enum(['SUCCESS', 'FAILURE']).optional(),
  status: z.enum(['SUCCEEDED', 'FAILED', 'ROLLED_BACK']).optional(),
  date: dateTime.optional(),
  created_at: dateTime.optional(),
  customer_id: z.string().optional(),
  customer: reference.optional(),
  voucher: reference.optional(),
  promotion_tier: reference.optional(),
  related_object_type: z.enum(['voucher', 'promotion_tier', 'redemption']).optional(),
  related_object_id: z.string().optional(),
  campaign_id: z.string().optional(),
  redemption: z.string().optional(),
  order: z.looseObject({ id: z.string().optional(), amount: z.int().optional() }).optional(),
  gift: z.strictObject({ amount: z.int() }).optional(),
  loyalty_card: z.strictObject({ points: z.int() }).optional(),
  metadata: metadata.optional(),
})

type Wire = z.output<typeof wireRedemption>

/**
 * Reads a redemption as the service shows it; members that are not checked are kept as they are. The counters and
 * transactions of cards are taken from the file. Throws a refusal that names the problem.
 */
export function loadRedemption(wire: Record<string, unknown>, loading: FixtureContext): StoredRedemption {
  const given = requestOf(wireRedemption, wire)
  const { result = 'SUCCESS' } = given
  const status = given.status ?? (result === 'FAILURE' ? 'FAILED' : 'SUCCEEDED')
  if ((status === 'FAILED') !== (result === 'FAILURE'))
    throw invalidPayload(`Property .status must fit the result ${result}`)
  const { customer: _customer, voucher: _voucher, promotion_tier: _tier, ...members } = wire
  const identity = identityOf(redemptions, { ...wire, created_at: wire.created_at ?? wire.date }, loading)
  const facts = Object.fromEntries(Object.entries(members).filter(([name]) => !(name in identity)))
  return {
    tracking_id: null,
    metadata: {},
    order: null,
    ...facts,
    ...aboutOf(given, identity.id, loading),
    ...identity,
    object: given.object ?? 'redemption',
    date: identity.created_at,
    result,
    status,
    customer_id: given.customer_id ?? customerOf(given, loading),
  }
}

function customerOf({ customer }: Wire, loading: FixtureContext): string | null {
  if (customer?.id === undefined) return null
  const found = findCustomer(customer.id, loading)
  if (!found) throw notFound('customer', customer.id)
  return found.id
}

/** The redeemed object. A deleted voucher or tier may still be named by `related_object_id`. */
function aboutOf(given: Wire, id: string, loading: FixtureContext) {
  const type = given.related_object_type ?? (given.promotion_tier ? 'promotion_tier' : 'voucher')
  const named = type === 'promotion_tier' ? given.promotion_tier?.id : (given.voucher?.id ?? given.voucher?.code)
  const asked = given.related_object_id ?? (type === 'redemption' ? id : named)
  if (asked === undefined) throw invalidPayload("Payload must have required property 'related_object_id'")
  const voucher = type === 'voucher' ? loading.in(vouchers).find(asked) : undefined
  const tier = type === 'promotion_tier' ? loading.in(promotionTiers).get(asked) : undefined
  const found = voucher ?? tier
  if (!found && given.related_object_id === undefined && type !== 'redemption') throw notFound(type, asked)
  return {
    related_object_type: type,
    related_object_id: found?.id ?? asked,
    campaign_id: given.campaign_id ?? found?.campaign_id ?? null,
    ...(voucher && { voucher_code: voucher.code }),
  }
}
