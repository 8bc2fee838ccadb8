// Where a project wants its events delivered.
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredWebhook extends Stored {
  target_url: string
  /** In the spelling in which each was sent: `points_added` or `points_aded`. */
  events: string[]
  active: boolean
  object: 'webhook'
}

/** Webhooks, by id. */
export const webhooks = collection<StoredWebhook>('webhooks', 'webhook', 'wh_', { cached: true })
