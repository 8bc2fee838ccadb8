// Points that come onto a card some days after they were earned.
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredPendingPoints extends Stored {
  voucher_id: string
  campaign_id: string
  customer_id: string | null
  order_id: string
  points: number
  /** The day of the project's time zone on which they become active. */
  activates_at: string
  status: 'PENDING' | 'ACTIVATED' | 'CANCELED'
  /** The order, the event, the earning rule, and the tiers at the time of the order. */
  details: { order: { id: string; source_id: string | null } } & Record<string, unknown>
}

/** Pending points, by id; those that were activated or canceled are kept, and no longer listed. */
export const pendingPoints = collection<StoredPendingPoints>('pending_points', 'pending_points', 'lopp_', {
  indexed: { voucher_id: 'text', campaign_id: 'text' },
  filterable: { status: 'text' },
})
