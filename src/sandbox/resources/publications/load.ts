// A publication from a fixture. Source: docs/sandbox.md#fixtures.
import { newPublication } from '../../../contract/publications.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import { identityOf } from '../../seed/fixture-object.ts'
import { findCustomer } from '../customers/upsert.ts'
import { existing } from '../existing.ts'
import { type StoredVoucher, vouchers } from '../vouchers/store.ts'
import { publications, type StoredPublication } from './store.ts'

const members = newPublication.shape

/**
 * Reads a publication as the service shows it. Customer and vouchers must precede it in the file; the counters and
 * holders of the vouchers are taken from the vouchers. Throws a refusal that names the problem.
 */
export function loadPublication(wire: Record<string, unknown>, loading: FixtureContext): StoredPublication {
  const customerId = wire.customer_id ?? (wire.customer as { id?: unknown } | undefined)?.id
  if (typeof customerId !== 'string') throw invalidPayload("Payload must have required property 'customer_id'")
  const customer = findCustomer(customerId, loading)
  if (!customer) throw notFound('customer', customerId)
  const given = vouchersOf(wire, loading)
  const metadata = members.metadata.safeParse(wire.metadata ?? {})
  if (!metadata.success) throw invalidPayload('Property .metadata must be object')
  return {
    source_id: textOf(wire, 'source_id'),
    customer_id: customer.id,
    tracking_id: textOf(wire, 'tracking_id'),
    campaign_id: given[0]?.campaign_id ?? null,
    channel: textOf(wire, 'channel') ?? 'API',
    metadata: metadata.data ?? {},
    vouchers_id: given.map(({ id }) => id),
    voucher_code: given[0]?.code ?? '',
    result: 'SUCCESS',
    object: 'publication',
    ...identityOf(publications, wire, loading),
  }
}

function vouchersOf(wire: Record<string, unknown>, loading: FixtureContext): StoredVoucher[] {
  const single = wire.voucher as { id?: unknown; code?: unknown } | string | null | undefined
  const named = typeof single === 'string' ? single : (single?.id ?? single?.code)
  const list: unknown[] = Array.isArray(wire.vouchers_id) ? wire.vouchers_id : named === undefined ? [] : [named]
  if (list.length === 0) throw invalidPayload("Payload must have required property 'vouchers_id'")
  return list.map((asked) => {
    const voucher = existing(vouchers, String(asked), loading)
    return voucher
  })
}

function textOf(wire: Record<string, unknown>, name: string): string | null {
  const value = wire[name]
  if (value == null) return null
  if (typeof value !== 'string') throw invalidPayload(`Property .${name} must be string`)
  return value
}
