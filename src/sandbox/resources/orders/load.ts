// An order from a fixture: what a request may say of it is checked, the rest is kept as it is.
import { isRecord } from '../../../base/record.ts'
import { newOrder } from '../../../contract/orders.ts'
import { checkedBody } from '../../http/check-input.ts'
import { invalidPayload } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import { identityOf } from '../../seed/fixture-object.ts'
import { orders, type StoredOrder } from './store.ts'

/** Reads an order as the service shows it. Throws a refusal that names the problem. */
export function loadOrder(wire: Record<string, unknown>, loading: FixtureContext): StoredOrder {
  checkedBody(newOrder, wire, 'absent')
  for (const name of ['customer_id', 'referrer_id'])
    if (wire[name] != null && typeof wire[name] !== 'string') throw invalidPayload(`Property .${name} must be string`)
  if (wire.redemptions != null && !isRecord(wire.redemptions))
    throw invalidPayload('Property .redemptions must be object')
  return { ...wire, ...identityOf(orders, wire, loading) } as StoredOrder
}
