// Stores the customer of a request: redemptions, publications, events and holders do it as the customer calls do.
// Source: docs/service/customers.md#storing-a-customer.
import type { z } from 'zod'
import { withoutUndefined } from '../../../base/record.ts'
import { customer, type customerReference } from '../../../contract/customer.ts'
import { customerAnswer } from '../../answers/customers.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { notFound } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import { customers, type StoredCustomer } from '../../stores/customers.ts'
import { checkMetadata } from '../metadata/check.ts'
import { findByIds, insertUnique, mergeMetadata, storeUpdate } from '../update.ts'
import { announceSegments } from './segments.ts'

/** A customer as a request writes it. */
export type CustomerBody = z.output<typeof customer>

/** A customer as a request writes it, or only the text of its id or source id. */
export type CustomerReference = z.output<typeof customerReference>

/**
 * Stores the customer a request names, or changes the stored one, and returns it as stored.
 *
 * Found by `id`, else by `source_id`; a bare text is an id, else a source id. One without either is always new.
 * Records `customer.created` or, when something changed, `customer.updated`. Throws 404 (unknown `id`) or 400 (metadata).
 */
export function upsertCustomer(given: CustomerReference, context: Context): StoredCustomer {
  if (typeof given === 'string') return findCustomer(given, context) ?? createCustomer({ source_id: given }, context)
  const before = findByIds(context.in(customers), given)
  if (before) return updateCustomer(before, given, context)
  if (given.id != null) throw notFound('customer', given.id)
  return createCustomer(given, context)
}

/** Finds a customer by id, else by source id; undefined when there is none. */
export function findCustomer(idOrSourceId: string, context: Tables): StoredCustomer | undefined {
  return context.in(customers).find(idOrSourceId)
}

/** Finds a customer by id or source id. Throws 404. */
export function knownCustomer(idOrSourceId: string, context: Tables): StoredCustomer {
  const customer = findCustomer(idOrSourceId, context)
  if (!customer) throw notFound('customer', idOrSourceId)
  return customer
}

/** Changes a customer; omitted members keep their value, null clears, the ids cannot change. Records `customer.updated`. */
export function updateCustomer(before: StoredCustomer, body: CustomerBody, context: Context): StoredCustomer {
  const after = customerWith(before, body)
  if (body.metadata !== undefined) checkMetadata(context, 'customer', after.metadata)
  const { doc, isChanged } = storeUpdate(customers, before, after, context)
  // ASSUMED A168: customer.updated is recorded, though webhooks cannot subscribe to it.
  if (!isChanged) return doc
  context.emit('customer.updated', doc.id, { customer: customerAnswer(doc, context) })
  announceSegments(before, doc, context)
  return doc
}

/** Builds a new customer; stores nothing. */
function buildCustomer(body: CustomerBody, context: Pick<Context, 'id' | 'now'>): StoredCustomer {
  const blank: StoredCustomer = {
    id: context.id(customers.prefix),
    source_id: body.source_id ?? null,
    name: null,
    description: null,
    email: null,
    phone: null,
    birthdate: null,
    address: null,
    metadata: {},
    created_at: context.now,
    updated_at: null,
    object: 'customer',
  }
  return customerWith(blank, body)
}

function createCustomer(body: CustomerBody, context: Context): StoredCustomer {
  const fresh = buildCustomer(body, context)
  checkMetadata(context, 'customer', fresh.metadata)
  const doc = insertUnique(customers, fresh, context)
  context.emit('customer.created', doc.id, { customer: customerAnswer(doc, context) })
  announceSegments(undefined, doc, context)
  return doc
}

function customerWith(before: StoredCustomer, body: CustomerBody): StoredCustomer {
  const { id: _id, source_id: _source, object: _object, address, metadata, ...fields } = body
  return {
    ...before,
    ...withoutUndefined(fields),
    // ASSUMED A169: in an address, omitted members keep their value; null clears a member, or the address.
    ...(address !== undefined && { address: address && { ...(before.address as object | null), ...address } }),
    metadata: mergeMetadata(before.metadata, metadata),
  }
}

/** Reads a customer as the service shows it; members that no request contains are kept too, but not what is counted. */
export function loadCustomer(wire: Record<string, unknown>, loading: FixtureContext): StoredCustomer {
  const { summary: _summary, loyalty: _points, referrals: _referrals, system_metadata: _system, ...facts } = wire
  const fresh = buildCustomer(requestOf(customer, wire), loading)
  return { ...facts, ...fresh, ...identityOf(customers, wire, loading) }
}
