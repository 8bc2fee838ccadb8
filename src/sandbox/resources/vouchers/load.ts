// A voucher from a fixture: checked like a new one, but with its own ids, counters and dates.
import { withoutNull } from '../../../base/record.ts'
import { newVoucher } from '../../../contract/new-voucher.ts'
import { checkWire } from '../../http/check-input.ts'
import { invalidPayload } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/route.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'
import { buildVoucher, voucherTypeOf } from './create.ts'
import { findReferencedCampaign } from './references.ts'

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
