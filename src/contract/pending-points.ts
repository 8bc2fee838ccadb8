// Points of paid orders that are not active yet: they come onto the card some days later, or by hand.
// Source: docs/service/pending-points.md.
import { z } from 'zod'
import { callsAbout, cursorListing } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'

/** After how many days the points of an earning rule become active. */
export const pendingPointsSetting = z.strictObject({
  period_type: z.literal('DAY'),
  period_value: z.int().min(1).max(90),
})

/** Declares the calls about the pending points of one card, below a path. */
function pendingCalls<const Path extends string>(id: string, path: Path, card: string) {
  const calls = callsAbout(`${id}.pending-points`, `${path}/pending-points/{pendingPointsId}`, {
    response: z.looseObject({ points: z.int(), total: z.int() }),
    source: 'docs/service/pending-points.md',
  })
  return {
    list: calls.list(cursorListing, `List the pending points of ${card}`, 'list'),
    activate: calls.act('activate', `Activate pending points of ${card}`, 'activate', { repeat: 'key' }),
    adjust: calls.act('balance', `Adjust pending points of ${card}`, 'adjust', {
      body: z.strictObject({ points: z.int() }),
      repeat: 'once',
      unproved: 'no list shows the adjustments of pending points',
    }),
    cancel: calls.act('cancel', `Cancel pending points of ${card}`, 'cancel', {
      response: emptyAnswer,
      repeat: 'key',
      confirm: 'final',
    }),
  }
}

/** Lists the pending points of all cards of a program. */
export const listPendingPoints = endpoint(
  'loyalty.pending-points.list',
  'List the pending points of a loyalty program',
  {
    ...cursorListing,
    call: 'GET /v1/loyalties/{campaignId}/pending-points',
    source: 'docs/service/pending-points.md#list',
  },
)

/** Of a card: lists, puts onto the card now, adds to or takes from with a negative number, never puts onto the card. */
export const {
  list: listMemberPendingPoints,
  activate: activatePendingPoints,
  adjust: adjustPendingPoints,
  cancel: cancelPendingPoints,
} = pendingCalls('loyalty.members', '/v1/loyalties/members/{memberId}', 'a loyalty card')

/** The same of a card that must belong to the program. */
export const {
  list: listCampaignMemberPendingPoints,
  activate: activateCampaignPendingPoints,
  adjust: adjustCampaignPendingPoints,
  cancel: cancelCampaignPendingPoints,
} = pendingCalls(
  'loyalty.campaign-members',
  '/v1/loyalties/{campaignId}/members/{memberId}',
  "a program's loyalty card",
)
