// A voucher from a fixture: checked like a new one, but with the ids, counters and dates it comes with.
import { newVoucher } from '../../contract/vouchers.ts'
import { checkedBody } from '../checked.ts'
import { invalidPayload } from '../refusal.ts'
import type { Loading } from '../route.ts'
import type { StoredVoucher } from '../store/vouchers.ts'
import { type NewVoucher, typeOf, voucherOf } from './make.ts'
import { campaignNamed } from './related.ts'

/** Reads a voucher as the service shows it. Throws a refusal that says what is wrong with it. */
export function loadVoucher(wire: Record<string, unknown>, loading: Loading): StoredVoucher {
  if (typeof wire.code !== 'string') throw invalidPayload("Payload must have required property 'code'")
  // An answer says null where a request leaves out. Only what a request knows is checked: sorting the rest out by
  // refusal would take every voucher through the schema twice.
  const given = Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null))
  const { quantity } = (given.redemption ?? {}) as Record<string, unknown>
  const asked = Object.entries(given).filter(([name]) => Object.hasOwn(newVoucher.shape, name))
  const body = checkedBody(newVoucher, { ...Object.fromEntries(asked), redemption: { quantity } }) as NewVoucher
  const fresh = voucherOf(wire.code, typeOf(body), body, campaignNamed(body, loading), loading)
  const kept = given as Partial<StoredVoucher>
  return {
    ...fresh,
    id: kept.id ?? fresh.id,
    gift: fresh.gift && { ...fresh.gift, balance: body.gift?.balance ?? fresh.gift.balance },
    loyalty_card: fresh.loyalty_card && {
      ...fresh.loyalty_card,
      balance: body.loyalty_card?.balance ?? fresh.loyalty_card.balance,
    },
    is_referral_code: kept.is_referral_code ?? fresh.is_referral_code,
    holder_id: kept.holder_id ?? null,
    referrer_id: kept.referrer_id ?? null,
    publish: { count: kept.publish?.count ?? 0 },
    redemption: { ...fresh.redemption, ...counted(kept.redemption) },
    created_at: kept.created_at ?? fresh.created_at,
    updated_at: kept.updated_at ?? null,
  }
}

function counted(given: Partial<StoredVoucher['redemption']> | undefined): Partial<StoredVoucher['redemption']> {
  const { redeemed_quantity, redeemed_amount, redeemed_points } = given ?? {}
  return {
    ...(redeemed_quantity !== undefined && { redeemed_quantity }),
    ...(redeemed_amount !== undefined && { redeemed_amount }),
    ...(redeemed_points !== undefined && { redeemed_points }),
  }
}
