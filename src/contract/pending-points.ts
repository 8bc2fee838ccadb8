// Points of paid orders that are not active yet: they come onto the card some days later, or by hand.
// Source: docs/service/pending-points.md.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'
import { byId, cursorListing } from './listing.ts'

/** After how many days the points of an earning rule become active. */
export const pendingPointsSetting = z.strictObject({
  period_type: z.literal('DAY'),
  period_value: z.int().min(1).max(90),
})

const pendingBalance = z.looseObject({ points: z.int(), total: z.int() })

const list = {
  ...cursorListing,
  query: z.strictObject(byId),
  source: 'docs/service/pending-points.md#list',
} as const

const activation = {
  response: pendingBalance,
  repeat: 'key',
  source: 'docs/service/pending-points.md#activate',
} as const

const adjustment = {
  body: z.strictObject({ points: z.int() }),
  response: pendingBalance,
  repeat: 'once',
  source: 'docs/service/pending-points.md#adjust',
} as const

const cancellation = {
  response: emptyAnswer,
  repeat: 'key',
  source: 'docs/service/pending-points.md#cancel',
} as const

/** Lists the pending points of all cards of a program. */
export const listPendingPoints = endpoint('loyalty.pending-points.list', {
  ...list,
  call: 'GET /v1/loyalties/{campaignId}/pending-points',
  summary: 'List the pending points of a loyalty program',
})

/** Lists the pending points of a card. */
export const listMemberPendingPoints = endpoint('loyalty.members.pending-points.list', {
  ...list,
  call: 'GET /v1/loyalties/members/{memberId}/pending-points',
  summary: 'List the pending points of a loyalty card',
})

/** Lists the pending points of a card, which must belong to the program. */
export const listCampaignMemberPendingPoints = endpoint('loyalty.campaign-members.pending-points.list', {
  ...list,
  call: 'GET /v1/loyalties/{campaignId}/members/{memberId}/pending-points',
  summary: "List the pending points of a program's loyalty card",
})

/** Puts pending points onto their card now. */
export const activatePendingPoints = endpoint('loyalty.members.pending-points.activate', {
  ...activation,
  call: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/activate',
  summary: 'Activate pending points of a loyalty card',
})

/** Puts pending points onto their card, which must belong to the program, now. */
export const activateCampaignPendingPoints = endpoint('loyalty.campaign-members.pending-points.activate', {
  ...activation,
  call: 'POST /v1/loyalties/{campaignId}/members/{memberId}/pending-points/{pendingPointsId}/activate',
  summary: "Activate pending points of a program's loyalty card",
})

/** Adds to pending points, or takes from them with a negative number. */
export const adjustPendingPoints = endpoint('loyalty.members.pending-points.balance', {
  ...adjustment,
  call: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/balance',
  summary: 'Adjust pending points of a loyalty card',
})

/** Adds to pending points of a card of a program, or takes from them with a negative number. */
export const adjustCampaignPendingPoints = endpoint('loyalty.campaign-members.pending-points.balance', {
  ...adjustment,
  call: 'POST /v1/loyalties/{campaignId}/members/{memberId}/pending-points/{pendingPointsId}/balance',
  summary: "Adjust pending points of a program's loyalty card",
})

/** Cancels pending points: they never come onto the card. */
export const cancelPendingPoints = endpoint('loyalty.members.pending-points.cancel', {
  ...cancellation,
  call: 'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/cancel',
  summary: 'Cancel pending points of a loyalty card',
})

/** Cancels pending points of a card, which must belong to the program. */
export const cancelCampaignPendingPoints = endpoint('loyalty.campaign-members.pending-points.cancel', {
  ...cancellation,
  call: 'POST /v1/loyalties/{campaignId}/members/{memberId}/pending-points/{pendingPointsId}/cancel',
  summary: "Cancel pending points of a program's loyalty card",
})
