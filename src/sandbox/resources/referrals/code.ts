// The referral code that a path names. Source: docs/service/referrals.md#add-holders.
import { Refusal } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { holderTargetRefusal } from '../../rules/holders.ts'
import { campaigns } from '../campaigns/store.ts'
import { type StoredVoucher, vouchers } from '../vouchers/store.ts'

/** The campaign is absent in the second form of the path. */
export interface CodePath {
  memberId: string
  campaignId?: string
}

/** Finds a referral code by code or id. Throws 404, and 400 `invalid_voucher` for a code that is none. */
export function referralCodeOf(path: CodePath, context: Pick<Context, 'in'>): StoredVoucher {
  const campaign = path.campaignId === undefined ? undefined : context.in(campaigns).find(path.campaignId)
  const voucher = context.in(vouchers).find(path.memberId)
  const refusal = holderTargetRefusal({ ...path, voucher, campaign, isPublished: true })
  if (refusal || !voucher) throw new Refusal(refusal as NonNullable<typeof refusal>)
  return voucher
}

/** Finds such a code that was published to a referrer. Throws as referralCodeOf does, and 400 `not_published`. */
export function publishedCodeOf(path: CodePath, context: Pick<Context, 'in'>): StoredVoucher {
  const voucher = referralCodeOf(path, context)
  const isPublished = voucher.publish.count > 0 || voucher.holder_id !== null
  const refusal = holderTargetRefusal({ memberId: path.memberId, voucher, isPublished })
  if (refusal) throw new Refusal(refusal)
  return voucher
}
