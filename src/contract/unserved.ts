// Published calls that the embedded service does not serve: refused under their own path, and listed in docs/sandbox.md.
// A call that becomes served leaves this list.
import type { Endpoint } from './endpoint.ts'

/** A published call that is not served. */
export interface UnservedCall {
  method: Endpoint['method']
  path: string
  /** `planned`: nothing but time is in the way. `refused`: it needs what the embedded service leaves out. */
  state: 'planned' | 'refused'
  /** What is in the way, or which call to use instead. */
  why: string
}

/** A method and a path, such as `POST /v1/vouchers`. */
type Call = `${Endpoint['method']} /${string}`

const planned: Readonly<Record<string, readonly Call[]>> = {
  'use POST /v1/validations': ['GET /client/v1/validate'],
  'use the segments themselves': ['GET /v1/customers/{customerId}/segments'],
  'only events record it so far': [
    'GET /v1/loyalties/members/{memberId}/activity',
    'GET /v1/loyalties/{campaignId}/members/{memberId}/activity',
    'GET /v1/campaigns/{campaignId}/activity',
    'GET /v1/vouchers/{code}/activity',
  ],
}

const refused: Readonly<Record<string, readonly Call[]>> = {
  'loyalty tiers are not computed': [
    'GET /v1/loyalties/{campaignId}/tiers',
    'POST /v1/loyalties/{campaignId}/tiers',
    'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}',
    'PUT /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}',
    'DELETE /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}',
    'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/earning-rules',
    'GET /v1/loyalties/{campaignId}/tiers/{loyaltyTierId}/rewards',
    'GET /v1/loyalties/members/{memberId}/tiers',
  ],
  'points are never pending': [
    'GET /v1/loyalties/members/{memberId}/pending-points',
    'GET /v1/loyalties/{campaignId}/pending-points',
    'POST /v1/loyalties/{campaignId}/pending-points/export',
    'GET /v1/loyalties/{campaignId}/members/{memberId}/pending-points',
    'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/activate',
    'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/balance',
    'POST /v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/cancel',
  ],
  'referral tiers are not computed': [
    'GET /v1/referrals/{campaignId}/tiers',
    'POST /v1/referrals/{campaignId}/tiers',
    'PUT /v1/referrals/{campaignId}/tiers/{referralTierId}',
    'DELETE /v1/referrals/{campaignId}/tiers/{referralTierId}',
  ],
  'consents are not kept': ['GET /v1/consents', 'PUT /v1/customers/{customerId}/consents'],
  'replaced by the activity of a customer': ['GET /v1/customers/{customerId}/activities'],
  'use POST /v1/validations': ['POST /v1/validation-rules/{validationRuleId}/validation'],
  'only the server side may spend, publish and read codes': [
    'POST /client/v1/redeem',
    'POST /client/v1/publish',
    'GET /client/v1/vouchers',
    'GET /client/v1/consents',
    'PUT /client/v1/customers/{customerId}/consents',
  ],
  'it is for integrations with keys of their own': ['GET /v1/publications/create'],
  'shops on the ground are not kept': ['GET /v1/locations', 'GET /v1/locations/{locationId}'],
  'a project has no users': [
    'GET /management/v1/projects/{projectId}/users',
    'POST /management/v1/projects/{projectId}/users',
  ],
  'pages and mails are not sent': [
    'GET /management/v1/projects/{projectId}/branding',
    'POST /management/v1/projects/{projectId}/branding',
  ],
}

/** Every published call that is not served. */
export const unservedCalls: readonly UnservedCall[] = [...callsOf(planned, 'planned'), ...callsOf(refused, 'refused')]

function callsOf(reasons: Readonly<Record<string, readonly Call[]>>, state: UnservedCall['state']): UnservedCall[] {
  return Object.entries(reasons).flatMap(([why, calls]) =>
    calls.map((call) => {
      const [method = '', path = ''] = call.split(' ')
      return { method: method as Endpoint['method'], path, state, why }
    }),
  )
}
