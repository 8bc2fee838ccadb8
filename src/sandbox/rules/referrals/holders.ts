// Checks who may be added to a referral code as a referee; with any refusal, no one is added.
// Source: docs/service/referrals.md#add-holders.
import { duplicate, notFound, type RefusalBody, refuse } from '../failures.ts'

/** A customer as the request names one. When both ids are sent, `id` decides. */
export interface HolderRequest {
  id?: string | null
  source_id?: string | null
}

/** The part of a referral code that concerns holders. */
export interface ReferralVoucher {
  id: string
  campaign_id?: string | null
  is_referral_code?: boolean | null
}

/** The target of the request: the code in the path, and the campaign when the path names one. */
export interface HolderTarget {
  memberId: string
  voucher: ReferralVoucher | undefined
  campaignId?: string
  campaign?: { id: string } | undefined
  isPublished: boolean
}

/** Refuses a list of holders in which a customer is listed twice. */
export function holderListRefusal(holders: readonly HolderRequest[]): RefusalBody | undefined {
  const twice = findRepeated(holders.map(({ id }) => id)) ?? findRepeated(holders.map(({ source_id }) => source_id))
  return twice === undefined ? undefined : duplicate('customer', twice)
}

/** Refuses a target that does not exist, is not a referral code, or is not yet published to a referrer. */
export function holderTargetRefusal(target: HolderTarget): RefusalBody | undefined {
  const { memberId, voucher, campaignId, campaign, isPublished } = target
  if (campaignId !== undefined && !campaign) return notFound('campaign', campaignId)
  // ASSUMED A691: a code of another campaign than the path names is not found there.
  if (!voucher || (campaign && voucher.campaign_id !== campaign.id)) return notFound('voucher', memberId)
  if (!voucher.is_referral_code) {
    // ASSUMED A692: the key for a code that is not a referral code; the documents have none for it.
    return refuse('invalid_voucher', 'Holders can only be added to a referral code')
  }
  if (isPublished) return undefined
  return refuse('not_published', 'Referral code must be first published to Referrer before assigning it to Referee')
}

/**
 * Refuses customers by the stored customers they match, in the order of the request.
 *
 * `found` are the ids of the stored customers that match an entry's `id` and `source_id`, empty for a new customer;
 * `holderIds` are all who already hold the code, including the referrer.
 */
export function resolvedHoldersRefusal(
  holders: readonly { request: HolderRequest; found: readonly string[] }[],
  holderIds: ReadonlySet<string>,
): RefusalBody | undefined {
  const split = holders.find(({ found }) => new Set(found).size > 1)
  if (split) return duplicate('customer', nameOf(split.request))
  const twice = findRepeated(holders.map(({ found }) => found[0]))
  if (twice !== undefined) return duplicate('customer', twice)
  const holding = holders.find(({ found }) => found[0] !== undefined && holderIds.has(found[0]))
  if (!holding) return undefined
  return {
    code: 409,
    // The spelling of the service.
    key: 'holder_assignement_duplication',
    message: 'Customer is already assigned to given redeemable',
    details: nameOf(holding.request),
    resource_id: holding.found[0] ?? nameOf(holding.request),
    resource_type: 'customer',
  }
}

function nameOf({ id, source_id }: HolderRequest): string {
  return id || source_id || ''
}

function findRepeated(names: readonly (string | null | undefined)[]): string | undefined {
  const seen = new Set<string>()
  for (const name of names) {
    if (!name) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}
