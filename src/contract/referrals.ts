// Customers attached to a referral code.
// Source: docs/service/referrals.md#holders; docs/service/referrals.md#add-holders; docs/service/referrals.md#list-holders.
import { z } from 'zod'
import { filteredListing } from './calls-about.ts'
import { identifiedCustomer } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { emptyAnswer, metadata } from './fields.ts'

/** How many holders one request may add. Source: docs/service/referrals.md#add-holders. */
export const holdersPerRequest = 100

/** The customers to attach, and the metadata to store for each of them. */
export const newHolders = z.strictObject({
  holders: z.array(identifiedCustomer).min(1).max(holdersPerRequest),
  metadata: metadata.optional(),
})

/** One customer of a referral code; its owner has the role `REFERRER`, all others have `REFEREE`. */
export const holder = z.looseObject({
  id: z.string(),
  object: z.literal('redeemable_holder'),
  customer_id: z.string(),
  holder_role: z.string().optional(),
})

/** Declares the calls about the holders of one code, below a path. */
function holderCalls<const Path extends string>(id: string, path: Path, code: string) {
  const all = `${path}/holders` as const
  return {
    /**
     * All of them or none.
     *
     * A customer who is already attached is refused with 409 `holder_assignement_duplication`, so a batch whose answer was
     * lost may be sent again.
     */
    add: endpoint(`${id}.add`, `Add holders to ${code}`, {
      call: `POST ${all}`,
      body: newHolders,
      response: z.looseObject({ holders: z.array(holder) }),
      repeat: 'key',
      // A batch that names one customer twice is refused as a duplicate too, and then none of it was applied.
      // Source: docs/service/referrals.md#errors.
      taken: ['holder_assignement_duplication'],
      proof: { by: 'batch' },
      source: 'docs/service/referrals.md#add-holders',
    }),
    /** The owner of the code is among them. */
    list: endpoint(`${id}.list`, `List the holders of ${code}`, {
      ...filteredListing,
      call: `GET ${all}`,
      source: 'docs/service/referrals.md#list-holders',
    }),
    /** Refused with 403 for the code's owner. */
    remove: endpoint(`${id}.remove`, `Remove a holder from ${code}`, {
      call: `DELETE ${all}/{holderId}`,
      response: emptyAnswer,
      source: 'docs/service/referrals.md#remove-a-holder',
    }),
  }
}

/** Attach customers to a referral code, by code or id, list them, and remove a referee. */
export const {
  add: addHolders,
  list: listHolders,
  remove: removeHolder,
} = holderCalls('referrals.holders', '/v1/referrals/members/{memberId}', 'a referral code')

/** The same for a code that must belong to the campaign. */
export const {
  add: addCampaignHolders,
  list: listCampaignHolders,
  remove: removeCampaignHolder,
} = holderCalls(
  'referrals.campaign-holders',
  '/v1/referrals/{campaignId}/members/{memberId}',
  "a campaign's referral code",
)
