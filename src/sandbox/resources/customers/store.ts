// Customers, by their own id or by the shop's.
import { collection, type Stored } from '../../storage/collection.ts'

/** A customer as on the wire; members not named here are kept as they are. */
export interface StoredCustomer extends Stored {
  source_id: string | null
  name?: string | null
  email?: string | null
  metadata: Record<string, unknown>
  [field: string]: unknown
}

/** Customers, by id or source id. */
export const customers = collection<StoredCustomer>({
  name: 'customers',
  prefix: 'cust_',
  type: 'customer',
  key: 'source_id',
  filterable: { name: 'text', email: 'text', 'address.city': 'text' },
})
