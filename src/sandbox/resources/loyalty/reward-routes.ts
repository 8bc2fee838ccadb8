// Rewards, and which loyalty programs offer them.
// Source: docs/service/loyalty.md#rewards; docs/service/webhooks.md#event-names.
import * as contract from '../../../contract/rewards.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, noContent, ok, pageAnswer, route } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { campaignFacts } from '../campaigns/facts.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { existingById, routesAbout } from '../existing.ts'
import { removeAssignments } from '../validation-rules/assignments.ts'
import { findCard, findLoyaltyProgram } from './program.ts'
import { rewardAssignments, rewards, type StoredRewardAssignment } from './reward-store.ts'
import {
  assignReward,
  createReward,
  deleteReward,
  loadReward,
  loadRewardAssignment,
  rewardsFor,
  updateReward,
  updateRewardAssignment,
} from './rewards.ts'

const about = routesAbout('rewardId', (id, context) => existingById(rewards, id, context))

/** Rewards by id, and their assignments to programs. */
export const rewardResource: Resource = {
  collections: [rewards, rewardAssignments],
  load: { rewards: loadReward, reward_assignments: loadRewardAssignment },
  routes: [
    // ASSUMED A277: rewards are listed newest first.
    route(contract.listRewards, ({ query }, context) => pageAnswer(rewards, query, context)),
    about(contract.getReward, (reward) => ok(reward)),
    route(contract.createReward, ({ body }, context) => ok(createReward(body, context))),
    about(contract.updateReward, (reward, context, { body }) =>
      // The contract's optional members are `T | undefined`; both mean omitted.
      ok(updateReward(reward, body as Parameters<typeof updateReward>[1], context)),
    ),
    about(contract.deleteReward, deleteReward),
    ...[contract.listProgramRewards, contract.listProgramRewardAssignments].map((endpoint) =>
      route(endpoint, ({ path, query }, context) =>
        listed('related_object_id', findLoyaltyProgram(path.campaignId, context).id, query, context),
      ),
    ),
    about(contract.listRewardAssignments, (reward, context, { query }) =>
      listed('reward_id', reward.id, query, context),
    ),
    route(contract.assignRewards, ({ path, body }, context) => {
      const campaign = findLoyaltyProgram(path.campaignId, context)
      return ok(assigned(campaign, body, context))
    }),
    route(contract.createRewardAssignment, ({ path, body: { campaign, ...body } }, context) => {
      const reward = existingById(rewards, path.rewardId, context).id
      return ok(assigned(findLoyaltyProgram(campaign, context), [{ ...body, reward }], context)[0])
    }),
    ...[contract.getProgramReward, contract.getProgramRewardAssignment, contract.getRewardAssignment].map((endpoint) =>
      route(endpoint, ({ path }, context) => ok(offered(path, context).assignment)),
    ),
    route(contract.getOfferedReward, ({ path }, context) =>
      ok(existingById(rewards, offered(path, context).assignment.reward_id, context)),
    ),
    ...[contract.updateRewardAssignment, contract.changeRewardAssignment].map((endpoint) =>
      route(endpoint, ({ path, body }, context) => {
        const { campaign, assignment } = offered(path, context)
        const { doc, isChanged } = updateRewardAssignment(assignment, body, context)
        if (isChanged) recordEvent('updated', doc, campaign, context)
        return ok(doc)
      }),
    ),
    ...[contract.unassignReward, contract.deleteRewardAssignment].map((endpoint) =>
      route(endpoint, ({ path }, context) => {
        const { campaign, assignment } = offered(path, context)
        context.in(rewardAssignments).remove(assignment.id)
        removeAssignments(assignment.id, context)
        recordEvent('deleted', assignment, campaign, context)
        return noContent()
      }),
    ),
    route(contract.listCardRewards, ({ path, query }, context) => {
      const { affordable_only: isAffordable = false, limit = 10, page = 1 } = query
      const all = rewardsFor(findCard(path, context), isAffordable, context)
      const data = all.slice((page - 1) * limit, page * limit)
      return ok({ object: 'list', data_ref: 'data', data, total: all.length })
    }),
  ],
}

/** Lists assignments of one reward or one program, newest first. */
function listed(
  by: 'reward_id' | 'related_object_id',
  id: string,
  query: { limit?: number | undefined; page?: number | undefined },
  context: Context,
) {
  return pageAnswer(rewardAssignments, query, context, { where: [is(rewardAssignments, by, id)] })
}

function assigned(campaign: StoredCampaign, asked: Parameters<typeof assignReward>[1][], context: Context) {
  const made = asked.map((one) => assignReward(campaign, one, context))
  for (const assignment of made) recordEvent('created', assignment, campaign, context)
  return made
}

/** Finds an assignment below its program or its reward, whichever the path names. */
function offered(path: { assignmentId: string } & ({ campaignId: string } | { rewardId: string }), context: Context) {
  const assignment = context.in(rewardAssignments).get(path.assignmentId)
  const isThere =
    'rewardId' in path
      ? assignment?.reward_id === existingById(rewards, path.rewardId, context).id
      : assignment?.related_object_id === findLoyaltyProgram(path.campaignId, context).id
  if (!assignment || !isThere) throw notFound('reward_assignment', path.assignmentId)
  return { campaign: findLoyaltyProgram(assignment.related_object_id, context), assignment }
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
