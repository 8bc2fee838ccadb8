// Selects the codes that a publication assigns: the one it names, or free ones of a campaign.
// Source: docs/service/publications.md#which-code-is-given.

import { notFound, refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { inheritedLimits } from '../../rules/eligibility/usability.ts'
import { validityState } from '../../rules/eligibility/validity.ts'
import { type Condition, is, isWithoutIndex } from '../../storage/conditions.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { neverPublished, type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { addVoucher } from '../campaigns/vouchers.ts'

/** Codes to assign, and the campaign they belong to. */
export interface SelectedVouchers {
  vouchers: StoredVoucher[]
  campaign: StoredCampaign | undefined
}

// ASSUMED A241: a publication assigns at most twenty codes; the limit is not published.
const codesPerPublication = 20

/** Finds a voucher by code or id, which must belong to the campaign when one is given. Throws 404. */
export function voucherToPublish(
  codeOrId: string,
  campaign: StoredCampaign | undefined,
  context: Context,
): StoredVoucher {
  const voucher = context.in(vouchers).find(codeOrId)
  // ASSUMED A242: a voucher of a campaign other than the one the request names is not found.
  if (!voucher || (campaign && voucher.campaign_id !== campaign.id)) throw notFound('voucher', codeOrId)
  return voucher
}

/** Refuses a named voucher that cannot be used or is already taken. Throws 400. */
export function checkIsFree(voucher: StoredVoucher, campaign: StoredCampaign | undefined, context: Context): void {
  if (!isUsable(voucher, campaign, context)) throw refused('voucher_cannot_be_published', voucher.code)
  if (!isShared(voucher, campaign) && isTaken(voucher)) throw refused('voucher_already_published', voucher.code)
}

/** Picks free codes of a campaign, oldest first; AUTO_UPDATE campaigns generate the missing ones. Throws 400. */
export function freeVouchers(campaign: StoredCampaign, count: number, context: Context): StoredVoucher[] {
  if (count > codesPerPublication)
    throw refused(
      'too_many_vouchers_requested',
      `No more than ${codesPerPublication} vouchers can be published at once`,
    )
  const found = campaign.active ? candidates(campaign, count, context) : []
  const mayGrow = campaign.type === 'AUTO_UPDATE' && campaign.active && campaign.voucher !== undefined
  while (mayGrow && found.length < count) {
    const made = addVoucher(campaign, undefined, undefined, context)
    if (!isUsable(made, campaign, context)) break
    found.push(made)
  }
  if (found.length < count)
    throw refused(
      'no_voucher_suitable_for_publication',
      `Campaign ${campaign.name} has no ${count === 1 ? 'voucher' : `${count} vouchers`} that can be published`,
    )
  return found
}

/**
 * Returns whether a code is for all customers: a discount that is not one of many generated for one customer each.
 *
 * ASSUMED A243: such codes can be published to any number of customers; the first of them is shown as the holder.
 */
function isShared(voucher: StoredVoucher, campaign: StoredCampaign | undefined): boolean {
  const isOwn = voucher.type !== 'DISCOUNT_VOUCHER' || voucher.is_referral_code
  return !isOwn && (campaign === undefined || campaign.type === 'STANDALONE')
}

function candidates(campaign: StoredCampaign, count: number, context: Context): StoredVoucher[] {
  const table = context.in(vouchers)
  const ofCampaign = is(vouchers, 'campaign_id', campaign.id)
  let where: Condition[] = [ofCampaign]
  if (campaign.type !== 'STANDALONE' || campaign.campaign_type !== 'DISCOUNT_COUPONS') {
    // Walks past the free codes of other campaigns, or past the taken ones of this: whichever can be fewer.
    const isMost = 2 * table.count([ofCampaign]) > table.count()
    const [own, free] = isMost ? [isWithoutIndex, is] : [is, isWithoutIndex]
    where = [own(vouchers, 'campaign_id', campaign.id), free(vouchers, 'holder_id', null), neverPublished]
  }
  const found: StoredVoucher[] = []
  let after: string | undefined
  do {
    const page = table.cursor(where, 'id', 100, after)
    found.push(...page.items.filter((voucher) => isUsable(voucher, campaign, context)))
    after = page.more_starting_after
  } while (after !== undefined && found.length < count)
  return found.slice(0, count)
}

function isTaken(voucher: StoredVoucher): boolean {
  return voucher.holder_id !== null || voucher.publish.count > 0
}

function isUsable(voucher: StoredVoucher, campaign: StoredCampaign | undefined, context: Context): boolean {
  const { quantity, redeemed_quantity } = voucher.redemption
  if (!voucher.active || campaign?.active === false) return false
  if (quantity !== null && redeemed_quantity >= quantity) return false
  return (
    validityState(
      inheritedLimits(voucher, campaign as Parameters<typeof inheritedLimits>[1]),
      context.now,
      context.project.timezone,
    ) !== 'expired'
  )
}
