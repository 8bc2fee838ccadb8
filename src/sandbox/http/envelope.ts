// The content of a delivery, in the envelope of webhook version v2024-01-01, its signature,
// and the jobs that deliver it: one for each webhook subscribed to an event, in the transaction of the change.
// Source: docs/service/webhooks.md#envelope; docs/service/webhooks.md#signature.
import { createHmac } from 'node:crypto'
import { acceptedSpelling, shownSpelling } from '../../contract/webhook-events.ts'
import type { NewEvent } from '../storage/outbox.ts'
import { type StoredWebhook, webhooks } from '../stores/webhooks.ts'
import type { Context } from './route.ts'

/** One event in delivery to one webhook. It keeps its id and its instant through all attempts. */
export interface WebhookMessage {
  id: string
  created_at: string
  webhook_id: string
  event: NewEvent
}

/** Writes the body of a delivery: JSON without whitespace. */
export function bodyOf({ id, created_at, event }: WebhookMessage, webhook: StoredWebhook): string {
  return JSON.stringify({
    id,
    project_id: event.project_id,
    created_at,
    type: event.type,
    data: event.data,
    source: { id: webhook.id, object: 'webhook', target_url: webhook.target_url },
    event: {
      id: event.id,
      type: event.type,
      created_at: event.created_at,
      entity_id: event.entity_id,
      group_id: event.group_id,
      event_source: event.source,
    },
  })
}

/** The header that carries the signature. */
export const signatureHeader = 'x-voucherify-signature'

/** Signs exactly these bytes with a project's webhook secret: HMAC-SHA256 in lower-case hexadecimal digits. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('hex')
}

/** The kind of job that delivers. */
export const deliveryKind = 'webhook.deliver'

/** Enqueues the delivery of a recorded event to every active webhook of its project that lists its type. */
export function fanOut(event: NewEvent, context: Pick<Context, 'in' | 'id' | 'later' | 'now'>): void {
  const names = [shownSpelling(event.type), acceptedSpelling(event.type)]
  for (const webhook of context.in(webhooks).all()) {
    if (!webhook.active || !names.some((name) => webhook.events.includes(name))) continue
    const sendOut: WebhookMessage = { id: context.id('whs_'), created_at: context.now, webhook_id: webhook.id, event }
    context.later(deliveryKind, { sendOut, failures: 0 })
  }
}
