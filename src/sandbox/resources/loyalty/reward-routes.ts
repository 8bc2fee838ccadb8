// Rewards, and which loyalty programs offer them.
// Source: docs/service/loyalty.md#rewards; docs/service/webhooks.md#event-names.
import * as contract from '../../../contract/rewards.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, noContent, ok, route } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { campaignFacts } from '../campaigns/facts.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { findLoyaltyProgram } from './program.ts'
import { rewardAssignments, type StoredRewardAssignment } from './reward-assignment-store.ts'
import { rewards, type StoredReward } from './reward-store.ts'
import {
  assignReward,
  createReward,
  deleteReward,
  loadReward,
  loadRewardAssignment,
  updateReward,
  updateRewardAssignment,
} from './rewards.ts'

/** Rewards by id, and their assignments to programs. */
export const rewardResource: Resource = {
  collections: [rewards, rewardAssignments],
  load: { rewards: loadReward, reward_assignments: loadRewardAssignment },
  routes: [
    route(contract.listRewards, ({ query }, context) => {
      // ASSUMED A277: rewards are listed newest first.
      const { order = '-created_at', limit = 10, page = 1 } = query
      const { items, total } = context.in(rewards).page([], order, limit, page)
      return ok({ object: 'list', data_ref: 'data', data: items, total })
    }),
    route(contract.getReward, ({ path }, context) => ok(known(path.rewardId, context))),
    route(contract.createReward, ({ body }, context) => ok(createReward(body, context))),
    route(contract.updateReward, ({ path, body }, context) =>
      // The contract's optional members are `T | undefined`; both mean omitted.
      ok(updateReward(known(path.rewardId, context), body as Parameters<typeof updateReward>[1], context)),
    ),
    route(contract.deleteReward, ({ path }, context) => {
      deleteReward(known(path.rewardId, context), context)
      return noContent()
    }),
    route(contract.listProgramRewards, ({ path, query }, context) => {
      const { limit = 10, page = 1 } = query
      const where = [is(rewardAssignments, 'related_object_id', findLoyaltyProgram(path.campaignId, context).id)]
      const { items, total } = context.in(rewardAssignments).page(where, '-created_at', limit, page)
      return ok({ object: 'list', data_ref: 'data', data: items, total })
    }),
    route(contract.assignRewards, ({ path, body }, context) => {
      const campaign = findLoyaltyProgram(path.campaignId, context)
      const made = body.map((one) => assignReward(campaign, one, context))
      for (const assignment of made) recordEvent('created', assignment, campaign, context)
      return ok(made)
    }),
    route(contract.updateRewardAssignment, ({ path, body }, context) => {
      const { campaign, assignment } = offered(path, context)
      const { doc, isChanged } = updateRewardAssignment(assignment, body, context)
      if (isChanged) recordEvent('updated', doc, campaign, context)
      return ok(doc)
    }),
    route(contract.unassignReward, ({ path }, context) => {
      const { campaign, assignment } = offered(path, context)
      context.in(rewardAssignments).remove(assignment.id)
      recordEvent('deleted', assignment, campaign, context)
      return noContent()
    }),
  ],
}

function known(id: string, context: Context): StoredReward {
  const reward = context.in(rewards).get(id)
  if (!reward) throw notFound('reward', id)
  return reward
}

function offered(path: { campaignId: string; assignmentId: string }, context: Context) {
  const campaign = findLoyaltyProgram(path.campaignId, context)
  const assignment = context.in(rewardAssignments).get(path.assignmentId)
  if (assignment?.related_object_id !== campaign.id) throw notFound('reward_assignment', path.assignmentId)
  return { campaign, assignment }
}

function recordEvent(
  what: string,
  assignment: StoredRewardAssignment,
  campaign: StoredCampaign,
  context: Context,
): void {
  const reward = context.in(rewards).get(assignment.reward_id)
  context.emit(`campaign.reward.assignment.${what}`, campaign.id, {
    campaign: campaignFacts(campaign),
    reward,
    reward_assignment: assignment,
  })
}
