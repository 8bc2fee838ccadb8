// Webhook configurations of a project.
// Source: docs/service/webhooks.md#create; docs/service/webhooks.md#list; docs/service/webhooks.md#calls.
import { z } from 'zod'
import { callsAbout, listing } from './calls-about.ts'
import { acceptedSpelling, webhookEventNames } from './webhook-events.ts'

// ASSUMED A701: an empty list of events, a repeated event, and an address that is not http(s) are refused; the
// specification has no such limit, but none of them can be intended.
const events = z
  .array(z.enum(webhookEventNames))
  .min(1)
  .refine((names) => new Set(names).size === names.length, { error: 'must NOT have duplicate items' })

const targetUrl = z.string().refine(isWebAddress, { error: 'must be an http or https address' })

/** A configuration to store. `active` defaults to true, also in an update. */
export const webhookConfiguration = z.strictObject({
  target_url: targetUrl,
  events,
  active: z.boolean().optional(),
})

/** A stored configuration; its events may have the spelling in which they are shown (webhook-events.ts). */
export const webhook = z.looseObject({
  id: z.string(),
  object: z.literal('webhook'),
  target_url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  created_at: z.string().optional(),
})

export type Webhook = z.output<typeof webhook>

const calls = callsAbout('webhooks', '/management/v1/projects/{projectId}/webhooks/{webhookId}', {
  credential: 'management',
  response: webhook,
  source: 'docs/service/webhooks.md',
})

/** Stores a configuration. A second identical call stores a second one: none of its fields is unique. */
export const createWebhook = calls.create(
  webhookConfiguration,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listWebhooks } } },
  'Create a webhook',
  'create',
)

/** Lists all configurations of a project; there are no pages. */
export const listWebhooks = calls.list(listing, 'List webhooks', 'list')

export const getWebhook = calls.get('Get a webhook', 'read')

/** Replaces the entire configuration: its address and all of its events; `active` becomes true when omitted. */
export const updateWebhook = calls.update(webhookConfiguration, 'Update a webhook', 'update', {
  // ASSUMED A1437: events that promo does not know are sent back as they are; the service knows whether it still has them.
  replaces: (now: Webhook) => ({ ...now, events: now.events.map(acceptedSpelling) }),
})

export const deleteWebhook = calls.delete('Delete a webhook', 'delete')

function isWebAddress(text: string): boolean {
  const address = URL.canParse(text) ? new URL(text) : undefined
  return address?.protocol === 'https:' || address?.protocol === 'http:'
}
