// Webhooks that do the same. Nothing about a webhook is unique, so only a comparison tells a second one.
import type { Webhook } from '../../../contract/webhooks.ts'
import { sameEvents } from './events.ts'

/** What makes two webhooks the same. */
export type Wanted = Pick<Webhook, 'target_url' | 'events'>

/**
 * Says whether a webhook sends the same events to the same address.
 *
 * The order of events, the two spellings of four of them, and the many ways to write one address make no difference.
 */
export function isTwin(webhook: Wanted, wanted: Wanted): boolean {
  return addressOf(webhook) === addressOf(wanted) && sameEvents(webhook.events, wanted.events)
}

function addressOf({ target_url }: Wanted): string {
  return URL.parse(target_url)?.href ?? target_url
}
