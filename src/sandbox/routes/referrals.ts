// The holders of referral codes. Source: docs/service/referrals.md#add-holders; docs/service/referrals.md#calls.
import { z } from 'zod'
import { metadata } from '../../contract/fields.ts'
import * as contract from '../../contract/referrals.ts'
import { existingById, existingPart, routesOf } from '../answers/existing.ts'
import { checkWire } from '../http/check-input.ts'
import { identityOf } from '../http/fixture-object.ts'
import { forbidden, notFound, Refusal } from '../http/refusal.ts'
import { cursorAnswer, type FixtureContext, type Resource, type Tables } from '../http/route.ts'
import { addReferees, holderOf } from '../resources/referrals/holders.ts'
import { holderTargetRefusal } from '../rules/referrals/holders.ts'
import { is } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { customers } from '../stores/customers.ts'
import { redeemableHolders, referralConversions, type StoredRedeemableHolder } from '../stores/referrals.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'

const about = routesOf(referralCodeOf)

/** Holders of a referral code, which is named by code or id, with or without its campaign. */
export const referralResource: Resource = {
  collections: [redeemableHolders, referralConversions],
  load: { redeemable_holders: loadHolder },
  routes: [
    ...routesOf(publishedCodeOf)([contract.addHolders, contract.addCampaignHolders], (code, context, { body }) => ({
      holders: addReferees(code, body, context),
    })),
    // ASSUMED A271: holders are listed newest first.
    ...about([contract.listHolders, contract.listCampaignHolders], ({ id }, context, { query }) =>
      cursorAnswer(redeemableHolders, query, context, { where: [is(redeemableHolders, 'redeemable_id', id)] }),
    ),
    ...about([contract.removeHolder, contract.removeCampaignHolder], ({ id }, context, { path }) => {
      const holder = existingPart(redeemableHolders, path.holderId, { redeemable_id: id }, context)
      if (holder.holder_role === 'REFERRER')
        throw forbidden('You can not remove Referrer assignment', 'Can not remove assignment')
      context.in(redeemableHolders).remove(holder.id)
    }),
  ],
}

/** The campaign is absent in the second form of the path. */
interface CodePath {
  memberId: string
  campaignId?: string
}

/** Finds a referral code by code or id. Throws 404, and 400 `invalid_voucher` for another kind of voucher. */
function referralCodeOf(path: CodePath, context: Tables): StoredVoucher {
  const campaign = path.campaignId === undefined ? undefined : context.in(campaigns).find(path.campaignId)
  const voucher = context.in(vouchers).find(path.memberId)
  const refusal = holderTargetRefusal({ ...path, voucher, campaign, isPublished: true })
  if (refusal || !voucher) throw new Refusal(refusal as NonNullable<typeof refusal>)
  return voucher
}

/** Finds such a code that was published to a referrer. Throws as referralCodeOf does, and 400 `not_published`. */
function publishedCodeOf(path: CodePath, context: Tables): StoredVoucher {
  const voucher = referralCodeOf(path, context)
  const isPublished = voucher.publish.count > 0 || voucher.holder_id !== null
  const refusal = holderTargetRefusal({ memberId: path.memberId, voucher, isPublished })
  if (refusal) throw new Refusal(refusal)
  return voucher
}

const wireHolder = z.looseObject({
  redeemable_id: z.string().min(1),
  customer_id: z.string().min(1),
  holder_role: z.enum(['REFERRER', 'REFEREE']),
  metadata: metadata.optional(),
})

/** Reads a holder of a referral code. Throws the refusal of one whose code or customer does not exist. */
function loadHolder(wire: Record<string, unknown>, loading: FixtureContext): StoredRedeemableHolder {
  const { redeemable_id, customer_id, holder_role, metadata = {} } = checkWire(wireHolder, wire)
  const voucher = loading.in(vouchers).get(redeemable_id)
  if (!voucher?.is_referral_code) throw notFound('voucher', redeemable_id)
  existingById(customers, customer_id, loading)
  return holderOf(voucher, identityOf(redeemableHolders, wire, loading), { customer_id, holder_role, metadata })
}
