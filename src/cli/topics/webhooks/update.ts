// Changing a webhook: the service replaces all of it, so fields that are not named are read first and sent unchanged.
import { acceptedSpelling, type WebhookEventName, webhookEventNames } from '../../../contract/webhook-events.ts'
import { getWebhook, updateWebhook, type Webhook } from '../../../contract/webhooks.ts'
import { EXIT, PromoError } from '../../../errors.ts'
import { webhookColumns } from '../../../output/columns/webhooks.ts'
import { confirmWrite } from '../../prompt/confirm.ts'
import { actionOf, showAnswer, showPlan, type WriteFlags, withWriteClient } from '../../request/write.ts'
import type { Host, ProgramConfig } from '../../run/host.ts'
import { projectOf } from '../../session/project.ts'

/** What changes; an absent member stays as it is. */
export interface WebhookChange {
  target_url?: string
  events?: WebhookEventName[]
  active?: boolean
}

/**
 * Changes a webhook and shows it.
 *
 * Throws `api` (exit 3) when it has events that cannot be set by this API, and no others are named.
 */
export async function updateOnce(
  flags: WriteFlags & { project?: string | undefined },
  webhookId: string,
  change: WebhookChange,
  { host, config }: { host: Host; config: ProgramConfig },
): Promise<void> {
  await withWriteClient(flags, { host, config }, webhookColumns, updateWebhook, async (write) => {
    const { client, profile, planOnly } = write
    const path = { projectId: projectOf(flags, profile), webhookId }
    // Checks what was given before anything is sent; the rest is filled in with valid values.
    const given = { target_url: 'https://unchanged.example', events: [...webhookEventNames], ...change }
    const plan = client.plan(updateWebhook, { path, body: given })
    // ASSUMED A-w-1: a plan of the update shows only the named fields; the rest of its body would be read first.
    if (planOnly) return await showPlan([client.plan(getWebhook, { path }), { ...plan, body: change }], flags, host)
    await confirmWrite({ profile, flags, host, action: actionOf(updateWebhook), asks: false })
    const now = await client.call(getWebhook, { path })
    const { target_url = now.target_url, events = sendable(now), active = now.active } = change
    const changed = await client.call(updateWebhook, { path, body: { target_url, events, active } })
    await showAnswer(changed, webhookColumns, flags, host)
  })
}

function sendable({ id, events }: Webhook): WebhookEventName[] {
  const names = events.map(acceptedSpelling)
  const unknown = names.filter((name) => !isEventName(name))
  if (unknown.length === 0) return names.filter(isEventName)
  throw new PromoError(
    'api',
    EXIT.refused,
    `webhook "${id}" has events that only the console of the service can set (${unknown.join(', ')})`,
    { hint: 'name its events with --event; those others would be lost' },
  )
}

function isEventName(name: string): name is WebhookEventName {
  return (webhookEventNames as readonly string[]).includes(name)
}
