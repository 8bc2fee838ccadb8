// Rewards and the programs that offer them.
// Source: docs/service/loyalty.md#rewards; docs/service/loyalty.md#errors; docs/service/webhooks.md#event-names.
import type { z } from 'zod'
import { withoutUndefined } from '../../../base/record.ts'
import type { Metadata } from '../../../contract/fields.ts'
import { newReward, type newRewardAssignment } from '../../../contract/rewards.ts'
import { duplicate, invalidPayload, notFound, refused } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import type { Context } from '../../http/route.ts'
import { identityOf, requestOf } from '../../seed/fixture-object.ts'
import { is } from '../../storage/conditions.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { existingById } from '../existing.ts'
import { checkMetadata } from '../metadata/check.ts'
import { mergeMetadata, storeUpdate } from '../update.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { rewardAssignments, type StoredRewardAssignment } from './reward-assignment-store.ts'
import { rewards, type StoredReward } from './reward-store.ts'

type NewReward = z.output<typeof newReward>
type NewAssignment = z.output<typeof newRewardAssignment>

/** Stores a reward, not yet offered by any program. Throws 400. */
export function createReward(body: NewReward, context: Context): StoredReward {
  checkMetadata(context, 'reward', body.metadata)
  const identity = { id: context.id(rewards.prefix), created_at: context.now, updated_at: null }
  const reward: StoredReward = { ...identity, ...contentOf(body) }
  context.in(rewards).insert(reward)
  return reward
}

/** Changes a reward; omitted members keep their value. Throws 400. */
export function updateReward(reward: StoredReward, body: Partial<Omit<NewReward, 'type'>>, context: Context) {
  const given = withoutUndefined(body)
  const metadata = mergeMetadata(reward.metadata as Metadata | undefined, body.metadata)
  checkMetadata(context, 'reward', metadata)
  const asked = { ...(reward as unknown as NewReward), ...given, metadata }
  return storeUpdate(rewards, reward, { ...reward, ...contentOf(asked) }, context).doc
}

/** Removes a reward. Throws 400 `resource_in_use` while a program offers it. */
export function deleteReward({ id }: StoredReward, context: Context): void {
  if (context.in(rewardAssignments).count([is(rewardAssignments, 'reward_id', id)]) > 0)
    throw refused('resource_in_use', `Reward ${id} is offered by a loyalty program`)
  context.in(rewards).remove(id)
}

/** Offers a reward in a program. Throws 404, 400 without the required price, 409 when it is already offered there. */
export function assignReward(campaign: StoredCampaign, body: NewAssignment, context: Context): StoredRewardAssignment {
  const reward = existingById(rewards, body.reward, context)
  mustBePriced(reward, body)
  const there = offerIn(campaign.id, reward.id, context)
  if (there) throw duplicate('reward_assignment', there.id)
  const assignment: StoredRewardAssignment = {
    id: context.id(rewardAssignments.prefix),
    reward_id: reward.id,
    related_object_id: campaign.id,
    related_object_type: 'campaign',
    ...(body.parameters && { parameters: body.parameters }),
    created_at: context.now,
    updated_at: null,
    object: 'reward_assignment',
  }
  context.in(rewardAssignments).insert(assignment)
  return assignment
}

/** Finds a reward that a program offers, with the price there of one piece; undefined when it is not offered. */
export function offeredReward(
  id: string,
  campaignId: string | null | undefined,
  context: Pick<Context, 'in'>,
): StoredReward | undefined {
  const reward = context.in(rewards).get(id)
  // ASSUMED A1103: a card pays only for what its program offers; any other reward is not found.
  const offer = reward && campaignId != null ? offerIn(campaignId, id, context) : undefined
  if (!reward || !offer) return undefined
  return { ...reward, assignment_id: offer.id, parameters: { ...reward.parameters, ...offer.parameters } }
}

/** Lists what the program of a card offers, newest first, each reward beside its price; with `isAffordable` what the card can pay. */
export function rewardsFor(card: StoredVoucher, isAffordable: boolean, context: Context) {
  const balance = card.loyalty_card?.balance ?? 0
  const offers = context
    .in(rewardAssignments)
    .all([is(rewardAssignments, 'related_object_id', card.campaign_id ?? '')])
    .toReversed()
  return offers.flatMap((assignment) => {
    const reward = context.in(rewards).get(assignment.reward_id)
    const isShown = reward && (!isAffordable || pointsOf(reward, assignment) <= balance)
    return isShown ? [{ reward, assignment, object: 'loyalty_reward' as const }] : []
  })
}

/** The fewest points that a reward takes: the price of a piece, or one step of the ratio. */
function pointsOf({ parameters }: StoredReward, assignment: StoredRewardAssignment): number {
  return assignment.parameters?.loyalty.points ?? parameters.coin?.points_ratio ?? 0
}

/** Changes the price of a reward in a program. Throws 400 without the required price. */
export function updateRewardAssignment(
  assignment: StoredRewardAssignment,
  body: Omit<NewAssignment, 'reward'>,
  context: Context,
) {
  const { parameters = assignment.parameters, validation_rules } = body
  const reward = context.in(rewards).get(assignment.reward_id)
  if (reward) mustBePriced(reward, { parameters, validation_rules })
  return storeUpdate(rewardAssignments, assignment, { ...assignment, ...(parameters && { parameters }) }, context)
}

/** Reads a reward of a fixture. Throws the refusal of an unsupported one. */
export function loadReward(wire: Record<string, unknown>, loading: FixtureContext): StoredReward {
  return { ...identityOf(rewards, wire, loading), ...contentOf(requestOf(newReward, wire)) }
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

function contentOf({ name, type, parameters, stock, attributes, metadata }: NewReward) {
  if (type === 'COIN' && !parameters.coin)
    throw invalidPayload("Property .parameters should have required property 'coin'")
  if (type !== 'COIN' && parameters.coin)
    throw invalidPayload(`Property .parameters.coin is not allowed for a ${type} reward`)
  // ASSUMED A275: a stock is refused: pieces handed out are not counted.
  if (stock != null) throw invalidPayload('Property .stock is not supported by the embedded service')
  return {
    name,
    type,
    parameters: JSON.parse(JSON.stringify(parameters)) as StoredReward['parameters'],
    stock: null,
    redeemed: null,
    attributes: { ...attributes },
    metadata: metadata ?? {},
    object: 'reward' as const,
  }
}

function mustBePriced(
  reward: StoredReward,
  { parameters, validation_rules }: Pick<NewAssignment, 'parameters' | 'validation_rules'>,
): void {
  // ASSUMED A1055: conditions of an offer are refused: a reward is given to everybody who has the points.
  if (validation_rules != null && validation_rules.length > 0)
    throw invalidPayload('Property .validation_rules is not supported by the embedded service')
  if (reward.type === 'COIN') {
    if (parameters)
      throw invalidPayload('Property .parameters is not allowed for a COIN reward, whose price is its ratio')
    return
  }
  if (!parameters) throw invalidPayload("Payload must have required property 'parameters'")
}

/** Finds the assignment by which a program offers a reward. */
export function offerIn(
  campaignId: string,
  rewardId: string,
  context: Pick<Context, 'in'>,
): StoredRewardAssignment | undefined {
  const offers = context.in(rewardAssignments).all([is(rewardAssignments, 'reward_id', rewardId)])
  return offers.find(({ related_object_id }) => related_object_id === campaignId)
}
