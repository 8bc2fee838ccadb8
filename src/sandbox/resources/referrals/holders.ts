// Adds referees to a referral code, all of them or none. Source: docs/service/referrals.md#add-holders.
import type { z } from 'zod'
import type { newHolders } from '../../../contract/referrals.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Context, Tables } from '../../http/route.ts'
import { holderListRefusal, resolvedHoldersRefusal } from '../../rules/referrals/holders.ts'
import { is } from '../../storage/conditions.ts'
import { customers } from '../../stores/customers.ts'
import { redeemableHolders, type StoredRedeemableHolder } from '../../stores/referrals.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'
import { upsertCustomer } from '../customers/upsert.ts'
import { checkMetadata } from '../metadata/check.ts'
import { findByIds } from '../update.ts'

type Person = z.output<typeof newHolders>['holders'][number]

/**
 * Stores customers and makes them referees of a code, in the order of the request.
 *
 * Throws 400 `metadata_validation_failed` (by the schema of publications), 404 for an unknown customer id, 409
 * `duplicate_found` for a customer listed twice, `holder_assignement_duplication` for one who already holds the code.
 */
export function addReferees(
  voucher: StoredVoucher,
  { holders, metadata = {} }: z.output<typeof newHolders>,
  context: Context,
): StoredRedeemableHolder[] {
  refuse(holderListRefusal(holders as Parameters<typeof holderListRefusal>[0]))
  checkMetadata(context, 'publication', metadata)
  const asked = holders.map((request) => ({ request: namesOf(request), found: storedIdsOf(request, context) }))
  refuse(resolvedHoldersRefusal(asked, holdersOf(voucher, context)))
  return holders.map((person) => referee(voucher, upsertCustomer(person, context).id, metadata, context))
}

/** Makes a customer, who is not one yet, a referee of a code. */
export function referee(
  voucher: StoredVoucher,
  customer_id: string,
  metadata: Record<string, unknown>,
  context: Context,
): StoredRedeemableHolder {
  const identity = { id: context.id(redeemableHolders.prefix), created_at: context.now }
  return context
    .in(redeemableHolders)
    .insert(holderOf(voucher, identity, { customer_id, holder_role: 'REFEREE', metadata }))
}

/** A holder of a code, as it is stored. */
export function holderOf(
  { id: redeemable_id, campaign_id, type: voucher_type }: StoredVoucher,
  { id, created_at }: Pick<StoredRedeemableHolder, 'id' | 'created_at'>,
  { customer_id, holder_role, metadata }: Pick<StoredRedeemableHolder, 'customer_id' | 'holder_role' | 'metadata'>,
): StoredRedeemableHolder {
  return {
    id,
    created_at,
    redeemable_id,
    redeemable_object: 'voucher',
    campaign_id,
    campaign_type: 'REFERRAL_PROGRAM',
    voucher_type,
    customer_id,
    holder_role,
    metadata,
    object: 'redeemable_holder',
  }
}

/** Ids of all customers who hold a code, including its owner. */
export function holdersOf({ id, holder_id, referrer_id }: StoredVoucher, context: Tables): Set<string> {
  const holders = context.in(redeemableHolders).all([is(redeemableHolders, 'redeemable_id', id)])
  const owners = [holder_id, referrer_id].filter((owner) => owner !== null)
  return new Set([...holders.map((holder) => holder.customer_id), ...owners])
}

function namesOf({ id, source_id }: Person) {
  return { id: id ?? null, source_id: source_id ?? null }
}

/** The id of the stored customer that a person is; where both ids are sent, `id` decides (specification). */
function storedIdsOf({ id, source_id }: Person, context: Context): string[] {
  const stored = findByIds(context.in(customers), { id: id || null, source_id })
  return stored ? [stored.id] : []
}

function refuse(refusal: ReturnType<typeof holderListRefusal>): void {
  if (refusal) throw new Refusal(refusal)
}
