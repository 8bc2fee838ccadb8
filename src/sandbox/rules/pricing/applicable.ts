// Which lines of an order a discount on items may touch, and how many units of each.
// Source: docs/service/pricing.md#applicable-lines.

import { type OrderLine, unitPrice } from './order.ts'
import type { ProductReference } from './product.ts'

export type ItemEffect =
  | 'APPLY_TO_EVERY'
  | 'APPLY_TO_CHEAPEST'
  | 'APPLY_FROM_CHEAPEST'
  | 'APPLY_TO_MOST_EXPENSIVE'
  | 'APPLY_FROM_MOST_EXPENSIVE'

/** One entry of `applicable_to`: a product, a SKU or a collection, and how far the effect reaches there. */
export interface ApplicableEntry {
  object: 'product' | 'sku' | 'products_collection'
  id: string
  source_id?: string | null
  product_id?: string
  product_source_id?: string | null
  /** FIXED discounts: the new unit price. */
  price?: number
  effect?: ItemEffect
  target?: 'ITEM' | 'UNIT'
  skip_initially?: number
  repeat?: number
  quantity_limit?: number
  aggregated_quantity_limit?: number
  amount_limit?: number
  aggregated_amount_limit?: number
}

/** The product part of a rule: what a discount on items may touch. */
export interface ApplicableTo {
  included?: ApplicableEntry[]
  excluded?: ApplicableEntry[]
  included_all?: boolean
}

/** The part of the stored state that sorts products into collections. */
export interface Collections {
  isInCollection: (collectionId: string, line: ProductReference) => boolean
}

/** What one line contributes. */
export interface LineShare {
  line: OrderLine
  /** How many of its units count, above 0. */
  units: number
  /** The most this line may be discounted by; Infinity when nothing limits it. */
  amountLimit: number
  /** FIXED discounts: the entry's own new unit price. */
  price?: number
}

export interface LineSelection {
  /** In the order of the lines. */
  shares: LineShare[]
  /** Limits on what a group of lines may be discounted by together. */
  caps: { lines: OrderLine[]; amount: number }[]
}

/** Says whether a rule includes or excludes products; one that does not leaves every line applicable. */
export function namesProducts(applicableTo: ApplicableTo | undefined): applicableTo is ApplicableTo {
  return Boolean(applicableTo?.included?.length || applicableTo?.excluded?.length)
}

/**
 * Selects the lines that every given rule allows, with the lowest of the limits that meet on a line.
 *
 * ASSUMED A03: with several rules a line must be applicable under each that names products.
 */
export function selectLines(
  collections: Collections,
  applicableTo: readonly ApplicableTo[],
  lines: readonly OrderLine[],
): LineSelection {
  const selections = applicableTo.filter(namesProducts).map((rule) => selectByRule(collections, rule, lines))
  const everything = lines.map((line) => ({ line, units: line.quantity, amountLimit: Infinity }))
  return selections.reduce(intersected, { shares: everything.filter(({ units }) => units > 0), caps: [] })
}

/** Says whether an entry names this line: a product names its SKUs too, a SKU only itself. */
export function entryMatches(collections: Collections, entry: ApplicableEntry, line: OrderLine): boolean {
  const wanted = [entry.id, entry.source_id].filter(Boolean)
  const source = (kind: 'product' | 'sku') => (line.related_object === kind ? line.source_id : undefined)
  switch (entry.object) {
    case 'products_collection':
      return collections.isInCollection(entry.id, line)
    case 'sku':
      return [line.sku_id, line.sku?.source_id, source('sku')].some((id) => id && wanted.includes(id))
    case 'product':
      return [line.product_id, line.product?.source_id, source('product')].some((id) => id && wanted.includes(id))
  }
}

/** Says whether exclusion takes a line out, which it does even inside an included collection. */
function isExcluded(collections: Collections, rule: ApplicableTo, line: OrderLine): boolean {
  return (rule.excluded ?? []).some((entry) => entryMatches(collections, entry, line))
}

/** Says whether a rule without `included` entries means every line. */
export function includesAll(rule: ApplicableTo): boolean {
  // ASSUMED A04: a rule that only excludes means "everything but", also without included_all.
  return rule.included_all === true || !rule.included?.length
}

function selectByRule(collections: Collections, rule: ApplicableTo, lines: readonly OrderLine[]): LineSelection {
  const allowed = lines.filter((line) => !isExcluded(collections, rule, line))
  const entries = rule.included ?? []
  const groups = entries.map((entry) => ({
    entry,
    matched: allowed.filter((line) => entryMatches(collections, entry, line)),
  }))
  const named = new Set(groups.flatMap((group) => group.matched))
  if (includesAll(rule)) {
    // Lines no entry speaks of are applicable without limits.
    groups.push({ entry: { object: 'product', id: '' }, matched: allowed.filter((line) => !named.has(line)) })
  }
  const selection: LineSelection = { shares: [], caps: [] }
  for (const { entry, matched } of groups) {
    const shares = walk(entry, matched)
    for (const share of shares) {
      const same = selection.shares.find(({ line }) => line === share.line)
      if (same) Object.assign(same, tighter(same, share))
      else selection.shares.push(share)
    }
    // Stored entries may carry null where nothing is limited.
    if (typeof entry.aggregated_amount_limit === 'number') {
      selection.caps.push({ lines: shares.map(({ line }) => line), amount: entry.aggregated_amount_limit })
    }
  }
  selection.shares.sort((a, b) => lines.indexOf(a.line) - lines.indexOf(b.line))
  return selection
}

/** Orders the matched lines, skips, takes every `repeat`-th line or unit, and keeps to the limits in units. */
function walk(entry: ApplicableEntry, lines: readonly OrderLine[]): LineShare[] {
  const effect = entry.effect ?? 'APPLY_TO_EVERY'
  const price = (line: OrderLine) => unitPrice(line) ?? 0
  const direction = effect === 'APPLY_TO_EVERY' ? 0 : effect.endsWith('CHEAPEST') ? 1 : -1
  // The sort is stable: lines of one price keep the order of the request.
  const sorted = [...lines].sort((a, b) => direction * (price(a) - price(b)))
  const skip = Math.max(0, entry.skip_initially ?? 0)
  // ASSUMED A05: APPLY_TO_CHEAPEST and APPLY_TO_MOST_EXPENSIVE take one line (or unit) unless `repeat` is given.
  const single = effect === 'APPLY_TO_CHEAPEST' || effect === 'APPLY_TO_MOST_EXPENSIVE'
  const repeat = entry.repeat && entry.repeat > 0 ? entry.repeat : single ? Infinity : 1
  const byUnit = entry.target === 'UNIT'
  let position = 0
  let unitsLeft = entry.aggregated_quantity_limit ?? Infinity
  const shares: LineShare[] = []
  for (const line of sorted) {
    const { quantity } = line
    const length = byUnit ? quantity : 1
    const hits = hitsBetween(position - skip, position - skip + length, repeat)
    position += length
    const units = Math.min(byUnit ? hits : hits * quantity, entry.quantity_limit ?? Infinity, unitsLeft)
    if (units <= 0) continue
    unitsLeft -= units
    shares.push({
      line,
      units,
      amountLimit: entry.amount_limit ?? Infinity,
      ...(typeof entry.price === 'number' && { price: entry.price }),
    })
  }
  return shares
}

/** How many of 0, step, 2·step… lie in [from, to). Counted, not walked: a line may have a million units. */
function hitsBetween(from: number, to: number, step: number): number {
  const below = (end: number) => (end <= 0 ? 0 : Number.isFinite(step) ? Math.ceil(end / step) : 1)
  return below(to) - below(from)
}

function tighter(a: LineShare, b: LineShare): LineShare {
  return { ...b, ...a, units: Math.min(a.units, b.units), amountLimit: Math.min(a.amountLimit, b.amountLimit) }
}

function intersected(a: LineSelection, b: LineSelection): LineSelection {
  const shares = a.shares.flatMap((share) => {
    const other = b.shares.find(({ line }) => line === share.line)
    return other ? [tighter(share, other)] : []
  })
  return { shares, caps: [...a.caps, ...b.caps] }
}
