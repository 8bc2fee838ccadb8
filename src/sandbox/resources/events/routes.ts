// Custom events. Source: docs/service/events.md#send.
import { sendEvent } from '../../../contract/events.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route } from '../../http/route.ts'
import { eventJob, eventKind } from './effects.ts'
import { receiveEvent } from './receive.ts'

/** Custom events and their effects. */
export const eventResource: Resource = {
  jobs: { [eventKind]: eventJob },
  routes: [route(sendEvent, ({ body }, context) => ok(receiveEvent(body, context)))],
}
