// Changes to a stored voucher: enabled and disabled, updated, deleted.
// Source: docs/service/vouchers.md#disable; docs/service/vouchers.md#update.
import type { z } from 'zod'
import type { updatedVoucher } from '../../../contract/new-voucher.ts'
import { removeAssignments } from '../../answers/assignments.ts'
import { refused } from '../../http/refusal.ts'
import type { Context, Tables } from '../../http/route.ts'
import type { Declaration } from '../../storage/collection.ts'
import { is } from '../../storage/conditions.ts'
import { countForCampaign } from '../../stores/campaign-summary.ts'
import { pendingPoints, pointsBuckets } from '../../stores/loyalty.ts'
import { removeRedemptionsOf } from '../../stores/redemptions.ts'
import { redeemableHolders } from '../../stores/referrals.ts'
import { sessionLocks } from '../../stores/session-locks.ts'
import { giftTransactions, loyaltyTransactions } from '../../stores/transactions.ts'
import { moveToBin } from '../../stores/trash-bin.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { checkMetadata } from '../metadata/check.ts'
import { mergeMetadata, storeUpdate, type UpdateResult } from '../update.ts'
import { checkedDiscount, checkValidity, findReferencedCategory, validityLimitsOf } from './parts.ts'

/** Enables or disables a voucher; one that already is in that state is left as it is. */
export function setVoucherActive(
  voucher: StoredVoucher,
  active: boolean,
  context: Context,
): UpdateResult<StoredVoucher> {
  // ASSUMED A116: switching to the current state succeeds, keeps updated_at and records no event.
  return storeUpdate(vouchers, voucher, { ...voucher, active }, context)
}

/** Applies an update. Omitted members keep their value, null clears. Throws 400 or 404. */
export function updateVoucher(
  voucher: StoredVoucher,
  body: z.output<typeof updatedVoucher>,
  context: Context,
): UpdateResult<StoredVoucher> {
  const { category, category_id, discount, metadata, active, additional_info, ...limits } = body
  const next: StoredVoucher = { ...voucher, ...validityLimitsOf({ ...voucher, ...limits }) }
  checkValidity(next)
  if (category !== undefined || category_id !== undefined)
    Object.assign(next, findReferencedCategory({ category, category_id }, context))
  // ASSUMED A128: an update may enable or disable a voucher; it then records only voucher.updated.
  if (active != null) next.active = active
  if (additional_info !== undefined) next.additional_info = additional_info
  if (metadata !== undefined) {
    next.metadata = mergeMetadata(voucher.metadata, metadata)
    checkMetadata(context, 'voucher', next.metadata)
  }
  if (discount) {
    if (voucher.discount?.type !== discount.type)
      throw refused('invalid_voucher', 'It is not possible to change Voucher discount type')
    next.discount = checkedDiscount(discount)
  }
  return storeUpdate(vouchers, voucher, next, context)
}

// ASSUMED A131: a voucher in the bin is a 404 for every call, so force comes too late for it.
/** Moves a voucher to the bin, or with `force` removes it for good, which frees the code. */
export function deleteVoucher(voucher: StoredVoucher, force: boolean, context: Context): void {
  if (voucher.campaign_id !== null) {
    countForCampaign(voucher.campaign_id, 'vouchers_deleted', context.now, context)
    if (force) countForCampaign(voucher.campaign_id, 'vouchers_removed', voucher.created_at, context)
  }
  if (force) removeVoucher(voucher.id, context)
  else moveToBin(vouchers, { id: voucher.id, name: voucher.code, parentId: voucher.campaign_id }, context)
}

// Removes a voucher for good, with everything that is only about it. Source: docs/service/vouchers.md#delete.

// ASSUMED A1161: besides rule assignments and redemptions, which are published, transactions, points that expire, locks of
// sessions and holders go too: listings and exports of the campaign would show a card that cannot be read. Publications
// stay, as part of what a customer was given.
const belongings: ReadonlyArray<[Declaration, string]> = [
  [giftTransactions, 'voucher_id'],
  [loyaltyTransactions, 'voucher_id'],
  [pointsBuckets, 'voucher_id'],
  [pendingPoints, 'voucher_id'],
  [sessionLocks, 'voucher_id'],
  [redeemableHolders, 'redeemable_id'],
]

/** Removes a voucher, also from the bin, which frees its code. */
export function removeVoucher(id: string, context: Tables): void {
  context.in(vouchers).remove(id)
  removeAssignments(id, context)
  removeRedemptionsOf(id, context)
  for (const [declared, field] of belongings)
    for (const one of context.in(declared).all([is(declared, field, id)])) context.in(declared).remove(one.id)
}
