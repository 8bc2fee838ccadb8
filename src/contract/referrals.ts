// Customers attached to a referral code.
// Source: docs/service/referrals.md#holders; docs/service/referrals.md#add-holders; docs/service/referrals.md#list-holders.
import { z } from 'zod'
import { identifiedCustomer } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { emptyAnswer, metadata } from './fields.ts'
import { byId, cursorListing, filters } from './listing.ts'

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

const addedHolders = z.looseObject({ holders: z.array(holder) })
const listQuery = z.strictObject({ ...byId, filters: filters.optional() })

/**
 * Attaches customers to a referral code, by code or id: all of them or none.
 *
 * A customer who is already attached is refused with 409 `holder_assignement_duplication`, so a batch whose answer was
 * lost may be sent again.
 */
export const addHolders = endpoint('referrals.holders.add', {
  call: 'POST /v1/referrals/members/{memberId}/holders',
  body: newHolders,
  response: addedHolders,
  repeat: 'key',
  source: 'docs/service/referrals.md#add-holders',
  summary: 'Add holders to a referral code',
})

/** The same for a code that must belong to the campaign. */
export const addCampaignHolders = endpoint('referrals.campaign-holders.add', {
  call: 'POST /v1/referrals/{campaignId}/members/{memberId}/holders',
  body: newHolders,
  response: addedHolders,
  repeat: 'key',
  source: 'docs/service/referrals.md#add-holders',
  summary: "Add holders to a campaign's referral code",
})

/** Lists the holders of a referral code, including its owner. */
export const listHolders = endpoint('referrals.holders.list', {
  ...cursorListing,
  call: 'GET /v1/referrals/members/{memberId}/holders',
  query: listQuery,
  source: 'docs/service/referrals.md#list-holders',
  summary: 'List the holders of a referral code',
})

/** The same for a code that must belong to the campaign. */
export const listCampaignHolders = endpoint('referrals.campaign-holders.list', {
  ...cursorListing,
  call: 'GET /v1/referrals/{campaignId}/members/{memberId}/holders',
  query: listQuery,
  source: 'docs/service/referrals.md#list-holders',
  summary: "List the holders of a campaign's referral code",
})

/** Removes a referee from a code. Refused with 403 for the code's owner. */
export const removeHolder = endpoint('referrals.holders.remove', {
  call: 'DELETE /v1/referrals/members/{memberId}/holders/{holderId}',
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/referrals.md#remove-a-holder',
  summary: 'Remove a holder from a referral code',
})

/** The same for a code that must belong to the campaign. */
export const removeCampaignHolder = endpoint('referrals.campaign-holders.remove', {
  call: 'DELETE /v1/referrals/{campaignId}/members/{memberId}/holders/{holderId}',
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/referrals.md#remove-a-holder',
  summary: "Remove a holder from a campaign's referral code",
})
