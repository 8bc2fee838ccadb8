// Loyalty programs, their cards, and points given or taken by hand. Source: docs/service/loyalty.md#calls.
import { z } from 'zod'
import { startedAction } from './async-actions.ts'
import { activityListing, bothWays, byPage, callsAbout, listing, pageListing, pages, period } from './calls-about.ts'
import { updatedCampaign } from './campaigns.ts'
import { customer, customerReference } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, forcible, metadata } from './fields.ts'
import { listCardTransactions } from './loyalty.ts'
import { newCampaign } from './new-campaign.ts'
import { order } from './order.ts'
import { redemption } from './redemptions.ts'
import { voucher } from './vouchers.ts'

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

const programs = callsAbout('loyalty.programs', '/v1/loyalties/{campaignId}', {
  response: z.looseObject({ id: z.string(), name: z.string().optional() }),
  source: 'docs/service/loyalty.md',
})

/** Lists loyalty programs, newest first. */
export const listPrograms = programs.list(
  {
    ...pageListing,
    query: z.strictObject({
      ...byPage,
      order: bothWays('created_at', 'updated_at').optional(),
      expand: z.enum(['category']).optional(),
    }),
  },
  'List loyalty programs',
  'programs',
)

/** Reads one loyalty program, by id or name. */
export const getProgram = programs.get('Get a loyalty program', 'programs')

const { campaign_type: _, ...programMembers } = newCampaign.shape

/** Creates a loyalty program: a campaign whose type is known from the call. */
export const createProgram = programs.create(
  z.strictObject({ ...programMembers, campaign_type: z.literal('LOYALTY_PROGRAM').optional() }),
  { repeat: 'key', proof: { by: 'list', read: { call: () => listPrograms } } },
  'Create a loyalty program',
  'programs',
)

/** Changes a loyalty program, as `campaigns.update` does. */
export const updateProgram = programs.update(updatedCampaign, 'Update a loyalty program', 'programs')

/** Removes a loyalty program and its cards, in the background. */
export const deleteProgram = programs.delete('Delete a loyalty program', 'programs', {
  ...forcible,
  response: startedAction,
})

/** Estimates the points that a customer would earn in a program by paying an order; stores nothing. */
export const estimatePoints = programs.act('estimate', 'Estimate the points that an order earns', 'estimate-points', {
  at: 'qualifications',
  body: z.strictObject({ customer: customer.optional(), order: order.optional(), metadata: metadata.optional() }),
  response: z.looseObject({
    campaign: z.looseObject({ id: z.string(), name: z.string(), object: z.literal('campaign') }),
    points_estimation: z.int().min(0),
  }),
  repeat: 'read',
})

export const listMembers = endpoint('loyalty.members.list', 'List the cards of a loyalty program', {
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
  paging: pages(100, { dates: { created_at: 'period', updated_at: 'period' } }),
  source: 'docs/service/loyalty.md#list-cards',
})

const rewardRedemption = z.strictObject({
  reward: z.strictObject({ id: z.string().min(1), points: z.int().min(1).optional() }),
  order: order.optional(),
  metadata: metadata.optional(),
})

/** Declares the calls about one card, below a path. */
function cardCalls<const Path extends string>(id: string, path: Path, card: string) {
  const calls = callsAbout(id, path, { response: voucher, source: 'docs/service/loyalty.md' })
  return {
    get: calls.get(`Get ${card}`, 'programs'),
    /** What happened to the card, newest first. */
    activity: calls.listOf('activity', activityListing, `List the activity of ${card}`),
    /** The same under the older name of the call. */
    activities: calls.listOf('activities', activityListing, `List the activity of ${card} (older call)`),
    /** Adds points, or subtracts them with a negative number. */
    balance: calls.act('balance', `Add or take points of ${card}`, 'change-points', {
      body: pointsChange,
      response: pointsBalance,
      repeat: 'once',
      proof: {
        by: 'source',
        read: { call: () => listCardTransactions },
        id: 'body.source_id',
        since: 'newest',
        size: { asked: 'body.points', listed: ['details.balance.points', 'details.balance.amount'] },
        made: 'transaction_id',
      },
      confirm: 'costly',
    }),
    /** Spends points on a reward of the card's program. */
    redeem: calls.act('redeem', `Spend points of ${card} on a reward`, 'redeem-a-reward', {
      at: 'redemption',
      body: rewardRedemption,
      response: redemption,
      repeat: 'once',
      unproved: 'no list tells two redemptions apart that ask for the same',
      confirm: 'costly',
    }),
  }
}

/** Reads one card, by code or id, and its activity; changes its points, and spends them on a reward. */
export const {
  get: getMember,
  activity: listMemberActivity,
  activities: listMemberActivities,
  balance: changeMemberBalance,
  redeem: redeemReward,
} = cardCalls('loyalty.members', '/v1/loyalties/members/{memberId}', 'a loyalty card')

/** The same of a card that must belong to the program. */
export const {
  get: getCampaignMember,
  activity: listCampaignMemberActivity,
  activities: listCampaignMemberActivities,
  balance: changeCampaignMemberBalance,
  redeem: redeemCampaignReward,
} = cardCalls('loyalty.campaign-members', '/v1/loyalties/{campaignId}/members/{memberId}', "a program's loyalty card")

/** Assigns a card of a program to a customer: the named one, or any free one. */
export const createMember = endpoint('loyalty.members.create', 'Add a customer to a loyalty program', {
  call: 'POST /v1/loyalties/{campaignId}/members',
  body: z.strictObject({
    customer: customerReference,
    voucher: z.string().min(1).optional(),
    metadata: metadata.optional(),
    channel: z.string().optional(),
  }),
  response: voucher,
  repeat: 'reconcile',
  unproved: 'no command of promo uses it; publications.create does the same, with a source id',
  source: 'docs/service/loyalty.md#add-a-member',
})

/** Moves points from other cards of the program to this one. Answers with the receiving card. */
export const transferPoints = endpoint('loyalty.members.transfer', 'Transfer points between loyalty cards', {
  call: 'POST /v1/loyalties/{campaignId}/members/{memberId}/transfers',
  body: transfers,
  response: voucher,
  repeat: 'once',
  proof: {
    by: 'source',
    read: { call: () => listCardTransactions, path: { memberId: 'body.0.code' } },
    id: 'body.0.source_id',
    since: 'newest',
    size: { asked: 'body.0.points', times: -1, listed: ['details.balance.points', 'details.balance.amount'] },
    made: 'transaction_id',
  },
  drawn: ['source_id'],
  confirm: 'costly',
  source: 'docs/service/loyalty.md#transfer-points',
})

/** Lists the expiring points of a card by day of expiration. */
export const listPointsExpiration = endpoint(
  'loyalty.points-expiration.list',
  'List the points of a loyalty card that expire',
  {
    ...pageListing,
    call: 'GET /v1/loyalties/{campaignId}/members/{memberId}/points-expiration',
    source: 'docs/service/loyalty.md#list-expiring-points',
  },
)
