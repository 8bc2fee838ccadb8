// Creating a webhook: existing ones are listed first, and again after a lost answer, because a second identical call
// would create a second webhook, and every event would arrive twice. Source: docs/reliability.md#create-webhook.

import type { Client } from '../../../api/client.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { WebhookEventName } from '../../../contract/webhook-events.ts'
import { createWebhook, listWebhooks, updateWebhook, type Webhook } from '../../../contract/webhooks.ts'
import { PromoError } from '../../../errors.ts'
import { differences } from '../../../model/differences.ts'
import { addressOf, webhookForms } from '../../../model/forms.ts'
import { webhookColumns } from '../../../output/columns/webhooks.ts'
import { mustAct } from '../../../writes/act.ts'
import { evidenceInList } from '../../../writes/prove-list.ts'
import { carryOut } from '../../request/carry-out.ts'
import { actionOf, type SingleRun } from '../../request/write.ts'
import { allOf } from '../../result/all-of.ts'
import type { Host } from '../../run/host.ts'
import { projectOf } from '../../session/project.ts'

/** What to do when there already is a webhook: one that does the same, or for `update` one with the same address. */
export const webhookChoices = ['fail', 'reuse', 'update', 'duplicate'] as const

export interface CreateFlags {
  project?: string | undefined
  'if-exists': (typeof webhookChoices)[number]
}

/** A webhook to create; every member counts when it is searched for. */
export interface NewWebhook {
  target_url: string
  events: WebhookEventName[]
  active: boolean
}

/**
 * Creates a webhook, or uses the one that does the same, and shows it.
 *
 * Throws `api` (exit 3) when there is one that may not be used; what the call throws, after a lost answer only when the
 * webhook does not appear within ten seconds, and then with the command that lists the webhooks.
 */
export async function createOnce(
  body: NewWebhook,
  { project, 'if-exists': ifExists }: CreateFlags,
  run: SingleRun,
): Promise<void> {
  const { show, host } = run
  const about = { columns: webhookColumns, endpoint: createWebhook }
  await carryOut(run, about, ({ client, profile }) => {
    const path = { projectId: projectOf({ project }, profile) }
    return {
      requests: [client.plan(listWebhooks, { path }), client.plan(createWebhook, { path, body })],
      async prepare() {
        const before = await webhooksOf(client, path.projectId)
        const used = toUseInstead(before, body, ifExists)
        return {
          question: used ? undefined : { action: actionOf(createWebhook), asks: false },
          async send() {
            const webhook = used ?? (await written(client, path, before))
            if (used) show.say(`webhook "${used.id}" already exists; nothing was created`)
            await show.afterWrite.one(webhook, webhookColumns)
          },
        }
      },
    }
  })

  async function written(client: Client, path: { projectId: string }, before: readonly Webhook[]): Promise<Webhook> {
    const changed = ifExists === 'update' ? onlyOneAt(body, before) : undefined
    if (changed === undefined) {
      const { webhook, isFound } = await created(client, path, body, before, host)
      if (isFound) show.warn(`the answer was lost, but the webhook is now listed: "${webhook.id}"`)
      return webhook
    }
    const answer = await client.call(updateWebhook, { path: { ...path, webhookId: changed.id }, body })
    show.say(`webhook "${changed.id}" already exists; updated, not created`)
    return answer as Webhook
  }
}

/**
 * Creates a webhook; `before` are those that there were. After a lost answer it is the one that is listed since.
 *
 * Throws what the call throws, with the command that lists the webhooks where it does not appear within ten seconds.
 */
export async function created(
  client: Client,
  path: { projectId: string },
  body: NewWebhook,
  before: readonly Webhook[],
  host: Pick<Host, 'stop' | 'sleep'>,
): Promise<{ webhook: Webhook; isFound: boolean }> {
  const request = { path, body }
  const listed = { forms: webhookForms, listedBy: () => 'promo webhooks list' }
  const inList = evidenceInList(createWebhook, request, listed, host)
  const evidence = inList && { ...inList, before: async () => new Set(before.map(({ id }) => id)) }
  const { state, value } = await mustAct(client, { endpoint: createWebhook, request, evidence })
  return { webhook: value as Webhook, isFound: state === 'ok_inferred' }
}

/** Returns all webhooks of a project. */
export async function webhooksOf(client: Client, projectId: string): Promise<Webhook[]> {
  return await allOf(client.items(listWebhooks, { path: { projectId } }))
}

function toUseInstead(
  webhooks: readonly Webhook[],
  wanted: NewWebhook,
  ifExists: CreateFlags['if-exists'],
): Webhook | undefined {
  const twins = webhooks.filter((webhook) => differencesIn(webhook, wanted).every((path) => path === 'active'))
  const [twin] = twins
  if (twin === undefined || ifExists === 'duplicate') return undefined
  const equal = twins.find(({ active }) => active === wanted.active)
  if ((ifExists === 'reuse' || ifExists === 'update') && equal) return equal
  if (ifExists === 'update') return undefined
  const state = twin.active ? '' : ', but is off'
  throw new PromoError('api', `webhook "${twin.id}" already sends these events to this address${state}`, {
    hint: equal
      ? 'add --if-exists reuse to use it, or --if-exists duplicate for a second one'
      : `promo webhooks update ${wanted.active ? '--active' : '--no-active'} ${argumentWords(twin.id)}`,
  })
}

/** Returns the webhook with the address; undefined for none. Throws `api` (exit 3) when it is unclear which to update. */
function onlyOneAt(wanted: NewWebhook, webhooks: readonly Webhook[]): Webhook | undefined {
  const [one, ...others] = webhooks.filter((webhook) => addressOf(webhook.target_url) === addressOf(wanted.target_url))
  if (others.length === 0) return one
  throw new PromoError('api', `${others.length + 1} webhooks have this address; it is unclear which to update`, {
    hint: 'promo webhooks list',
  })
}

/** Returns what differs in a webhook: no field of one is unique, so only a comparison detects a second one. */
function differencesIn(webhook: Webhook, wanted: NewWebhook): string[] {
  return differences(wanted, webhook, webhookForms)
}
