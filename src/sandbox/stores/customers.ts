// Customers, by their own id or by the shop's, and segments: customers listed explicitly, or found by a filter.
import type { Metadata } from '../../contract/fields.ts'
import type { Customer } from '../rules/eligibility/customer.ts'
import { collection, type Stored } from '../storage/collection.ts'
import { type Condition, isIn } from '../storage/conditions.ts'
import { compileFilters } from '../storage/filters.ts'

/** A customer as on the wire; members not listed here are kept as they are. */
export interface StoredCustomer extends Stored, Customer {
  id: string
  created_at: string
  source_id: string | null
  metadata: Metadata
}

/** Customers, by id or source id. */
export const customers = collection<StoredCustomer>('customers', 'customer', 'cust_', {
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

export interface StoredSegment extends Stored {
  name: string
  type: 'static' | 'auto-update' | 'passive'
  /** Ids of the customers of a static segment, each once. */
  customers?: string[]
  /** What the customers of the other types have in common, in the form of a listing's filters; null for a static one. */
  filter: Record<string, unknown> | null
  updated_at: string | null
  object: 'segment'
}

/** Segments, by id. */
export const segments = collection<StoredSegment>('segments', 'segment', 'seg_', {
  filterable: { type: 'text' },
  usuallyEmpty: true,
})

/** Restricts customers to those of a segment. Throws BadFilter for a filter that is not computed. */
export function membersOf({ filter, customers: listed = [] }: StoredSegment, now: string): Condition {
  if (filter) return compileFilters(customers, filter, now)
  return isIn(customers, 'id', listed)
}
