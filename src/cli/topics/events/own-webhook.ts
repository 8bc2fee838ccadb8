// `events tail --webhook`: what happens arrives through a webhook of this run, which is removed when the run ends.

import type { Client } from '../../../api/client.ts'
import { isLoopback } from '../../../base/loopback.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { WebhookEventName } from '../../../contract/webhook-events.ts'
import { createWebhook, deleteWebhook, type Webhook } from '../../../contract/webhooks.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { happeningColumns } from '../../../output/columns/events.ts'
import { carryOut } from '../../request/carry-out.ts'
import { endOf } from '../../result/follow.ts'
import type { Messages } from '../../result/messages.ts'
import type { Host } from '../../run/host.ts'
import { projectOf } from '../../session/project.ts'
import type { Run } from '../../session/run.ts'
import { untilStopped } from '../../stop.ts'
import { created, webhooksOf } from '../webhooks/create.ts'
import { eventsNamed } from '../webhooks/events.ts'
import { type Received, startReceiver } from '../webhooks/receive.ts'
import { webhookSecret } from '../webhooks/secret.ts'
import { type FeedItem, happening } from './sources.ts'
import { show, type TailFlags } from './tail.ts'

interface WebhookTailFlags extends Pick<TailFlags, 'type' | 'for' | 'jsonl'> {
  webhook: string
  port?: number | undefined
  project?: string | undefined
  'secret-stdin'?: boolean
}

const bodyLimitBytes = 1_048_576

/**
 * Creates a webhook for an address that leads to this computer, prints what it delivers, and removes it at the end: after
 * Ctrl-C, a closed pipe and an error too, but not when the process is killed.
 *
 * Throws `usage` for an unknown event or an address without a port of this computer, `api` (exit 3) when a webhook with
 * this address exists, and what the calls throw.
 */
export async function tailWebhook(flags: WebhookTailFlags, run: Run): Promise<void> {
  const events = eventsNamed(flags.type ?? ['*'])
  const port = flags.port ?? portOf(flags.webhook)
  const { host, show: messages } = run
  const secret = await webhookSecret(flags, run)
  const about = { columns: happeningColumns, endpoint: createWebhook }
  await carryOut(run, about, ({ client, profile }) => ({
    requests: [],
    question: { action: 'create a webhook, and remove it at the end', asks: false },
    async send() {
      const path = { projectId: projectOf(flags, profile) }
      const end = endOf(flags, host)
      const options = { port, secret, bodyLimitBytes, wants: () => true, keepsContent: true, now: host.now }
      const receiver = await startReceiver(options)
      try {
        const webhook = await createdFor(client, path, { target_url: flags.webhook, events }, host)
        try {
          const address = `http://127.0.0.1:${receiver.port}/`
          messages.say(`webhook "${webhook.id}" delivers to ${flags.webhook}; listening on ${address}; Ctrl-C ends it`)
          void untilStopped(end).then(receiver.close)
          await show(happeningsOf(receiver.received, messages), flags, run)
        } finally {
          await remove(webhook.id, { client, path, messages })
        }
      } finally {
        await receiver.close()
      }
    },
  }))
}

function portOf(address: string): number {
  const url = URL.parse(address)
  if (url === null) throw usageError(`"${address}" is not an address`, '--webhook http://127.0.0.1:8090/')
  if (isLoopback(url.hostname) && url.port !== '') return Number(url.port)
  throw usageError(
    `${url.host} does not say at which port of this computer its deliveries arrive`,
    'add --port 8090, the port to which your tunnel leads',
  )
}

/** Creates the webhook of this run. Throws `api` (exit 3) where one has its address already. */
async function createdFor(
  client: Client,
  path: { projectId: string },
  wanted: { target_url: string; events: WebhookEventName[] },
  host: Pick<Host, 'stop' | 'sleep'>,
): Promise<Webhook> {
  const before = await webhooksOf(client, path.projectId)
  const left = before.find(({ target_url }) => target_url === wanted.target_url)
  if (left !== undefined) {
    throw new PromoError('api', `webhook "${left.id}" already sends to this address`, {
      hint: `promo webhooks delete ${argumentWords(left.id)}, if an earlier run that was killed left it behind`,
    })
  }
  return (await created(client, path, { ...wanted, active: true }, before, host)).webhook
}

async function remove(
  webhookId: string,
  { client, path, messages }: { client: Client; path: { projectId: string }; messages: Messages },
): Promise<void> {
  try {
    await client.call(deleteWebhook, { path: { ...path, webhookId } })
    messages.say(`webhook "${webhookId}" was removed`)
  } catch (error) {
    messages.warn(`webhook "${webhookId}" was not removed; try: promo webhooks delete ${argumentWords(webhookId)}`)
    throw error
  }
}

async function* happeningsOf(received: AsyncIterable<Received>, { warn }: Messages): AsyncGenerator<FeedItem> {
  for await (const { result, answered, reason, type, event_id, created_at, content } of received) {
    if (result !== 'accepted') warn(`a request was answered with ${answered}: ${reason ?? result}`)
    else {
      const delivery = (content ?? {}) as { data?: object; event?: { created_at?: string } }
      const at = delivery.event?.created_at ?? created_at
      const about = happening({ ...delivery.data, id: event_id, created_at: at }, type ?? '')
      yield { ...about, data: delivery as FeedItem['data'] }
    }
  }
}
