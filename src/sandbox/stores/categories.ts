// Categories that vouchers, campaigns and tiers are filed under.
import type { Category } from '../rules/redeemable.ts'
import { collection, type Stored } from '../storage/collection.ts'

export interface StoredCategory extends Stored, Category {
  created_at: string
  updated_at: string | null
}

/** Categories, by id or name. */
export const categories = collection<StoredCategory>('categories', 'category', 'cat_', { cached: true, key: 'name' })
