// Loyalty programs, their cards, and points given or taken by hand. Source: docs/service/loyalty.md#calls.
import { z } from 'zod'
import { startedAction } from './async-actions.ts'
import { callsAbout } from './calls-about.ts'
import { updatedCampaign } from './campaigns.ts'
import { customer, customerReference } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, metadata } from './fields.ts'
import { activityListing, bothWays, byPage, listing, pageListing, period } from './listing.ts'
import { newCampaign } from './new-campaign.ts'
import { order } from './order.ts'
import { redemption } from './redemptions.ts'
import { voucher } from './vouchers.ts'

const program = z.looseObject({ id: z.string(), name: z.string().optional() })

/** The points of a card after a manual adjustment. */
const pointsBalance = z.looseObject({
  object: z.literal('balance'),
  balance: z.int(),
  points: z.int().optional(),
  total: z.int().optional(),
})

const pointsChange = z.strictObject({
  points: z.int(),
  expiration_type: z.enum(['PROGRAM_RULES', 'CUSTOM_DATE', 'NON_EXPIRING']).optional(),
  expiration_date: dateTime.optional(),
  reason: z.string().optional(),
  source_id: z.string().optional(),
})

const transfers = z
  .array(
    z.strictObject({
      code: z.string().min(1),
      points: z.int().min(1),
      source_id: z.string().min(1),
      reason: z.string().optional(),
    }),
  )
  .min(1)

/** Lists loyalty programs, newest first. */
export const listPrograms = endpoint('loyalty.programs.list', {
  ...pageListing,
  call: 'GET /v1/loyalties',
  query: z.strictObject({
    ...byPage,
    order: bothWays('created_at', 'updated_at').optional(),
    expand: z.enum(['category']).optional(),
  }),
  source: 'docs/service/loyalty.md#programs',
  summary: 'List loyalty programs',
})

const programsCalls = callsAbout({
  id: 'loyalty.programs',
  path: '/v1/loyalties/{campaignId}',
  response: program,
  source: 'docs/service/loyalty.md#programs',
})

/** Reads one loyalty program, by id or name. */
export const getProgram = programsCalls.get('Get a loyalty program')

const { campaign_type: _, ...programMembers } = newCampaign.shape

/** Creates a loyalty program: a campaign whose type is known from the call. */
export const createProgram = programsCalls.create(
  z.strictObject({ ...programMembers, campaign_type: z.literal('LOYALTY_PROGRAM').optional() }),
  'key',
  'Create a loyalty program',
)

/** Changes a loyalty program, as `campaigns.update` does. */
export const updateProgram = programsCalls.update(updatedCampaign, 'Update a loyalty program')

/** Removes a loyalty program and its cards, in the background. */
export const deleteProgram = endpoint('loyalty.programs.delete', {
  call: 'DELETE /v1/loyalties/{campaignId}',
  query: z.strictObject({ force: z.boolean().optional() }),
  response: startedAction,
  repeat: 'idempotent',
  source: 'docs/service/loyalty.md#programs',
  summary: 'Delete a loyalty program',
})

/** Estimates the points that a customer would earn in a program by paying an order; stores nothing. */
export const estimatePoints = endpoint('loyalty.programs.estimate', {
  call: 'POST /v1/loyalties/{campaignId}/qualifications',
  body: z.strictObject({ customer: customer.optional(), order: order.optional(), metadata: metadata.optional() }),
  response: z.looseObject({
    campaign: z.looseObject({ id: z.string(), name: z.string(), object: z.literal('campaign') }),
    points_estimation: z.int().min(0),
  }),
  repeat: 'read',
  source: 'docs/service/loyalty.md#estimate-points',
  summary: 'Estimate the points that an order earns',
})

/** Lists the cards of a program. */
export const listMembers = endpoint('loyalty.members.list', {
  ...listing,
  call: 'GET /v1/loyalties/{campaignId}/members',
  query: z.strictObject({
    ...byPage,
    order: bothWays('created_at', 'updated_at', 'code').optional(),
    customer: z.string().optional(),
    code: z.string().optional(),
    ids: z.array(z.string()).optional(),
    created_at: period.optional(),
    updated_at: period.optional(),
  }),
  paging: { style: 'page', lastPage: 100, dates: { created_at: 'period', updated_at: 'period' } },
  source: 'docs/service/loyalty.md#list-cards',
  summary: 'List the cards of a loyalty program',
})

/** Reads one card, by code or id. */
export const getMember = endpoint('loyalty.members.get', {
  call: 'GET /v1/loyalties/members/{memberId}',
  response: voucher,
  source: 'docs/service/loyalty.md#programs',
  summary: 'Get a loyalty card',
})

/** Reads one card, which must belong to the program. */
export const getCampaignMember = endpoint('loyalty.campaign-members.get', {
  call: 'GET /v1/loyalties/{campaignId}/members/{memberId}',
  response: voucher,
  source: 'docs/service/loyalty.md#programs',
  summary: "Get a program's loyalty card",
})

/** Lists what happened to a card, newest first. */
export const listMemberActivity = endpoint('loyalty.members.activity.list', {
  ...activityListing,
  call: 'GET /v1/loyalties/members/{memberId}/activity',
  summary: 'List the activity of a loyalty card',
})

/** Lists what happened to a card, which must belong to the program. */
export const listCampaignMemberActivity = endpoint('loyalty.campaign-members.activity.list', {
  ...activityListing,
  call: 'GET /v1/loyalties/{campaignId}/members/{memberId}/activity',
  summary: 'List the activity of a loyalty card of a program',
})

/** The same under the older name of the calls. */
export const listMemberActivities = endpoint('loyalty.members.activities.list', {
  ...activityListing,
  call: 'GET /v1/loyalties/members/{memberId}/activities',
  summary: 'List the activity of a loyalty card (older call)',
})

/** The same for a card, which must belong to the program. */
export const listCampaignMemberActivities = endpoint('loyalty.campaign-members.activities.list', {
  ...activityListing,
  call: 'GET /v1/loyalties/{campaignId}/members/{memberId}/activities',
  summary: 'List the activity of a loyalty card of a program (older call)',
})

/** Assigns a card of a program to a customer: the named one, or any free one. */
export const createMember = endpoint('loyalty.members.create', {
  call: 'POST /v1/loyalties/{campaignId}/members',
  body: z.strictObject({
    customer: customerReference,
    voucher: z.string().min(1).optional(),
    metadata: metadata.optional(),
    channel: z.string().optional(),
  }),
  response: voucher,
  repeat: 'reconcile',
  source: 'docs/service/loyalty.md#add-a-member',
  summary: 'Add a customer to a loyalty program',
})

/** Adds points to a card, or subtracts them with a negative number. */
export const changeMemberBalance = endpoint('loyalty.members.balance', {
  call: 'POST /v1/loyalties/members/{memberId}/balance',
  body: pointsChange,
  response: pointsBalance,
  repeat: 'once',
  source: 'docs/service/loyalty.md#change-points',
  summary: 'Add or take points of a loyalty card',
})

/** Adds points to a card of a program, or subtracts them with a negative number. */
export const changeCampaignMemberBalance = endpoint('loyalty.campaign-members.balance', {
  call: 'POST /v1/loyalties/{campaignId}/members/{memberId}/balance',
  body: pointsChange,
  response: pointsBalance,
  repeat: 'once',
  source: 'docs/service/loyalty.md#change-points',
  summary: "Add or take points of a program's loyalty card",
})

/** Moves points from other cards of the program to this one. Answers with the receiving card. */
export const transferPoints = endpoint('loyalty.members.transfer', {
  call: 'POST /v1/loyalties/{campaignId}/members/{memberId}/transfers',
  body: transfers,
  response: voucher,
  repeat: 'once',
  source: 'docs/service/loyalty.md#transfer-points',
  summary: 'Transfer points between loyalty cards',
})

/** Lists the expiring points of a card by day of expiration. */
export const listPointsExpiration = endpoint('loyalty.points-expiration.list', {
  ...pageListing,
  call: 'GET /v1/loyalties/{campaignId}/members/{memberId}/points-expiration',
  source: 'docs/service/loyalty.md#list-expiring-points',
  summary: 'List the points of a loyalty card that expire',
})

const rewardRedemption = z.strictObject({
  reward: z.strictObject({ id: z.string().min(1), points: z.int().min(1).optional() }),
  order: order.optional(),
  metadata: metadata.optional(),
})

/** Spends points of a card on a reward of its program. */
export const redeemReward = endpoint('loyalty.members.redeem', {
  call: 'POST /v1/loyalties/members/{memberId}/redemption',
  body: rewardRedemption,
  response: redemption,
  repeat: 'once',
  source: 'docs/service/loyalty.md#redeem-a-reward',
  summary: 'Spend points on a reward',
})

/** Spends points of a card, which must belong to the program, on a reward of the program. */
export const redeemCampaignReward = endpoint('loyalty.campaign-members.redeem', {
  call: 'POST /v1/loyalties/{campaignId}/members/{memberId}/redemption',
  body: rewardRedemption,
  response: redemption,
  repeat: 'once',
  source: 'docs/service/loyalty.md#redeem-a-reward',
  summary: "Spend points on a reward of the card's program",
})
