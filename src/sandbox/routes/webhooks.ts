// The webhook calls of the management API.
// Source: docs/service/webhooks.md#create; docs/service/webhooks.md#list; docs/service/webhooks.md#calls.
import { z } from 'zod'
import { acceptedSpelling, webhookEvents } from '../../contract/webhook-events.ts'
import * as contract from '../../contract/webhooks.ts'
import { existingById, routesFor } from '../answers/existing.ts'
import { deliveryKind } from '../http/envelope.ts'
import { identityOf, requestOf } from '../http/fixture-object.ts'
import { type Resource, route, wholeList } from '../http/route.ts'
import { deliver } from '../resources/webhooks/deliver.ts'
import { type StoredWebhook, webhooks } from '../stores/webhooks.ts'

// Both spellings of the four misspelt names are accepted, and shown as they were sent.
const names = [...new Set(webhookEvents.flatMap((event) => [event.name, event.shown_as]))]
const configuration = contract.webhookConfiguration.extend({
  events: z
    .array(z.enum(names as [string, ...string[]]))
    .min(1)
    .refine((given) => new Set(given.map(acceptedSpelling)).size === given.length, {
      error: 'must NOT have duplicate items',
    }),
})

const routeFor = routesFor('webhookId', (id, context) => existingById(webhooks, id, context))

/** Webhooks, by id, and their deliveries. */
export const webhookResource: Resource = {
  collections: [webhooks],
  load: {
    webhooks: (wire, loading) => {
      const { id, created_at } = identityOf(webhooks, wire, loading)
      return { id, created_at, ...webhookOf(requestOf(configuration, wire)) }
    },
  },
  jobs: { [deliveryKind]: deliver },
  routes: [
    route({ ...contract.createWebhook, body: configuration }, ({ body }, context) =>
      context.in(webhooks).insert({ id: context.id(webhooks.prefix), created_at: context.now, ...webhookOf(body) }),
    ),
    route(contract.listWebhooks, (_, context) => wholeList(context.in(webhooks).all())),
    routeFor(contract.getWebhook, (webhook) => webhook),
    routeFor({ ...contract.updateWebhook, body: configuration }, (before, context, { body }) => {
      const webhook = { ...before, ...webhookOf(body) }
      context.in(webhooks).update(webhook)
      return webhook
    }),
    routeFor(contract.deleteWebhook, (webhook, context) => context.in(webhooks).remove(webhook.id)),
  ],
}

function webhookOf(body: z.output<typeof configuration>): Omit<StoredWebhook, 'id' | 'created_at'> {
  const { target_url, events, active = true } = body
  return { object: 'webhook', target_url, events, active }
}
