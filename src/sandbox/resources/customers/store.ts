// Customers, by their own id or by the shop's.
import type { Metadata } from '../../../contract/fields.ts'
import type { Customer } from '../../rules/eligibility/customer.ts'
import { collection, type Stored } from '../../storage/collection.ts'

/** A customer as on the wire; members not listed here are kept as they are. */
export interface StoredCustomer extends Stored, Customer {
  id: string
  created_at: string
  source_id: string | null
  metadata: Metadata
}

/** Customers, by id or source id. */
export const customers = collection<StoredCustomer>({
  name: 'customers',
  prefix: 'cust_',
  type: 'customer',
  key: 'source_id',
  filterable: {
    name: 'text',
    email: 'text',
    phone: 'text',
    description: 'text',
    birthdate: 'text',
    country: 'text',
    'address.city': 'text',
    'address.state': 'text',
    'address.country': 'text',
    'address.postal_code': 'text',
    'address.line_1': 'text',
    'address.line_2': 'text',
  },
})
