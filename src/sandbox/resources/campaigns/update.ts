// Changes to a stored campaign: enabled and disabled, updated. Its vouchers are updated by update-vouchers.ts.
// Source: docs/service/campaigns.md#vouchers-follow-an-update; docs/service/campaigns.md#update.
import { isDeepStrictEqual } from 'node:util'
import type * as contract from '../../../contract/campaigns.ts'
import type { Metadata } from '../../../contract/fields.ts'
import { type CampaignAnswer, campaignAnswer } from '../../answers/campaigns.ts'
import { refreshMembers } from '../../answers/loyalty.ts'
import { refused } from '../../http/refusal.ts'
import type { BodyOf, Context } from '../../http/route.ts'
import { validityFields } from '../../rules/eligibility/validity.ts'
import { type CampaignVoucher, campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { checkMetadata } from '../metadata/check.ts'
import { mergeMetadata, storeUpdate, type UpdateResult } from '../update.ts'
import { addRules } from '../validation-rules/assign.ts'
import { checkValidity, findReferencedCategory, validityLimitsOf } from '../vouchers/parts.ts'
import { campaignVoucherOf, checkDuration, metadataSchemaOf } from './new-campaign.ts'
import { invalidCampaign, programOf } from './programs.ts'
import { startVoucherUpdate } from './update-vouchers.ts'

type Update = BodyOf<typeof contract.updateCampaign>

/** Enables or disables a campaign; one that already is in that state is left as it is. Throws 400. */
export function setCampaignActive(
  campaign: StoredCampaign,
  active: boolean,
  context: Context,
): UpdateResult<StoredCampaign> {
  mustBeCreated(campaign)
  return storeUpdate(campaigns, campaign, { ...campaign, active }, context)
}

/** Applies an update, announces it as `campaign.updated`, and lets the vouchers follow. Throws 400 or 404. */
export function changeCampaign(before: StoredCampaign, body: Update, context: Context): CampaignAnswer {
  const { doc, isChanged } = updateCampaign(before, body, context)
  const answer = campaignAnswer(doc, context)
  if (isChanged) {
    context.emit('campaign.updated', doc.id, { campaign: answer, updated_at: context.now })
    startVoucherUpdate(before, doc, context)
  }
  recalculateTiers(before, doc, body, context)
  return answer
}

/** Lets the tiers of the members follow the settings, as the request asks: nobody moves without that. */
function recalculateTiers(before: StoredCampaign, after: StoredCampaign, { options }: Update, context: Context): void {
  const { recalculate_tiers: isAsked = false } = options ?? {}
  const isChanged = !isDeepStrictEqual(before.loyalty_tiers_expiration, after.loyalty_tiers_expiration)
  if (isAsked || isChanged) refreshMembers(after, isAsked ? 'RECALCULATE' : 'KEEP', context)
}

/** Applies an update. Omitted members keep their value, null clears. Throws 400 or 404. */
function updateCampaign(campaign: StoredCampaign, body: Update, context: Context): UpdateResult<StoredCampaign> {
  if (campaign.protected) throw refused('resource_protected', `Campaign ${campaign.id} is protected`)
  mustBeCreated(campaign)
  const next: StoredCampaign = { ...campaign, ...validityLimitsOf({ ...campaign, ...pickGiven(body, validityFields) }) }
  checkValidity(next)
  Object.assign(next, pickGiven(body, plainNames), programOf(campaign.campaign_type, body, context))
  if (body.type !== undefined) next.type = changedType(campaign, body.type)
  const voucher = voucherChangesOf(body)
  if (voucher) next.voucher = changedVoucher(campaign, voucher)
  if (body.category !== undefined || body.category_id !== undefined)
    Object.assign(next, findReferencedCategory(body, context))
  if (body.activity_duration_after_publishing !== undefined)
    next.activity_duration_after_publishing = checkDuration(body.activity_duration_after_publishing)
  next.metadata = withoutKeys(mergeMetadata(campaign.metadata, body.metadata), body.unset_metadata_fields ?? [])
  if (body.metadata !== undefined || body.unset_metadata_fields)
    checkMetadata(context, metadataSchemaOf(next), next.metadata)
  const rulesChanged = addRules(body.validation_rules ?? [], { id: campaign.id, type: 'campaign' }, context)
  const change = storeUpdate(campaigns, campaign, next, context)
  return { ...change, isChanged: change.isChanged || rulesChanged }
}

/** Refuses a change while codes are being made. Throws 400 `invalid_campaign`. */
function mustBeCreated({ creation_status }: StoredCampaign): void {
  // ASSUMED A1750: the key and the wording; published is only that a campaign is not changed before it is DONE.
  if (creation_status === 'IN_PROGRESS')
    throw invalidCampaign('The campaign is still being created: wait until its creation_status is DONE')
}

/** What an update changes of the codes: named in `voucher`, or beside it. */
function voucherChangesOf({ voucher, discount, gift, loyalty_card }: Update): Update['voucher'] {
  if (discount === undefined && gift === undefined && loyalty_card === undefined) return voucher
  return { ...voucher, ...(discount && { discount }), ...(gift && { gift }), ...(loyalty_card && { loyalty_card }) }
}

function withoutKeys(metadata: Metadata, keys: readonly string[]): Metadata {
  return keys.length === 0
    ? metadata
    : Object.fromEntries(Object.entries(metadata).filter(([key]) => !keys.includes(key)))
}

const plainNames = ['description', 'active', 'auto_join', 'join_once', 'use_voucher_metadata_schema'] as const

function pickGiven<Name extends keyof Update>(body: Update, names: readonly Name[]): Partial<Pick<Update, Name>> {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  ) as Partial<Pick<Update, Name>>
}

function changedType(campaign: StoredCampaign, type: StoredCampaign['type']): StoredCampaign['type'] {
  // ASSUMED A236: a campaign of standalone codes does not become one that generates its own, or vice versa.
  if ((type === 'STANDALONE') !== (campaign.type === 'STANDALONE'))
    throw invalidCampaign('It is not possible to change Campaign type from or to STANDALONE')
  return type
}

function changedVoucher(campaign: StoredCampaign, part: NonNullable<Update['voucher']>): CampaignVoucher {
  const { voucher: before, campaign_type } = campaign
  // Omitted members keep their value; a discount is replaced entirely.
  const voucher = { ...before, ...part } as NonNullable<Update['voucher']>
  const after = campaignVoucherOf({ campaign_type, voucher })
  if (!after) throw invalidCampaign('This campaign has no vouchers')
  if (before && after.type !== before.type) throw invalidCampaign('It is not possible to change Voucher type')
  if (before?.discount && after.discount?.type !== before.discount.type)
    throw invalidCampaign('It is not possible to change Voucher discount type')
  return after
}
