// A new voucher from a request. Source: docs/service/vouchers.md#create.
import type { z } from 'zod'
import { withoutNull } from '../../../base/record.ts'
import { newVoucher } from '../../../contract/new-voucher.ts'
import { assignRules } from '../../answers/assignments.ts'
import { checkWire } from '../../http/check-input.ts'
import { duplicate, invalidPayload, refused } from '../../http/refusal.ts'
import type { Context, FixtureContext } from '../../http/route.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { checkMetadata } from '../metadata/check.ts'
import {
  checkedDiscount,
  checkValidity,
  checkVoucherType,
  findReferencedCampaign,
  findReferencedCategory,
  findReferencedRules,
  validityLimitsOf,
} from './parts.ts'

export type NewVoucher = z.output<typeof newVoucher>

const codeLengthLimit = 1024

/**
 * Creates a voucher under the given code, with its rule assignments and, for a loyalty card with points, the transaction
 * that accounts for them. Throws 400, 404 or 409.
 */
export function createVoucher(code: string, body: NewVoucher, context: Context): StoredVoucher {
  checkCode(code)
  const type = voucherTypeOf(body)
  const campaign = findReferencedCampaign(body, context)
  if (campaign) checkVoucherType(campaign.campaign_type, type)
  const voucher = buildVoucher(code, type, body, campaign, context)
  checkMetadata(context, 'voucher', voucher.metadata)
  const rules = findReferencedRules(body.validation_rules ?? [], context)
  if (context.in(vouchers).holdsKey(code)) throw duplicate('voucher', code)

  context.in(vouchers).insert(voucher)
  assignRules(rules, { id: voucher.id, type: 'voucher' }, context)
  return voucher
}

/** Refuses invalid codes. Throws 400 `invalid_voucher`. */
export function checkCode(code: string): void {
  // ASSUMED A111: codes without a visible character, with control characters or longer than 1024 are refused.
  if (code.trim() === '' || /\p{Cc}/u.test(code) || code.length > codeLengthLimit)
    throw refused('invalid_voucher', 'The code is blank, too long or contains control characters')
}

/** Builds a voucher that passes every check about itself; stores nothing. Throws 400 or 404 (category). */
export function buildVoucher(
  code: string,
  type: StoredVoucher['type'],
  body: NewVoucher,
  campaign: StoredCampaign | undefined,
  context: Pick<Context, 'id' | 'in' | 'now'>,
): StoredVoucher {
  checkContents(type, body)
  const limits = validityLimitsOf(body)
  checkValidity(limits)
  return {
    id: context.id(vouchers.prefix),
    code,
    campaign_id: campaign?.id ?? null,
    ...findReferencedCategory(body, context),
    type,
    discount: body.discount ? checkedDiscount(body.discount) : null,
    // ASSUMED A112: a balance in the request is ignored; a new card has its full amount.
    gift: body.gift
      ? { amount: body.gift.amount, balance: body.gift.amount, ...(body.gift.effect && { effect: body.gift.effect }) }
      : null,
    loyalty_card: body.loyalty_card ? { points: body.loyalty_card.points, balance: body.loyalty_card.points } : null,
    ...limits,
    // ASSUMED A113: active when omitted or null; unlimited redemptions likewise.
    active: body.active ?? true,
    additional_info: body.additional_info ?? null,
    metadata: body.metadata ?? {},
    is_referral_code: campaign?.campaign_type === 'REFERRAL_PROGRAM',
    holder_id: null,
    referrer_id: null,
    publish: { count: 0 },
    redemption: {
      quantity: body.redemption?.quantity ?? null,
      redeemed_quantity: 0,
      ...(type === 'GIFT_VOUCHER' && { redeemed_amount: 0 }),
      ...(type === 'LOYALTY_CARD' && { redeemed_points: 0 }),
    },
    created_at: context.now,
    updated_at: null,
  }
}

/** Reads the type of a voucher. Throws 400. */
export function voucherTypeOf(body: Contents): StoredVoucher['type'] {
  // ASSUMED A1004: the type may be left out where the contents show it, though the specification requires it.
  if (body.type) return body.type
  if (body.discount) return 'DISCOUNT_VOUCHER'
  if (body.gift) return 'GIFT_VOUCHER'
  if (body.loyalty_card) return 'LOYALTY_CARD'
  throw invalidPayload("Payload must have required property 'type'")
}

type Contents = Pick<NewVoucher, 'type' | 'discount' | 'gift' | 'loyalty_card'>

const contents = { DISCOUNT_VOUCHER: 'discount', GIFT_VOUCHER: 'gift', LOYALTY_CARD: 'loyalty_card' } as const

/** Checks that the members a type of voucher needs are present, and none of another type. Throws 400 `invalid_voucher`. */
export function checkContents(type: StoredVoucher['type'], body: Contents): void {
  for (const [kind, name] of Object.entries(contents)) {
    if (kind === type && !body[name]) throw invalidVoucher(`A ${type} must have the property '${name}'`)
    // ASSUMED A114: members of another type are refused, not dropped: money would vanish silently.
    if (kind !== type && body[name]) throw invalidVoucher(`A ${type} cannot have the property '${name}'`)
  }
}

function invalidVoucher(details: string) {
  return refused('invalid_voucher', details)
}

// A voucher from a fixture: checked like a new one, but with its own ids, counters and dates.

/** Reads a voucher as the service shows it. Throws a refusal that names the problem. */
export function loadVoucher(wire: Record<string, unknown>, loading: FixtureContext): StoredVoucher {
  if (typeof wire.code !== 'string') throw invalidPayload("Payload must have required property 'code'")
  // An answer has null where a request omits a member. Only members that a request has are checked: finding the others by
  // refusal would pass every voucher through the schema twice.
  const given = withoutNull(wire)
  const { quantity } = (given.redemption ?? {}) as Record<string, unknown>
  const asked = Object.entries(given).filter(([name]) => Object.hasOwn(newVoucher.shape, name))
  const body = checkWire(newVoucher, { ...Object.fromEntries(asked), redemption: { quantity } })
  const fresh = buildVoucher(wire.code, voucherTypeOf(body), body, findReferencedCampaign(body, loading), loading)
  const kept = given as Partial<StoredVoucher>
  return {
    ...fresh,
    id: kept.id ?? fresh.id,
    gift: fresh.gift && { ...fresh.gift, ...counters(given.gift, 'balance', 'subtracted_amount') },
    loyalty_card: fresh.loyalty_card && {
      ...fresh.loyalty_card,
      ...counters(given.loyalty_card, 'balance', 'subtracted_points', 'expired_points'),
    },
    is_referral_code: kept.is_referral_code ?? fresh.is_referral_code,
    holder_id: kept.holder_id ?? null,
    referrer_id: kept.referrer_id ?? null,
    publish: { count: kept.publish?.count ?? 0 },
    redemption: {
      ...fresh.redemption,
      ...counters(kept.redemption, 'redeemed_quantity', 'redeemed_amount', 'redeemed_points'),
    },
    created_at: kept.created_at ?? fresh.created_at,
    updated_at: kept.updated_at ?? null,
    ...(kept.tier && { tier: { ...kept.tier, created_at: kept.tier.created_at ?? loading.now, updated_at: null } }),
  }
}

/** The counters in a wire object, under the given names. Throws 400 for one that is not an integer. */
function counters<Name extends string>(wire: unknown, ...names: Name[]): Partial<Record<Name, number>> {
  const given = (wire ?? {}) as Partial<Record<Name, unknown>>
  const found: Partial<Record<Name, number>> = {}
  for (const name of names) {
    const value = given[name]
    if (value === undefined || value === null) continue
    if (!Number.isSafeInteger(value)) throw invalidPayload(`Property .${name} must be integer`)
    found[name] = value as number
  }
  return found
}
