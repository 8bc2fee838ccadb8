// Rewards and the programs that offer them.
// Source: docs/service/loyalty.md#rewards; docs/service/loyalty.md#errors; docs/service/webhooks.md#event-names;
// docs/service/loyalty.md#rewards-that-redeem-themselves.
import type { z } from 'zod'
import { withoutUndefined } from '../../../base/record.ts'
import type { Metadata } from '../../../contract/fields.ts'
import { newReward, type newRewardAssignment } from '../../../contract/rewards.ts'
import { assignRules } from '../../answers/assignments.ts'
import { existingById } from '../../answers/existing.ts'
import { automaticOffer, offerIn } from '../../answers/loyalty.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { duplicate, invalidPayload, notFound, refused } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { rewardAssignments, rewards, type StoredReward, type StoredRewardAssignment } from '../../stores/loyalty.ts'
import type { StoredVoucher } from '../../stores/vouchers.ts'
import { checkMetadata } from '../metadata/check.ts'
import { mergeMetadata, storeUpdate, type UpdateResult } from '../update.ts'
import { addRules } from '../validation-rules/assign.ts'
import { findReferencedRules } from '../vouchers/parts.ts'

type NewReward = z.output<typeof newReward>
type NewAssignment = z.output<typeof newRewardAssignment>

/** Stores a reward, not yet offered by any program. Throws 400. */
export function createReward(body: NewReward, context: Context): StoredReward {
  checkMetadata(context, 'reward', body.metadata)
  const identity = { id: context.id(rewards.prefix), created_at: context.now, updated_at: null }
  return context.in(rewards).insert({ ...identity, ...contentOf(body, context) })
}

/** Changes a reward; omitted members keep their value. Throws 400. */
export function updateReward(reward: StoredReward, body: Partial<NewReward>, context: Context) {
  const given = withoutUndefined(body)
  const metadata = mergeMetadata(reward.metadata as Metadata | undefined, body.metadata)
  checkMetadata(context, 'reward', metadata)
  const asked = { ...(reward as unknown as NewReward), ...given, type: reward.type, metadata }
  const { redeemed } = reward
  const next = { ...reward, ...contentOf(asked, context), ...(redeemed !== undefined && { redeemed }) }
  return storeUpdate(rewards, reward, next, context).doc
}

/** Removes a reward. Throws 400 `resource_in_use` while a program offers it. */
export function deleteReward({ id }: StoredReward, context: Context): void {
  const offers = context.in(rewardAssignments).all([is(rewardAssignments, 'reward_id', id)])
  if (offers.length > 0)
    throw refused('resource_in_use', `Reward ${id} is assigned: ${offers.map((offer) => offer.id).join(', ')}`)
  context.in(rewards).remove(id)
}

/** Offers a reward in a program. Throws 404, 400 without the required price, 409 when it is already offered there. */
export function assignReward(campaign: StoredCampaign, body: NewAssignment, context: Context): StoredRewardAssignment {
  const reward = existingById(rewards, body.reward, context)
  mustBePriced(reward, body)
  mustBeTheOnlyAutomatic(campaign.id, body, undefined, context)
  const rules = findReferencedRules(body.validation_rules ?? [], context)
  const there = offerIn(campaign.id, reward.id, context)
  if (there) throw duplicate('reward_assignment', there.id)
  const assignment: StoredRewardAssignment = {
    id: context.id(rewardAssignments.prefix),
    reward_id: reward.id,
    related_object_id: campaign.id,
    related_object_type: 'campaign',
    ...priceOf(body),
    created_at: context.now,
    updated_at: null,
    object: 'reward_assignment',
  }
  context.in(rewardAssignments).insert(assignment)
  assignRules(rules, { id: assignment.id, type: 'reward_assignment' }, context)
  return assignment
}

/** Changes the price of a reward in a program. Throws 400 without the required price. */
export function updateRewardAssignment(
  assignment: StoredRewardAssignment,
  body: Omit<NewAssignment, 'reward'>,
  context: Context,
): UpdateResult<StoredRewardAssignment> {
  const { parameters = assignment.parameters, validation_rules } = body
  const reward = context.in(rewards).get(assignment.reward_id)
  if (reward) mustBePriced(reward, { parameters })
  mustBeTheOnlyAutomatic(assignment.related_object_id, { parameters }, assignment.id, context)
  const rulesChanged = addRules(validation_rules ?? [], { id: assignment.id, type: 'reward_assignment' }, context)
  const next = { ...assignment, ...priceOf({ parameters }) }
  const { doc, isChanged } = storeUpdate(rewardAssignments, assignment, next, context)
  return { doc, isChanged: isChanged || rulesChanged }
}

/** Reads a reward of a fixture. Throws the refusal of an unsupported one. */
export function loadReward(wire: Record<string, unknown>, loading: FixtureContext): StoredReward {
  return { ...identityOf(rewards, wire, loading), ...contentOf(requestOf(newReward, wire), loading) }
}

/** Reads an assignment of a fixture. Throws the refusal of one whose reward does not exist. */
export function loadRewardAssignment(wire: Record<string, unknown>, loading: FixtureContext): StoredRewardAssignment {
  const { reward_id, related_object_id, parameters } = wire as unknown as StoredRewardAssignment
  if (!loading.in(rewards).get(String(reward_id))) throw notFound('reward', String(reward_id))
  if (typeof related_object_id !== 'string')
    throw invalidPayload("Payload must have required property 'related_object_id'")
  return {
    ...identityOf(rewardAssignments, wire, loading),
    reward_id,
    related_object_id,
    related_object_type: 'campaign',
    ...(parameters && { parameters }),
    object: 'reward_assignment',
  }
}

type Parameters = StoredReward['parameters']

const typeOfMember = { campaign: 'CAMPAIGN', coin: 'COIN', product: 'MATERIAL' } as const

function contentOf({ name, type: given, parameters, stock, attributes, metadata }: NewReward, context: Tables) {
  const type = given ?? impliedType(parameters)
  if (type === 'COIN' && !parameters.coin)
    throw invalidPayload("Property .parameters should have required property 'coin'")
  if (type !== 'COIN' && parameters.coin)
    throw invalidPayload(`Property .parameters.coin is not allowed for a ${type} reward`)
  if (type !== 'MATERIAL' && stock != null) throw invalidPayload(`Property .stock is not allowed for a ${type} reward`)
  const { coin, campaign, ...others } = JSON.parse(JSON.stringify(parameters)) as Parameters
  return {
    name,
    type,
    parameters: {
      ...others,
      ...(coin && {
        coin: { exchange_ratio: Number(coin.exchange_ratio), points_ratio: wholeRatio(coin.points_ratio) },
      }),
      ...(campaign && { campaign: source(campaign, context) }),
    },
    stock: stock ?? null,
    redeemed: null as number | null,
    attributes: attributes ? { ...attributes } : null,
    metadata: metadata ?? {},
    object: 'reward' as const,
  }
}

function impliedType(parameters: NewReward['parameters']): StoredReward['type'] {
  const named = Object.entries(typeOfMember).flatMap(([member, type]) => (parameters[member] ? [type] : []))
  const [type] = named
  if (!type || named.length > 1)
    throw invalidPayload(
      `Property .parameters must have exactly one of the properties ${Object.keys(typeOfMember).join(', ')}`,
    )
  return type
}

function wholeRatio(given: unknown): number {
  const points = Number(given ?? 1)
  if (!Number.isSafeInteger(points)) throw invalidPayload('Property .parameters.coin.points_ratio must be integer')
  return points
}

/** Completes the campaign that codes of a reward come from. Throws 404, and 400 `invalid_balance` for cards of nothing. */
function source({ id, balance }: NonNullable<Parameters['campaign']>, context: Tables) {
  const { campaign_type: type } = existingById(campaigns, id, context)
  const isCard = type === 'GIFT_VOUCHERS' || type === 'LOYALTY_PROGRAM'
  if (isCard && balance === undefined)
    throw refused('invalid_balance', `A reward of a ${type} campaign needs a balance above 0`)
  return { id, ...(balance !== undefined && { balance }), type }
}

/** The price of an offer; without the members that say nothing. */
function priceOf({ parameters }: Pick<NewAssignment, 'parameters'>): Pick<StoredRewardAssignment, 'parameters'> {
  if (!parameters) return {}
  const { points, auto_redeem } = parameters.loyalty
  return { parameters: { loyalty: { points, ...(auto_redeem != null && { auto_redeem }) } } }
}

function mustBePriced(reward: StoredReward, { parameters }: Pick<NewAssignment, 'parameters'>): void {
  if (reward.type === 'COIN') {
    if (parameters)
      throw invalidPayload('Property .parameters is not allowed for a COIN reward, whose price is its ratio')
    return
  }
  if (!parameters) throw invalidPayload("Payload must have required property 'parameters'")
}

/** Refuses a second reward of a program that is redeemed by itself. Throws 400. */
function mustBeTheOnlyAutomatic(
  campaignId: string,
  { parameters }: Pick<NewAssignment, 'parameters'>,
  own: string | undefined,
  context: Tables,
): void {
  if (!parameters?.loyalty.auto_redeem) return
  const other = automaticOffer(campaignId, context)
  // ASSUMED A1754: the key and the wording; published is that one reward of a program is redeemed by itself.
  if (other && other.id !== own)
    throw invalidPayload(`Property .parameters.loyalty.auto_redeem is already true of assignment ${other.id}`)
}

/** The job that redeems it. */
export const automaticRewardKind = 'loyalty.reward.automatic'

/** Enqueues the reward that a card may now have the points for. */
export function scheduleAutomaticReward(card: StoredVoucher, context: Context): void {
  if (card.campaign_id === null || card.holder_id === null) return
  if (automaticOffer(card.campaign_id, context)) context.later(automaticRewardKind, { voucher_id: card.id })
}
