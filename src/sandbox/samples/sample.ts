// A delivery as the service would make it, for a receiver that is being built: the event happens in a shop of its own, in
// memory, and what is recorded there goes into the envelope and is signed as in every delivery.
import { dayMs } from '../../base/duration.ts'
import { shownSpelling, type WebhookEventName, webhookEvents } from '../../contract/webhook-events.ts'
import { openDataFile } from '../data-file.ts'
import { createApp } from '../http/app.ts'
import { bodyOf, signatureHeader, signatureOf } from '../http/envelope.ts'
import { declaredJobs, shownIn } from '../http/route.ts'
import { secureRandom, timeOrderedIds } from '../id.ts'
import { runnerOf } from '../jobs/runner.ts'
import { resources } from '../resources.ts'
import type { RecordedEvent } from '../storage/outbox.ts'
import { happenings } from './happenings.ts'

/** What a sample is made for. */
export interface SampleRequest {
  event: WebhookEventName
  targetUrl: string
  /** The key of the signature. */
  secret: string
  /** Unix time in milliseconds. */
  nowMs: number
}

/** A signed delivery, not yet sent. */
export interface SampleDelivery {
  /** JSON without whitespace. */
  body: string
  headers: Record<string, string>
  /** The event whose objects it shows, when the embedded service never announces the one that was asked for. */
  insteadOf?: string
}

/**
 * Makes a signed delivery of an event.
 *
 * For the events that the embedded service never announces, `data` holds only objects that it has, from the event that
 * `insteadOf` names.
 */
export async function sampleDelivery({ event, targetUrl, secret, nowMs }: SampleRequest): Promise<SampleDelivery> {
  const type = shownSpelling(event)
  const other = unannounced.find(({ events }) => events.test(type))
  const found = await makeHappen(other?.like ?? type, nowMs)
  const { seq: _, ...recorded } = found.event
  const data = other ? onlyMembers(recorded.data, other.members) : recorded.data
  const created_at = new Date(nowMs).toISOString()
  const webhook = { object: 'webhook' as const, id: found.id('wh_'), target_url: targetUrl, events: [type], created_at }
  const message = { id: found.id('whs_'), created_at, webhook_id: webhook.id, event: { ...recorded, type, data } }
  const body = bodyOf(message, { ...webhook, active: true })
  const headers = { 'content-type': 'application/json', [signatureHeader]: signatureOf(body, secret) }
  return { body, headers, ...(other && { insteadOf: other.like }) }
}

// ASSUMED A1460: events of what the embedded service does not copy are sampled with the objects of a similar event: the
// envelope and these objects are real, further members of `data` are unknown.
const unannounced = [
  { events: /^customer\.confirmed$/, like: 'customer.created', members: ['customer'] },
  {
    events: /^campaign\.loyalty_tier\.(?:updated|deleted)$/,
    like: 'campaign.loyalty_tier.created',
    members: ['campaign', 'loyalty_tier'],
  },
  { events: /^campaign\.referral_tier\./, like: 'customer.rewarded', members: ['campaign'] },
]

function onlyMembers(data: unknown, members: readonly string[]): object {
  return Object.fromEntries(Object.entries(data as object).filter(([name]) => members.includes(name)))
}

/** Makes an event happen in a new shop, and returns what was recorded of it last. */
async function makeHappen(type: string, nowMs: number) {
  const clock = { ms: nowMs }
  const now = () => new Date(clock.ms).toISOString()
  const id = timeOrderedIds(() => clock.ms, secureRandom)
  const { store, credentials, server } = await openDataFile({ file: ':memory:', demo: true }, () => clock.ms, id)
  try {
    const problems: unknown[] = []
    const report = (error: unknown) => problems.push(error)
    const reach = { allowedHosts: [], ownPort: () => undefined }
    const parts = { store, now, id, report, resources, timeScale: 1 }
    const app = createApp(parts)
    const { settled } = runnerOf({ ...parts, jobs: declaredJobs(resources), holder: server, reach, isShared: false })
    const { family } = webhookEvents.find(({ shown_as }) => shown_as === type) as (typeof webhookEvents)[number]
    const keys = { 'x-app-id': credentials.app_id, 'x-app-token': credentials.app_token }
    await happenings[family]({
      call: (method, path, body = {}) => {
        const headers = { ...keys, 'content-type': 'application/json' }
        return shownIn(app.handle({ method, path, query: '', headers, body: JSON.stringify(body) }))
      },
      settle: settled,
      shift: async (days) => {
        clock.ms += days * dayMs
        await settled()
        return now()
      },
    })
    const event = store.outbox.after(0, 1_000).findLast((recorded) => recorded.type === type)
    if (event === undefined) throw new Error(`no ${type} happened`, { cause: problems[0] })
    return { event: event satisfies RecordedEvent, id }
  } finally {
    store.close()
  }
}
