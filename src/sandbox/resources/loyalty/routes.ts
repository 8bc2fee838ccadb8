// Loyalty programs, their cards, and manual changes of points. Source: docs/service/loyalty.md#calls.
import type { z } from 'zod'
import * as contract from '../../../contract/loyalty-programs.ts'
import { type Answer, type Context, ok, pageAnswer, type Resource, route } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { is, isIn } from '../../storage/conditions.ts'
import { started } from '../async-actions/progress.ts'
import { campaignAnswer, campaignAnswers } from '../campaigns/answer.ts'
import { createCampaign } from '../campaigns/create.ts'
import { removeCampaign } from '../campaigns/delete.ts'
import { campaigns } from '../campaigns/store.ts'
import { changeCampaign } from '../campaigns/update.ts'
import { type EnteredSegment, segmentEntered } from '../customers/segment-entry.ts'
import { customers, segments } from '../customers/store.ts'
import { activityOf } from '../events/activity.ts'
import { routesAbout, routesOf } from '../existing.ts'
import { bucketAnswer, loadBucket } from '../points-expiry/buckets.ts'
import { midnightJob, midnightKind } from '../points-expiry/midnight.ts'
import { nightKind } from '../points-expiry/night.ts'
import { bucketJob, nightJob } from '../points-expiry/night-job.ts'
import { pointsBuckets } from '../points-expiry/points-bucket-store.ts'
import { publish } from '../publications/publish.ts'
import { redeem } from '../redemptions/redeem.ts'
import { voucherAnswer } from '../vouchers/answer.ts'
import { voucherPage } from '../vouchers/list.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { earnPoints } from './earn.ts'
import { estimatedPoints } from './estimate.ts'
import { paidOrderJob, paidOrderKind } from './paid-order.ts'
import { changePoints, transferToCard } from './points.ts'
import { findCard, findLoyaltyProgram } from './program.ts'

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

const about = routesAbout('campaignId', findLoyaltyProgram)
const aboutCard = routesOf(findCard)

/** Programs by id or name, cards by code or id. */
export const loyaltyProgramResource: Resource = {
  collections: [pointsBuckets],
  load: { points_buckets: loadBucket },
  jobs: {
    [nightKind]: nightJob,
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
        show: (items) => campaignAnswers(items, context),
      }),
    ),
    about(contract.getProgram, (program, context) => ok(campaignAnswer(program, context))),
    route(contract.createProgram, ({ body }, context) =>
      ok(createCampaign({ ...body, campaign_type: 'LOYALTY_PROGRAM' }, context)),
    ),
    about(contract.updateProgram, (program, context, { body }) => ok(changeCampaign(program, body, context))),
    about(contract.deleteProgram, (program, context, { query }) =>
      started(removeCampaign(program, query.force ?? false, context), ok),
    ),
    about(contract.estimatePoints, (campaign, context, { body }) => {
      const points_estimation = estimatedPoints(campaign, body, context)
      return ok({ campaign: { id: campaign.id, name: campaign.name, object: 'campaign' }, points_estimation })
    }),
    about(contract.listMembers, ({ id: campaign_id }, context, { query }) =>
      ok(voucherPage({ ...query, campaign_id }, context)),
    ),
    ...aboutCard([contract.getMember, contract.getCampaignMember], (card, context) => ok(voucherAnswer(card, context))),
    ...aboutCard(
      [
        contract.listMemberActivity,
        contract.listMemberActivities,
        contract.listCampaignMemberActivity,
        contract.listCampaignMemberActivities,
      ],
      (card, context, { query }) => ok(activityOf(card, query, context)),
    ),
    about(contract.createMember, (program, context, { body }) => {
      const asked = { ...body, campaign: program.id }
      return ok(voucherAnswer(publish(asked, context).vouchers[0] as StoredVoucher, context))
    }),
    ...aboutCard([contract.changeMemberBalance, contract.changeCampaignMemberBalance], (card, context, { body }) =>
      ok(changePoints(card, body, context)),
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
      ok(voucherAnswer(transferToCard(card, body, context), context)),
    ),
  ],
}

type RewardRedemption = z.output<NonNullable<(typeof contract.redeemReward)['body']>>

/** Redeems a card for its holder, as POST /v1/redemptions does; the answer is the one redemption, or its refusal. */
function redeemReward(card: StoredVoucher, { reward, order, metadata }: RewardRedemption, context: Context): Answer {
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
  const { redemptions } = answer.body as { redemptions: unknown[] }
  return ok(redemptions[0])
}
