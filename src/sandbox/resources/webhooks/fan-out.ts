// From an event to its deliveries, in the transaction of the change: one job for each webhook subscribed to it.
import type { Context } from '../../http/route.ts'
import type { NewEvent } from '../../storage/outbox.ts'
import type { WebhookMessage } from './envelope.ts'
import { webhooks } from './store.ts'

/** The kind of job that delivers. */
export const deliveryKind = 'webhook.deliver'

/** Enqueues the delivery of a recorded event to every active webhook of its project that lists its type. */
export function fanOut(event: NewEvent, context: Pick<Context, 'in' | 'id' | 'later' | 'now'>): void {
  for (const webhook of context.in(webhooks).all()) {
    if (!webhook.active || !webhook.events.includes(event.type)) continue
    const sendOut: WebhookMessage = { id: context.id('whs_'), created_at: context.now, webhook_id: webhook.id, event }
    context.later(deliveryKind, { sendOut, failures: 0 })
  }
}
