// The job that delivers one event to one webhook, until it succeeds or a day has passed.
// Source: docs/service/webhooks.md#retries.
import type { ClientRequest } from 'node:http'
import { bodyOf, signatureHeader, signatureOf, type WebhookMessage } from '../../http/envelope.ts'
import { refusedAs } from '../../http/refusal.ts'
import { remoteJob } from '../../jobs/job.ts'
import { webhooks } from '../../stores/webhooks.ts'
import { checkedTarget, type DeliveryTarget, systemResolver, TargetNotAllowed } from './target.ts'

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

const timeoutMs = 10_000
const answerLimitBytes = 65_536

/**
 * Sends a body to a checked target, follows no redirect, and returns the status of the answer. At most 64 KiB of its body are
 * read, and discarded.
 *
 * Rejects when there is no answer within 10 s, or when `signal` aborts it.
 */
function post(
  { url, lookup }: DeliveryTarget,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<number> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  return new Promise((resolve, reject) => {
    let status: number | undefined
    const sent: ClientRequest = request({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      lookup,
      // A separate agent: no proxies from the environment and no connection of another delivery.
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    // An answer whose body breaks off, or never ends, still has its status.
    sent.on('error', (error) => (status === undefined ? reject(error) : resolve(status)))
    sent.on('response', (response) => {
      const answered = response.statusCode ?? 0
      status = answered
      let sizeBytes = 0
      response.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length
        if (sizeBytes > answerLimitBytes) response.destroy()
      })
      response.on('error', () => {})
      response.on('close', () => resolve(answered))
    })
    sent.end(body)
  })
}
