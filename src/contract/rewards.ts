// Rewards that points can be spent on, and the programs that offer them.
// Source: docs/service/loyalty.md#rewards; docs/service/loyalty.md#errors; docs/service/webhooks.md#event-names.
import { z } from 'zod'
import { byPage, callsAbout, pageListing, pagesBy } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { emptyAnswer, metadata } from './fields.ts'

/** A number above 0; published clients write some of these as texts. */
const ratio = z.union([z.number().positive(), z.string().regex(/^(?=.*[1-9])\d{1,15}(\.\d{1,15})?$/)])

/**
 * A reward to create. `COIN` pays with points: `points_ratio` points (1 when it is left out) are worth `exchange_ratio` in
 * major currency units. The type follows from the one member of `parameters` when it is left out.
 */
export const newReward = z.strictObject({
  name: z.string().min(1),
  type: z.enum(['CAMPAIGN', 'COIN', 'MATERIAL']).optional(),
  parameters: z.looseObject({
    coin: z.strictObject({ exchange_ratio: ratio, points_ratio: ratio.optional() }).optional(),
    campaign: z.looseObject({ id: z.string().min(1), balance: z.int().min(1).optional() }).optional(),
  }),
  stock: z.int().min(0).nullish(),
  attributes: z.strictObject({ image_url: z.string().nullish(), description: z.string().nullish() }).nullish(),
  metadata: metadata.nullish(),
})

/** A reward as the service returns it. */
export const reward = z.looseObject({ id: z.string(), name: z.string().nullish() })

/** A reward to offer in a program; `points` is the price of one piece. */
export const newRewardAssignment = z.strictObject({
  reward: z.string().min(1),
  parameters: z
    .strictObject({ loyalty: z.strictObject({ points: z.int().min(1), auto_redeem: z.boolean().nullish() }) })
    .optional(),
  validation_rules: z.array(z.string()).nullish(),
})

/** The offer of a reward in a program. */
const rewardAssignment = z.looseObject({
  id: z.string(),
  reward_id: z.string(),
  related_object_id: z.string(),
  related_object_type: z.literal('campaign'),
  object: z.literal('reward_assignment'),
})

const rewardsCalls = callsAbout('rewards', '/v1/rewards/{rewardId}', {
  response: reward,
  source: 'docs/service/loyalty.md#rewards',
})

export const listRewards = rewardsCalls.list(pagesBy('created_at', 'updated_at', 'name'), 'List rewards')
export const getReward = rewardsCalls.get('Get a reward')

/** Creates a reward; no program offers it yet. */
export const createReward = rewardsCalls.create(
  newReward,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listRewards } } },
  'Create a reward',
)

/** Changes a reward; its type stays. */
export const updateReward = rewardsCalls.update(newReward.omit({ type: true }).partial(), 'Update a reward')

/** Removes a reward that no program offers. */
export const deleteReward = rewardsCalls.delete('Delete a reward')

const offerCalls = callsAbout('loyalty.rewards', '/v1/loyalties/{campaignId}/rewards/{assignmentId}', {
  response: rewardAssignment,
  source: 'docs/service/loyalty.md#rewards-of-a-program',
})

export const listProgramRewards = offerCalls.list(pageListing, 'List the rewards of a loyalty program')

/** Offers rewards in a loyalty program. Answers with an array of the assignments. */
export const assignRewards = endpoint('loyalty.rewards.assign', 'Offer rewards in a loyalty program', {
  call: 'POST /v1/loyalties/{campaignId}/rewards',
  body: z.array(newRewardAssignment).min(1),
  response: z.array(rewardAssignment),
  repeat: 'reconcile',
  proof: { by: 'list', read: { call: () => listRewardAssignments, path: { rewardId: 'body.0.reward' } } },
  source: 'docs/service/loyalty.md#rewards-of-a-program',
})

/** Changes the price of a reward in a loyalty program. */
export const updateRewardAssignment = offerCalls.update(
  newRewardAssignment.omit({ reward: true }),
  'Change the price of a reward in a loyalty program',
)

export const unassignReward = endpoint('loyalty.rewards.unassign', 'Stop offering a reward in a loyalty program', {
  call: 'DELETE /v1/loyalties/{campaignId}/rewards/{assignmentId}',
  response: emptyAnswer,
  source: 'docs/service/loyalty.md#rewards-of-a-program',
})

export const getProgramReward = offerCalls.get('Get the offer of a reward in a loyalty program')

const offersCalls = callsAbout(
  'loyalty.reward-assignments',
  '/v1/loyalties/{campaignId}/reward-assignments/{assignmentId}',
  {
    response: rewardAssignment,
    source: 'docs/service/loyalty.md#rewards-of-a-program',
  },
)

/** Lists the offers of a loyalty program; the same as its rewards. */
export const listProgramRewardAssignments = offersCalls.list(
  pagesBy('created_at', 'updated_at'),
  'List the reward assignments of a loyalty program',
)

export const getProgramRewardAssignment = offersCalls.get('Get a reward assignment of a loyalty program')

/** Reads the reward that an assignment of a loyalty program offers. */
export const getOfferedReward = endpoint('loyalty.rewards.details', 'Get the reward that a loyalty program offers', {
  call: 'GET /v1/loyalties/{campaignId}/reward-assignments/{assignmentId}/reward',
  response: reward,
  source: 'docs/service/loyalty.md#rewards-of-a-program',
})

/** Lists the rewards that the points of a card can be spent on, each with its price. */
export const listCardRewards = endpoint('loyalty.cards.rewards', 'List the rewards of a loyalty card', {
  ...pageListing,
  call: 'GET /v1/loyalties/members/{memberId}/rewards',
  query: z.strictObject({ ...byPage, affordable_only: z.boolean().optional() }),
  source: 'docs/service/loyalty.md#rewards-of-a-program',
})

const assignmentCalls = callsAbout('rewards.assignments', '/v1/rewards/{rewardId}/assignments/{assignmentId}', {
  response: rewardAssignment,
  source: 'docs/service/loyalty.md#programs-of-a-reward',
})

export const listRewardAssignments = assignmentCalls.list(pageListing, 'List the assignments of a reward')

/** Offers a reward in a loyalty program, named by id or name. */
export const createRewardAssignment = assignmentCalls.create(
  newRewardAssignment.omit({ reward: true }).extend({ campaign: z.string().min(1) }),
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listRewardAssignments } } },
  'Create an assignment of a reward',
)

export const getRewardAssignment = assignmentCalls.get('Get an assignment of a reward')

/** Changes the price of a reward in the program of an assignment. */
export const changeRewardAssignment = assignmentCalls.update(
  newRewardAssignment.omit({ reward: true }),
  'Update an assignment of a reward',
)

/** Removes an assignment of a reward: its program stops offering it. */
export const deleteRewardAssignment = assignmentCalls.delete('Delete an assignment of a reward')
