// Changing a webhook: the service replaces all of it, so fields that are not named are read first and sent unchanged.
import { z } from 'zod'
import { acceptedSpelling, type WebhookEventName, webhookEventNames } from '../../../contract/webhook-events.ts'
import { getWebhook, updateWebhook, webhookConfiguration } from '../../../contract/webhooks.ts'
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

// ASSUMED A1437: events that promo does not know are sent back as they are; the service knows whether it still has them.
const updateWithAnyEvents = {
  ...updateWebhook,
  body: webhookConfiguration.extend({ events: z.array(z.string()) }),
}

/** Changes a webhook and shows it. What is not changed stays as it is, events that promo does not know too. */
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
    const { target_url = now.target_url, active = now.active } = change
    const events = change.events ?? now.events.map(acceptedSpelling)
    const changed = await client.call(updateWithAnyEvents, { path, body: { target_url, events, active } })
    await showAnswer(changed, webhookColumns, flags, host)
  })
}
