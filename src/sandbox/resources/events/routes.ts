// Custom events. Source: docs/service/events.md#send.
import { sendEvent } from '../../../contract/events.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route } from '../../http/route.ts'
import { paidOrderJob, paidOrderKind } from '../loyalty/paid-order.ts'
import { referralConversions } from '../referrals/conversion-store.ts'
import { eventJob, eventKind } from './effects.ts'
import { receiveEvent } from './receive.ts'

/** Custom events, and the effects of events and paid orders. */
export const eventResource: Resource = {
  collections: [referralConversions],
  jobs: { [eventKind]: eventJob, [paidOrderKind]: paidOrderJob },
  routes: [route(sendEvent, ({ body }, context) => ok(receiveEvent(body, context)))],
}
