// Points that expire, by expiry time. Points that never expire are in no bucket: they are the rest of the balance.
import type { PointsBucket } from '../rules/balances/points-expiry.ts'
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredBucket extends Stored, PointsBucket {
  voucher_id: string
  campaign_id: string | null
  /** `points` is the remaining amount; this is the amount added. */
  total_points: number
  expires_at: string
  status: 'ACTIVE' | 'USED' | 'EXPIRED'
}

/** Buckets of points, by id. */
export const pointsBuckets = collection<StoredBucket>('points_buckets', 'loyalty_points_bucket', 'lopb_', {
  indexed: { voucher_id: 'text', campaign_id: 'text', expires_at: 'date' },
  filterable: { status: 'text', points: 'number' },
})
