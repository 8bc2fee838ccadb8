// What only certain types of campaign have: the rewards of referrals, the tiers of promotions.
// Source: docs/service/campaigns.md#create.
import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import type { newCampaign } from '../../../contract/new-campaign.ts'
import { newPromotionTier } from '../../../contract/promotions.ts'
import { existingById } from '../../answers/existing.ts'
import { checkBody } from '../../http/check-input.ts'
import { invalidPayload, refused } from '../../http/refusal.ts'
import type { Tables } from '../../http/route.ts'
import { settingsProblem } from '../../rules/balances/loyalty-tiers.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { eventSchemas } from '../../stores/schemas.ts'

type NewCampaign = z.output<typeof newCampaign>
type NewTier = z.output<typeof newPromotionTier>

const firstTiers = z.strictObject({ tiers: z.array(newPromotionTier) })

/** The members of a request that belong to one type of campaign alone. */
export type ProgramParts = Pick<NewCampaign, 'referral_program' | 'promotion' | 'loyalty_tiers_expiration' | 'options'>

const referralMembers = ['conversion_event_type', 'custom_event', 'referee_reward', 'referrer_reward']

/** Checks and completes the type-specific members of a campaign. Throws 400 for members that would be stored and ignored. */
export function programOf(
  type: StoredCampaign['campaign_type'],
  parts: ProgramParts,
  context: Tables,
): Pick<StoredCampaign, 'loyalty_tiers_expiration'> & { referral_program?: Record<string, unknown> } {
  const { referral_program, promotion, loyalty_tiers_expiration, options } = parts
  if (type === 'LOYALTY_PROGRAM') {
    const problem = loyalty_tiers_expiration && settingsProblem(loyalty_tiers_expiration)
    if (problem) throw invalidPayload(`Property .loyalty_tiers_expiration${problem}`)
    return loyalty_tiers_expiration === undefined ? {} : { loyalty_tiers_expiration }
  }
  // ASSUMED A228: what the sandbox does not act on is refused, not stored.
  for (const [name, value] of Object.entries({ loyalty_tiers_expiration, options }))
    if (value != null) throw invalidCampaign(`A ${type} campaign cannot have ${name}`)
  if (promotion && type !== 'PROMOTION') throw invalidCampaign(`A ${type} campaign cannot have a promotion`)
  if (!referral_program) return {}
  if (type !== 'REFERRAL_PROGRAM') throw invalidCampaign(`A ${type} campaign cannot have a referral_program`)
  return { referral_program: checkReferral(referral_program, context) }
}

/** 400 `invalid_campaign`. */
export function invalidCampaign(details: string) {
  return refused('invalid_campaign', details)
}

/** Reads the initial tiers of a new promotion. Throws 400. */
export function tiersOf(promotion: Record<string, unknown> | undefined): NewTier[] {
  const { tiers, ...others } = promotion ?? {}
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw invalidCampaign(`Property .promotion.${unknown} is not supported by the embedded service`)
  return checkBody(firstTiers, { tiers: tiers ?? [] }).tiers
}

function checkReferral(program: Record<string, unknown>, context: Tables): Record<string, unknown> {
  const unknown = Object.keys(program).find((name) => !referralMembers.includes(name))
  if (unknown !== undefined)
    throw invalidCampaign(`Property .referral_program.${unknown} is not supported by the embedded service`)
  const { conversion_event_type: event, custom_event } = program
  if (event !== 'redemption' && event !== 'custom_event')
    throw invalidCampaign('Property .referral_program.conversion_event_type must be one of redemption, custom_event')
  return {
    conversion_event_type: event,
    custom_event: event === 'custom_event' ? customEventOf(custom_event, context) : null,
    ...rewardOf('referee_reward', program.referee_reward, context),
    ...rewardOf('referrer_reward', program.referrer_reward, context),
  }
}

function rewardOf(name: string, reward: unknown, context: Tables): Record<string, unknown> {
  if (reward === undefined || reward === null) return {}
  const { related_object_parent: parent, type, amount } = reward as Record<string, unknown>
  // Some samples write the amount as text (docs/service/addresses.md#lenient-numbers).
  const points = typeof amount === 'string' && /^\d{1,15}$/.test(amount) ? Number(amount) : amount
  if (!Number.isSafeInteger(points) || (points as number) <= 0)
    throw invalidCampaign(`Property .referral_program.${name}.amount must be an integer above 0`)
  if (type !== 'LOYALTY_CARD' && type !== 'GIFT_VOUCHER')
    throw invalidCampaign(`Property .referral_program.${name}.type must be one of LOYALTY_CARD, GIFT_VOUCHER`)
  const id = parent && typeof parent === 'object' && 'id' in parent ? parent.id : undefined
  if (typeof id !== 'string')
    throw invalidCampaign(`Property .referral_program.${name}.related_object_parent should have required property 'id'`)
  const campaign = existingById(campaigns, id, context)
  const kind = type === 'LOYALTY_CARD' ? 'LOYALTY_PROGRAM' : 'GIFT_VOUCHERS'
  if (campaign.campaign_type !== kind)
    throw invalidCampaign(`Property .referral_program.${name} of type ${type} needs a ${kind} campaign`)
  const related_object_parent = { id, name: campaign.name, object: 'campaign' }
  return { [name]: { related_object_parent, type, amount: points } }
}

/** Returns the id and the name of an event that is named by either; an unknown name stays as it is sent. */
function customEventOf(event: unknown, context: Tables): object {
  const { id, name } = isRecord(event) ? event : {}
  if (typeof name === 'string') {
    const known = context.in(eventSchemas).find(name)
    return known ? { id: known.id, name } : (event as object)
  }
  if (typeof id !== 'string')
    throw invalidCampaign("Property .referral_program.custom_event should have required property 'name'")
  return { id, name: existingById(eventSchemas, id, context).name }
}
