// Where a project wants its events sent.
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredWebhook extends Stored {
  target_url: string
  /** As they are shown: `points_added`, never `points_aded`. */
  events: string[]
  active: boolean
  object: 'webhook'
}

/** Webhooks, by id. */
export const webhooks = collection<StoredWebhook>({ name: 'webhooks', prefix: 'wh_', type: 'webhook' })
