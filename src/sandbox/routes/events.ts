// Custom events. Source: specification, Endpoints 16.
import { sendEvent } from '../../contract/events.ts'
import { eventJob, eventKind } from '../events/happen.ts'
import { receiveEvent } from '../events/receive.ts'
import { paidOrderJob, paidOrderKind } from '../loyalty/paid-order.ts'
import { ok, type Resource, route } from '../route.ts'
import { referralConversions } from '../store/referral-conversions.ts'

/** Custom events, and what they and paid orders set off. */
export const eventResource: Resource = {
  collections: [referralConversions],
  jobs: { [eventKind]: eventJob, [paidOrderKind]: paidOrderJob },
  routes: [route(sendEvent, ({ body }, context) => ok(receiveEvent(body, context)))],
}
