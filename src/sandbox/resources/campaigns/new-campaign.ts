// A new campaign from a request. Its codes are made by generate.ts. Source: docs/service/campaigns.md#create.
import type { z } from 'zod'
import type { newCampaign } from '../../../contract/new-campaign.ts'
import { duplicate, invalidPayload, refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import {
  type CodeConfig,
  type CompleteCodeConfig,
  codeConfigProblem,
  completeCodeConfig,
  countOfCodes,
} from '../../rules/codes.ts'
import { parseDuration } from '../../rules/eligibility/duration.ts'
import { checkMetadata } from '../metadata/check.ts'
import { createTier } from '../promotions/tiers.ts'
import { assignRules } from '../validation-rules/assignments.ts'
import { checkContents, voucherTypeOf } from '../vouchers/create.ts'
import { checkedDiscount, checkValidity, validityLimitsOf } from '../vouchers/limits.ts'
import { checkVoucherType, findReferencedCategory, findReferencedRules } from '../vouchers/references.ts'
import { invalidCampaign, programOf, tiersOf } from './programs.ts'
import { type CampaignVoucher, campaigns, type StoredCampaign } from './store.ts'

export type NewCampaign = z.output<typeof newCampaign>

/** How many codes a campaign can have. Source: docs/service/limits.md#volume-limits. */
const codesPerCampaign = 100_000

/** Creates a campaign with its rule assignments, without codes. Throws 400, 404 or 409. */
export function insertCampaign(body: NewCampaign, context: Context): StoredCampaign {
  const voucher = campaignVoucherOf(body)
  if (body.vouchers_count) checkCodeCapacity(voucher, 0, body.vouchers_count)
  const campaign = buildCampaign(body, voucher, context)
  checkMetadata(context, metadataSchemaOf(campaign), campaign.metadata)
  const rules = findReferencedRules(body.validation_rules ?? [], context)
  if (context.in(campaigns).holdsKey(body.name)) throw duplicate('campaign', body.name, 'name')
  context.in(campaigns).insert(campaign)
  assignRules(rules, { id: campaign.id, type: 'campaign' }, context)
  // ASSUMED A229: tiers that come with their campaign are announced with it, not one by one.
  for (const tier of tiersOf(body.promotion)) createTier(campaign, tier, context)
  return campaign
}

/** Names the metadata schema a campaign follows. */
export function metadataSchemaOf(campaign: StoredCampaign): 'voucher' | 'campaign' {
  return campaign.use_voucher_metadata_schema === false ? 'campaign' : 'voucher'
}

/** Builds a campaign that passes every check about itself; nothing is stored. Throws 400 or 404. */
export function buildCampaign(
  body: NewCampaign,
  voucher: CampaignVoucher | undefined,
  context: Pick<Context, 'id' | 'in' | 'now'>,
): StoredCampaign {
  const { campaign_type } = body
  const limits = validityLimitsOf(body)
  checkValidity(limits)
  const program = programOf(campaign_type, body, context)
  // ASSUMED A230: a campaign is AUTO_UPDATE, switched on and without codes unless the request says otherwise.
  const type = body.type ?? 'AUTO_UPDATE'
  return {
    id: context.id(campaigns.prefix),
    name: body.name,
    description: body.description ?? null,
    campaign_type,
    type,
    ...(voucher && { voucher }),
    ...program,
    auto_join: body.auto_join ?? false,
    join_once: joinOnce(campaign_type, type, body.join_once),
    use_voucher_metadata_schema: body.use_voucher_metadata_schema ?? true,
    ...limits,
    activity_duration_after_publishing: checkedDuration(body.activity_duration_after_publishing),
    active: body.active ?? true,
    metadata: body.metadata ?? {},
    ...findReferencedCategory(body, context),
    creation_status: 'DONE',
    vouchers_generation_status: 'DONE',
    protected: false,
    created_at: context.now,
    updated_at: null,
    object: 'campaign',
  }
}

/** Checks what the codes of a campaign are to be. Throws 400. */
export function campaignVoucherOf(body: Pick<NewCampaign, 'campaign_type' | 'voucher'>): CampaignVoucher | undefined {
  const { campaign_type, voucher } = body
  if (campaign_type === 'PROMOTION') {
    if (voucher) throw invalidCampaign('A PROMOTION campaign has no vouchers')
    return undefined
  }
  if (!voucher) throw invalidPayload("Payload must have required property 'voucher'")
  const type = voucherTypeOf(voucher)
  checkVoucherType(campaign_type, type)
  checkContents(type, voucher)
  const { discount, gift, loyalty_card, redemption, code_config = {} } = voucher
  return {
    type,
    ...(discount && { discount: checkedDiscount(discount) }),
    ...(gift && { gift: { amount: gift.amount, ...(gift.effect && { effect: gift.effect }) } }),
    ...(loyalty_card && { loyalty_card: cardsOf(loyalty_card) }),
    redemption: { quantity: redemption?.quantity ?? null },
    code_config: checkedCodeConfig(code_config),
    is_referral_code: campaign_type === 'REFERRAL_PROGRAM',
  }
}

function cardsOf({
  points,
  expiration_rules,
}: {
  points: number
  expiration_rules?: Record<string, unknown> | null | undefined
}) {
  return { points, ...(expiration_rules && { expiration_rules }) }
}

/** Completes the form of codes. Throws 400 `invalid_code_config` for one that no codes can be made of. */
export function checkedCodeConfig(config: CodeConfig): CompleteCodeConfig {
  const problem = codeConfigProblem(config)
  if (problem) throw invalidCodeConfig(problem)
  return completeCodeConfig(config)
}

/** Refuses codes beyond what a campaign, or the pattern, has room for. Throws 400. */
export function checkCodeCapacity(voucher: CampaignVoucher | undefined, present: number, wanted: number): void {
  if (!voucher) throw invalidCampaign('This campaign has no vouchers')
  // ASSUMED A231: the published default limit of 100 000 codes is a limit of every campaign here.
  if (present + wanted > codesPerCampaign)
    throw refused(
      'invalid_campaign_params',
      'Invalid campaign params',
      `A campaign can have ${codesPerCampaign} vouchers`,
    )
  const possible = countOfCodes(voucher.code_config)
  if (wanted > possible)
    throw invalidCodeConfig(`The pattern ${voucher.code_config.pattern} allows ${possible} codes, not ${wanted}`)
}

/** Checks how long something is valid once it is published. Throws 400. */
export function checkedDuration(duration: string | null | undefined): string | null {
  if (duration == null) return null
  if (!parseDuration(duration))
    throw invalidPayload('Property .activity_duration_after_publishing must be an ISO 8601 duration')
  return duration
}

// Documented: never for standalone campaigns, always for loyalty programs. ASSUMED A232: and once where nothing is said.
function joinOnce(campaignType: string, type: string, asked: boolean | undefined): boolean {
  if (campaignType === 'LOYALTY_PROGRAM') return true
  return type === 'STANDALONE' ? false : (asked ?? true)
}

function invalidCodeConfig(details: string) {
  return refused('invalid_code_config', 'Invalid code config', details)
}
