// Rewards, and which loyalty programs offer them.
// Source: docs/service/loyalty.md#rewards; docs/service/webhooks.md#event-names.
import * as contract from '../../contract/rewards.ts'
import { removeAssignments } from '../answers/assignments.ts'
import { campaignFacts } from '../answers/campaign-facts.ts'
import { existingById, existingPart, routesFor, routesOf } from '../answers/existing.ts'
import { findCard, findLoyaltyProgram, rewardsFor } from '../answers/loyalty.ts'
import { type Context, pageAnswer, type Resource, route } from '../http/route.ts'
import {
  assignReward,
  createReward,
  deleteReward,
  loadReward,
  loadRewardAssignment,
  updateReward,
  updateRewardAssignment,
} from '../resources/loyalty/rewards.ts'
import { is } from '../storage/conditions.ts'
import type { StoredCampaign } from '../stores/campaigns.ts'
import { rewardAssignments, rewards, type StoredRewardAssignment } from '../stores/loyalty.ts'

const routeFor = routesFor('rewardId', (id, context) => existingById(rewards, id, context))
const routeForProgram = routesFor('campaignId', findLoyaltyProgram)

/** An assignment is below its program or its reward, whichever the path names. */
type OfferPath = { assignmentId: string } & ({ campaignId: string } | { rewardId: string })

const aboutOffer = routesOf((path: OfferPath, context) => {
  const owner =
    'rewardId' in path
      ? { reward_id: existingById(rewards, path.rewardId, context).id }
      : { related_object_id: findLoyaltyProgram(path.campaignId, context).id }
  const assignment = existingPart(rewardAssignments, path.assignmentId, owner, context)
  return { campaign: findLoyaltyProgram(assignment.related_object_id, context), assignment }
})

/** Rewards by id, and their assignments to programs. */
export const rewardResource: Resource = {
  collections: [rewards, rewardAssignments],
  load: { rewards: loadReward, reward_assignments: loadRewardAssignment },
  routes: [
    // ASSUMED A277: rewards are listed newest first.
    route(contract.listRewards, ({ query }, context) => pageAnswer(rewards, query, context)),
    routeFor(contract.getReward, (reward) => reward),
    route(contract.createReward, ({ body }, context) => createReward(body, context)),
    routeFor(contract.updateReward, (reward, context, { body }) =>
      // The contract's optional members are `T | undefined`; both mean omitted.
      updateReward(reward, body as Parameters<typeof updateReward>[1], context),
    ),
    routeFor(contract.deleteReward, deleteReward),
    ...routeForProgram(
      [contract.listProgramRewards, contract.listProgramRewardAssignments],
      ({ id }, context, { query }) => listAssignments('related_object_id', id, query, context),
    ),
    routeFor(contract.listRewardAssignments, (reward, context, { query }) =>
      listAssignments('reward_id', reward.id, query, context),
    ),
    routeForProgram(contract.assignRewards, (campaign, context, { body }) => assignRewards(campaign, body, context)),
    routeFor(
      contract.createRewardAssignment,
      ({ id: reward }, context, { body: { campaign, ...body } }) =>
        assignRewards(
          findLoyaltyProgram(campaign, context),
          [{ ...body, reward }],
          context,
        )[0] as StoredRewardAssignment,
    ),
    ...aboutOffer(
      [contract.getProgramReward, contract.getProgramRewardAssignment, contract.getRewardAssignment],
      ({ assignment }) => assignment,
    ),
    aboutOffer(contract.getOfferedReward, ({ assignment }, context) =>
      existingById(rewards, assignment.reward_id, context),
    ),
    ...aboutOffer(
      [contract.updateRewardAssignment, contract.changeRewardAssignment],
      ({ campaign, assignment }, context, { body }) => {
        const { doc, isChanged } = updateRewardAssignment(assignment, body, context)
        if (isChanged) recordEvent('updated', doc, campaign, context)
        return doc
      },
    ),
    ...aboutOffer([contract.unassignReward, contract.deleteRewardAssignment], ({ campaign, assignment }, context) => {
      context.in(rewardAssignments).remove(assignment.id)
      removeAssignments(assignment.id, context)
      recordEvent('deleted', assignment, campaign, context)
    }),
    route(contract.listCardRewards, ({ path, query }, context) => {
      const { affordable_only: isAffordable = false, limit = 10, page = 1 } = query
      const all = rewardsFor(findCard(path, context), isAffordable, context)
      const data = all.slice((page - 1) * limit, page * limit)
      return { object: 'list', data_ref: 'data', data, total: all.length }
    }),
  ],
}

/** Lists assignments of one reward or one program, newest first. */
function listAssignments(
  by: 'reward_id' | 'related_object_id',
  id: string,
  query: { limit?: number | undefined; page?: number | undefined },
  context: Context,
) {
  return pageAnswer(rewardAssignments, query, context, { where: [is(rewardAssignments, by, id)] })
}

function assignRewards(campaign: StoredCampaign, asked: Parameters<typeof assignReward>[1][], context: Context) {
  const made = asked.map((one) => assignReward(campaign, one, context))
  for (const assignment of made) recordEvent('created', assignment, campaign, context)
  return made
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
