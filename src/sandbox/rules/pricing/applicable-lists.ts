// The `applicable_to` and `inapplicable_to` lists of an answer. Source: docs/service/pricing.md#applicability-lists.

import type { Snapshot } from '../snapshot.ts'
import { type ApplicableEntry, type ApplicableTo, entryMatches, includesAll, namesProducts } from './applicable.ts'
import type { OrderLine } from './order.ts'

/** An entry of an answer; one that may be discounted tells its lines by their position in the order. */
export type ListedEntry = ApplicableEntry & { order_item_indices?: number[] }

export interface EntryList {
  data: ListedEntry[]
  total: number
  data_ref: 'data'
  object: 'list'
}

export interface ApplicabilityLists {
  applicable_to: EntryList
  inapplicable_to: EntryList
}

/** The lists of an effect on the entire order: both empty. */
export function noEntries(): ApplicabilityLists {
  return { applicable_to: listOf([]), inapplicable_to: listOf([]) }
}

/**
 * Lists what a discount on items may and may not touch: the rules' own entries, then one entry for each product or
 * SKU of the order they resolved to, with the options of the entry that named it.
 */
export function applicabilityLists(
  collections: Pick<Snapshot, 'isInCollection'>,
  applicableTo: readonly ApplicableTo[],
  lines: readonly OrderLine[],
): ApplicabilityLists {
  const rules = applicableTo.filter(namesProducts)
  const included = rules.flatMap((rule) => rule.included ?? [])
  const excluded = rules.flatMap((rule) => rule.excluded ?? [])
  const applicable: ApplicableEntry[] = [...included]
  const inapplicable: ApplicableEntry[] = [...excluded]
  const allowed = new Set<OrderLine>()
  for (const line of lines) {
    const matching = (entries: readonly ApplicableEntry[] = []) =>
      entries.find((entry) => entryMatches(collections, entry, line))
    const barring = matching(excluded)
    if (barring) addOnce(inapplicable, concrete(line, barring))
    else if (rules.every((rule) => includesAll(rule) || matching(rule.included))) {
      allowed.add(line)
      addOnce(applicable, concrete(line, matching(included)))
    }
  }
  const listed = applicable.map((entry): ListedEntry => {
    const isMeant = (line: OrderLine) => allowed.has(line) && entryMatches(collections, entry, line)
    return { ...entry, order_item_indices: lines.flatMap((line, at) => (isMeant(line) ? [at] : [])) }
  })
  return { applicable_to: listOf(listed), inapplicable_to: listOf(inapplicable) }
}

function listOf(entries: readonly ListedEntry[]): EntryList {
  const data = entries.map((entry) => ({ ...entry, strict: entry.strict ?? false, effect: entry.effect ?? everyLine }))
  return { data, total: data.length, data_ref: 'data', object: 'list' }
}

/** The effect of an entry that names none. */
const everyLine = 'APPLY_TO_EVERY'

/** Returns the entry for one line; undefined for a line that names no product. */
function concrete(line: OrderLine, named: ApplicableEntry | undefined): ApplicableEntry | undefined {
  const {
    id: _id,
    object: _object,
    source_id: _s,
    product_id: _p,
    product_source_id: _ps,
    ...options
  } = named ?? ({ object: 'product', id: '' } as ApplicableEntry)
  const productSource = line.product?.source_id ?? undefined
  if (line.sku_id !== undefined) {
    return {
      object: 'sku',
      id: line.sku_id,
      ...(line.sku?.source_id && { source_id: line.sku.source_id }),
      ...(line.product_id !== undefined && { product_id: line.product_id }),
      ...(productSource !== undefined && { product_source_id: productSource }),
      ...options,
    }
  }
  if (line.product_id === undefined) return undefined
  return {
    object: 'product',
    id: line.product_id,
    ...(productSource !== undefined && { source_id: productSource }),
    ...options,
  }
}

function addOnce(entries: ApplicableEntry[], entry: ApplicableEntry | undefined): void {
  if (!entry) return
  const known = entries.some(
    ({ object, id, source_id }) =>
      object === entry.object && (id === entry.id || (source_id && source_id === entry.source_id)),
  )
  if (!known) entries.push(entry)
}
