// Points of paid orders that are not active yet: they come onto the card some days later, or by hand.
// Source: docs/service/pending-points.md.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'
import { cursorListing } from './listing.ts'

/** After how many days the points of an earning rule become active. */
export const pendingPointsSetting = z.strictObject({
  period_type: z.literal('DAY'),
  period_value: z.int().min(1).max(90),
})

const pendingBalance = z.looseObject({ points: z.int(), total: z.int() })

/** Declares the calls about the pending points of one card, below a path. */
function pendingCalls<const Path extends string>(id: string, path: Path, card: string) {
  const all = `${path}/pending-points` as const
  const one = `POST ${all}/{pendingPointsId}` as const
  return {
    list: endpoint(`${id}.pending-points.list`, {
      ...cursorListing,
      call: `GET ${all}`,
      source: 'docs/service/pending-points.md#list',
      summary: `List the pending points of ${card}`,
    }),
    activate: endpoint(`${id}.pending-points.activate`, {
      call: `${one}/activate`,
      response: pendingBalance,
      repeat: 'key',
      source: 'docs/service/pending-points.md#activate',
      summary: `Activate pending points of ${card}`,
    }),
    adjust: endpoint(`${id}.pending-points.balance`, {
      call: `${one}/balance`,
      body: z.strictObject({ points: z.int() }),
      response: pendingBalance,
      repeat: 'once',
      source: 'docs/service/pending-points.md#adjust',
      summary: `Adjust pending points of ${card}`,
    }),
    cancel: endpoint(`${id}.pending-points.cancel`, {
      call: `${one}/cancel`,
      response: emptyAnswer,
      repeat: 'key',
      source: 'docs/service/pending-points.md#cancel',
      summary: `Cancel pending points of ${card}`,
    }),
  }
}

/** Lists the pending points of all cards of a program. */
export const listPendingPoints = endpoint('loyalty.pending-points.list', {
  ...cursorListing,
  call: 'GET /v1/loyalties/{campaignId}/pending-points',
  source: 'docs/service/pending-points.md#list',
  summary: 'List the pending points of a loyalty program',
})

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
