// Loyalty programs, their cards, and manual changes of points. Source: docs/service/loyalty.md#calls.
import * as contract from '../../contract/loyalty-programs.ts'
import { campaignAnswer, campaignAnswers } from '../answers/campaigns.ts'
import { routesFor, routesOf } from '../answers/existing.ts'
import { findCard, findLoyaltyProgram } from '../answers/loyalty.ts'
import { voucherAnswer } from '../answers/vouchers.ts'
import { type BodyOf, type Context, pageAnswer, type Resource, route } from '../http/route.ts'
import { job } from '../jobs/job.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { removeCampaign } from '../resources/campaigns/delete.ts'
import { createCampaign } from '../resources/campaigns/new-campaign.ts'
import { changeCampaign } from '../resources/campaigns/update.ts'
import { type EnteredSegment, segmentEntered } from '../resources/customers/segments.ts'
import { activityOf } from '../resources/events/activity.ts'
import { bucketAnswer, loadBucket } from '../resources/loyalty/buckets.ts'
import { bucketJob, dailyJob } from '../resources/loyalty/daily-job.ts'
import { earnPoints } from '../resources/loyalty/earn.ts'
import { estimatedPoints } from '../resources/loyalty/estimate.ts'
import { midnightJob, midnightKind } from '../resources/loyalty/midnight.ts'
import { dailyKind } from '../resources/loyalty/next-due.ts'
import { paidOrderJob, paidOrderKind } from '../resources/loyalty/paid-order.ts'
import { changePoints, transferToCard } from '../resources/loyalty/points.ts'
import { publish } from '../resources/publications/publish.ts'
import { redeem } from '../resources/redemptions/redeem.ts'
import { voucherPage } from '../resources/vouchers/list.ts'
import { is, isIn } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { customers, segments } from '../stores/customers.ts'
import { pointsBuckets } from '../stores/loyalty.ts'
import type { StoredVoucher } from '../stores/vouchers.ts'

/** Adds the points of a customer who came into a segment, unless one of the two is gone meanwhile. */
const enteredSegmentJob = job(({ event_id, segment_id, customer_id }: EnteredSegment, context) => {
  const customer = context.in(customers).get(customer_id)
  const segment = context.in(segments).get(segment_id)
  if (!customer || !segment) return undefined
  const told = { id: event_id, type: segmentEntered }
  const details = { event: told, segment: { id: segment.id, name: segment.name } }
  earnPoints({ event: segmentEntered, segmentId: segment.id, customer, details, cause: { event: told } }, context)
  return undefined
})

const routeFor = routesFor('campaignId', findLoyaltyProgram)
const aboutCard = routesOf(findCard)

/** Programs by id or name, cards by code or id. */
export const loyaltyProgramResource: Resource = {
  collections: [pointsBuckets],
  load: { points_buckets: loadBucket },
  jobs: {
    [dailyKind]: dailyJob,
    'loyalty.points.expire': bucketJob,
    [midnightKind]: midnightJob,
    [paidOrderKind]: paidOrderJob,
    [segmentEntered]: enteredSegmentJob,
  },
  routes: [
    route(contract.listPrograms, ({ query }, context) =>
      pageAnswer(campaigns, query, context, {
        where: [is(campaigns, 'campaign_type', 'LOYALTY_PROGRAM')],
        ref: 'campaigns',
        show: campaignAnswers,
      }),
    ),
    routeFor(contract.getProgram, (program, context) => campaignAnswer(program, context)),
    route(contract.createProgram, ({ body }, context) =>
      createCampaign({ ...body, campaign_type: 'LOYALTY_PROGRAM' }, context),
    ),
    routeFor(contract.updateProgram, (program, context, { body }) => changeCampaign(program, body, context)),
    routeFor(contract.deleteProgram, (program, context, { query }) =>
      answerStarted(removeCampaign(program, query.force ?? false, context), 200),
    ),
    routeFor(contract.estimatePoints, (campaign, context, { body }) => {
      const points_estimation = estimatedPoints(campaign, body, context)
      return { campaign: { id: campaign.id, name: campaign.name, object: 'campaign' }, points_estimation }
    }),
    routeFor(contract.listMembers, ({ id: campaign_id }, context, { query }) =>
      voucherPage({ ...query, campaign_id }, context),
    ),
    ...aboutCard([contract.getMember, contract.getCampaignMember], voucherAnswer),
    ...aboutCard(
      [
        contract.listMemberActivity,
        contract.listMemberActivities,
        contract.listCampaignMemberActivity,
        contract.listCampaignMemberActivities,
      ],
      (card, context, { query }) => activityOf(card, query, context),
    ),
    routeFor(contract.createMember, (program, context, { body }) => {
      const asked = { ...body, campaign: program.id }
      return voucherAnswer(publish(asked, context).vouchers[0] as StoredVoucher, context)
    }),
    ...aboutCard([contract.changeMemberBalance, contract.changeCampaignMemberBalance], (card, context, { body }) =>
      changePoints(card, body, context),
    ),
    ...aboutCard([contract.redeemReward, contract.redeemCampaignReward], (card, context, { body }) =>
      redeemReward(card, body, context),
    ),
    aboutCard(contract.listPointsExpiration, ({ id }, context, { query }) =>
      pageAnswer(pointsBuckets, { ...query, order: 'expires_at' }, context, {
        where: [is(pointsBuckets, 'voucher_id', id), isIn(pointsBuckets, 'status', ['ACTIVE', 'USED'])],
        show: (items) => items.map((bucket) => bucketAnswer(bucket, context)),
      }),
    ),
    aboutCard(contract.transferPoints, (card, context, { body }) =>
      voucherAnswer(transferToCard(card, body, context), context),
    ),
  ],
}

type RewardRedemption = BodyOf<typeof contract.redeemReward>

/** Redeems a card for its holder, as POST /v1/redemptions does; the answer is the one redemption, or its refusal. */
function redeemReward(card: StoredVoucher, { reward, order, metadata }: RewardRedemption, context: Context) {
  const answer = redeem(
    {
      redeemables: [{ object: 'voucher', id: card.code, reward }],
      ...(card.holder_id !== null && { customer: { id: card.holder_id } }),
      ...(order && { order }),
      ...(metadata && { metadata }),
    },
    context,
  )
  if (answer.status !== 200) return answer
  const { redemptions } = answer.body as { redemptions: object[] }
  return redemptions[0] as object
}
