// Categories that vouchers, campaigns and tiers are filed under.
import { collection, type Stored } from '../../storage/collection.ts'

export interface StoredCategory extends Stored {
  name: string
  hierarchy: number
  object: 'category'
  updated_at: string | null
}

/** Categories, by id or name. */
export const categories = collection<StoredCategory>({
  name: 'categories',
  prefix: 'cat_',
  type: 'category',
  key: 'name',
})
