// The job that delivers one event to one webhook, until it succeeds or a day has passed.
// Source: docs/service/webhooks.md#retries.

import { refusedAs } from '../../http/refusal.ts'
import { remoteJob } from '../../jobs/job.ts'
import { bodyOf, type WebhookMessage } from './envelope.ts'
import { post } from './post.ts'
import { signatureHeader, signatureOf } from './signature.ts'
import { webhooks } from './store.ts'
import { checkedTarget, systemResolver, TargetNotAllowed } from './target.ts'

export interface WebhookDelivery {
  sendOut: WebhookMessage
  failures: number
  /** When the first attempt failed; the retries are scheduled from it. */
  firstFailedAt?: string
}

/** How long after the first attempt each retry is made, in minutes; after the last one the webhook is disabled. */
const retryMinutes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440] as const

type Attempt = 'delivered' | 'failed' | 'not wanted' | { notAllowed: string }

/** Delivers an event. Any 2xx within 10 seconds is a success. */
export const deliver = remoteJob<WebhookDelivery, Attempt>({
  act: async ({ sendOut }, context, signal) => {
    const webhook = context.in(webhooks).get(sendOut.webhook_id)
    // ASSUMED A133: pending deliveries of a webhook that was deleted or disabled in the meantime are dropped.
    if (!webhook?.active) return 'not wanted'
    const body = bodyOf(sendOut, webhook)
    try {
      const target = await checkedTarget(webhook.target_url, context.reach, systemResolver)
      const headers = { [signatureHeader]: signatureOf(body, context.project.webhook_secret) }
      const status = await post(target, body, headers, signal)
      return status >= 200 && status < 300 ? 'delivered' : 'failed'
    } catch (error) {
      return error instanceof TargetNotAllowed ? { notAllowed: error.message } : 'failed'
    }
  },

  settle: (attempt, delivery, context) => {
    if (attempt === 'delivered' || attempt === 'not wanted') return undefined
    // ASSUMED A134: a target the sandbox never calls loses the event, is reported, and keeps the webhook active.
    if (attempt !== 'failed') throw refusedAs('webhook_target_not_allowed', `webhook not sent: ${attempt.notAllowed}`)
    const { sendOut, failures, firstFailedAt = context.now } = delivery
    const minutes = retryMinutes[failures]
    if (minutes !== undefined) {
      const passedMs = (Date.parse(context.now) - Date.parse(firstFailedAt)) * context.timeScale
      const again = Math.max(1, minutes * 60_000 - passedMs)
      return { again, payload: { sendOut, failures: failures + 1, firstFailedAt } }
    }
    const webhook = context.in(webhooks).get(sendOut.webhook_id)
    if (webhook) context.in(webhooks).update({ ...webhook, active: false })
    return undefined
  },
})
