// Customers and segments from a fixture, with their own ids and dates.
import { customer } from '../../../contract/customer.ts'
import { newSegment } from '../../../contract/segments.ts'
import type { FixtureContext } from '../../http/resource.ts'
import { identityOf, requestOf } from '../../seed/fixture-object.ts'
import { buildSegment } from './segment.ts'
import { customers, type StoredCustomer, type StoredSegment, segments } from './store.ts'
import { buildCustomer } from './upsert.ts'

/** Reads a customer as the service shows it; members that no request contains are kept too, but not what is counted. */
export function loadCustomer(wire: Record<string, unknown>, loading: FixtureContext): StoredCustomer {
  const { summary: _summary, loyalty: _points, referrals: _referrals, system_metadata: _system, ...facts } = wire
  const fresh = buildCustomer(requestOf(customer, wire), loading)
  return { ...facts, ...fresh, ...identityOf(customers, wire, loading) }
}

/** Reads a segment as the service shows it. Its customers must exist. */
export function loadSegment(wire: Record<string, unknown>, loading: FixtureContext): StoredSegment {
  return { ...buildSegment(requestOf(newSegment, wire), loading), ...identityOf(segments, wire, loading) }
}
