// Who refers to objects: the one answer for whatever deletes because nothing refers to it.
import type { Client } from '../api/client.ts'
import { mostNamed } from '../base/name-list.ts'
import { listSkus } from '../contract/skus.ts'
import { listRuleAssignments } from '../contract/validation-rules.ts'
import { listVouchers } from '../contract/voucher-lists.ts'
import { kinds } from '../model/kinds.ts'
import { type Found, wholeList } from '../model/objects.ts'
import { isPlain, valueAt } from '../model/value.ts'
import { idsOf, readProject } from './project.ts'

/** What refers to objects. */
export interface Referrers {
  /** By the id of an object, in words: `campaign "Welcome"`. */
  users: ReadonlyMap<string, readonly string[]>
  /** Kinds that may refer to them and that the keys cannot read. */
  unreadable: readonly string[]
}

/**
 * Reads who refers to objects: what a project is configured with, SKUs, assignees of rules, and vouchers. Orders cannot be asked for by
 * product. `known` are kinds that need not be read, and `apart` the ids of objects that do not count. Throws `CallError`.
 */
export async function referrersOf(
  client: Client,
  projectId: string,
  objects: readonly Pick<Found, 'kind' | 'id' | 'wire'>[],
  { kinds: known = new Set(), ids: apart = new Set() }: Partial<Record<'kinds' | 'ids', ReadonlySet<string>>> = {},
): Promise<Referrers> {
  const targets = new Map(objects.map(({ kind }) => [kind.name, kind]))
  const isTarget = (name: string) => targets.has(name) || (name === 'products' && targets.has('skus'))
  const referring = kinds.filter(
    ({ name, references, free = [] }) =>
      !known.has(name) && (free.length > 0 || Object.values(references).some((some) => some.some(isTarget))),
  )
  const parents = referring.flatMap(({ within }) => within?.parent ?? [])
  const only = new Set([...referring.map(({ name }) => name), ...parents])
  const wanted = { managed: [...only], whole: [...only], wanted: new Map(), only }
  const { found, assigned, unreadable } = await readProject(client, projectId, wanted)
  const users = new Map<string, string[]>()
  const note = (id: string, words: string) => users.set(id, [...(users.get(id) ?? []), words])
  for (const object of found) {
    const { kind, id, wire, parentId = '' } = object
    if (apart.has(id) || apart.has(parentId)) continue
    const used = new Set(assigned.get(id)?.map(({ rule_id }) => rule_id))
    for (const target of targets.values()) for (const one of idsOf(target, object)) used.add(one)
    const words = `${kind.noun} ${JSON.stringify(valueAt(wire, kind.named) ?? id)}`
    for (const one of used) if (one !== id) note(one, words)
  }
  const seen = new Set([...apart, ...found.map(({ id }) => id)])
  for (const object of objects) {
    for await (const words of dataUsers(client, object, seen)) note(object.id, words)
  }
  return { users, unreadable }
}

/** The calls that read which data refer to an object. */
export const dataCalls = [listRuleAssignments, listSkus, listVouchers]

/** Reads which data refer to an object, in words: `voucher "SPRING"`; `seen` are the ids of objects that were looked at. */
async function* dataUsers(
  client: Client,
  { kind, id, wire }: Pick<Found, 'kind' | 'id' | 'wire'>,
  seen: ReadonlySet<string>,
): AsyncGenerator<string> {
  if (kind.name === 'rules') {
    const all = await wholeList(client, listRuleAssignments, { path: { validationRuleId: id } })
    for (const { related_object_type, related_object_id } of all) {
      if (!seen.has(String(related_object_id)))
        yield `${String(related_object_type)} ${JSON.stringify(related_object_id)}`
    }
  }
  if (kind.name === 'categories') {
    const filed = client.items(listVouchers, { query: { category: id } }, { limit: mostNamed })
    for await (const { code } of filed) yield `voucher ${JSON.stringify(code)}`
  }
  if (kind.name === 'products') {
    const skus = client.items(listSkus, { path: { productId: id } }, { limit: mostNamed })
    for await (const sku of skus) yield `SKU ${JSON.stringify(sku.sku ?? sku.source_id ?? sku.id)}`
  }
  if (kind.name === 'products' || kind.name === 'skus') {
    // Codes of a campaign have its discount. No code is older than the product that it is about.
    const since = typeof wire.created_at === 'string' ? Date.parse(wire.created_at) - 1000 : Number.NaN
    const query = {
      filters: { campaign_id: { conditions: { $is_unknown: true } } },
      ...(!Number.isNaN(since) && { created_at: { after: new Date(since).toISOString() } }),
    }
    for await (const { code, discount } of client.items(listVouchers, { query })) {
      const units = isPlain(discount) ? [discount, discount.units].flat() : []
      if (units.some((unit) => isPlain(unit) && unit.unit_type === id)) yield `voucher ${JSON.stringify(code)}`
    }
  }
}
