// Webhook configurations of a project.
// Source: docs/service/webhooks.md#create; docs/service/webhooks.md#list; docs/service/webhooks.md#calls.
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAnswer } from './fields.ts'
import { listing } from './listing.ts'
import { webhookEventNames } from './webhook-events.ts'

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

/** Stores a configuration. A second identical call stores a second one: none of its fields is unique. */
export const createWebhook = endpoint({
  id: 'webhooks.create',
  method: 'POST',
  path: '/management/v1/projects/{projectId}/webhooks',
  credential: 'management',
  body: webhookConfiguration,
  response: webhook,
  repeat: 'reconcile',
  source: 'docs/service/webhooks.md#create',
  summary: 'Create a webhook',
})

/** Lists all configurations of a project; there are no pages. */
export const listWebhooks = endpoint({
  id: 'webhooks.list',
  ...listing,
  path: '/management/v1/projects/{projectId}/webhooks',
  credential: 'management',
  source: 'docs/service/webhooks.md#list',
  summary: 'List webhooks',
})

/** Reads one configuration. */
export const getWebhook = endpoint({
  id: 'webhooks.get',
  method: 'GET',
  path: '/management/v1/projects/{projectId}/webhooks/{webhookId}',
  credential: 'management',
  response: webhook,
  repeat: 'read',
  source: 'docs/service/webhooks.md#read',
  summary: 'Get a webhook',
})

/** Replaces the entire configuration: its address and all of its events; `active` becomes true when omitted. */
export const updateWebhook = endpoint({
  id: 'webhooks.update',
  method: 'PUT',
  path: '/management/v1/projects/{projectId}/webhooks/{webhookId}',
  credential: 'management',
  body: webhookConfiguration,
  response: webhook,
  repeat: 'idempotent',
  source: 'docs/service/webhooks.md#update',
  summary: 'Update a webhook',
})

/** Removes a configuration. */
export const deleteWebhook = endpoint({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/management/v1/projects/{projectId}/webhooks/{webhookId}',
  credential: 'management',
  response: emptyAnswer,
  repeat: 'idempotent',
  source: 'docs/service/webhooks.md#delete',
  summary: 'Delete a webhook',
})

function isWebAddress(text: string): boolean {
  const address = URL.canParse(text) ? new URL(text) : undefined
  return address?.protocol === 'https:' || address?.protocol === 'http:'
}
