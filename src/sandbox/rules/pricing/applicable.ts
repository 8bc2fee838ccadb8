// Selects the lines of an order that a discount on items may apply to, and how many units of each.
// Source: docs/service/pricing.md#applicable-lines.

import { type OrderLine, unitPrice } from './order.ts'
import type { ProductReference } from './product.ts'

export type ItemEffect =
  | 'APPLY_TO_EVERY'
  | 'APPLY_TO_CHEAPEST'
  | 'APPLY_FROM_CHEAPEST'
  | 'APPLY_TO_MOST_EXPENSIVE'
  | 'APPLY_FROM_MOST_EXPENSIVE'

/** One entry of `applicable_to`: a product, a SKU or a collection, and the limits of the effect on it. */
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
  strict?: boolean
  skip_initially?: number
  repeat?: number
  quantity_limit?: number
  aggregated_quantity_limit?: number
  amount_limit?: number
  aggregated_amount_limit?: number
}

/** The product part of a rule: what a discount on items may apply to. */
export interface ApplicableTo {
  included?: ApplicableEntry[]
  excluded?: ApplicableEntry[]
  included_all?: boolean
}

/** The part of the stored state that assigns products to collections. */
export interface Collections {
  isInCollection: (collectionId: string, line: ProductReference) => boolean
}

/** The contribution of one line. */
export interface LineShare {
  line: OrderLine
  /** How many of its units count, above 0. */
  units: number
  /** The maximum discount of this line; Infinity without a limit. */
  amountLimit: number
  /** FIXED discounts: the entry's own new unit price. */
  price?: number
}

export interface LineSelection {
  /** In the order of the lines. */
  shares: LineShare[]
  /** Limits on the total discount of a group of lines. */
  caps: { lines: OrderLine[]; amount: number }[]
}

/** Returns whether a rule includes or excludes products; otherwise every line is applicable. */
export function namesProducts(applicableTo: ApplicableTo | undefined): applicableTo is ApplicableTo {
  return Boolean(applicableTo?.included?.length || applicableTo?.excluded?.length)
}

/**
 * Selects the lines that every given rule allows, with the lowest of the limits that apply to a line.
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
  return selections.reduce(intersect, { shares: everything.filter(({ units }) => units > 0), caps: [] })
}

/** Returns whether an entry names this line: a product names its SKUs too, a SKU only itself. */
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

/** Returns whether a line is excluded, which applies even inside an included collection. */
function isExcluded(collections: Collections, rule: ApplicableTo, line: OrderLine): boolean {
  return (rule.excluded ?? []).some((entry) => entryMatches(collections, entry, line))
}

/** Returns whether a rule without `included` entries means every line. */
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
    // Lines that no entry names are applicable without limits.
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
    // Stored entries may contain null where there is no limit.
    if (typeof entry.aggregated_amount_limit === 'number')
      selection.caps.push({ lines: shares.map(({ line }) => line), amount: entry.aggregated_amount_limit })
  }
  selection.shares.sort((a, b) => lines.indexOf(a.line) - lines.indexOf(b.line))
  return selection
}

/** Orders the matched lines, skips, takes every `repeat`-th line or unit, and applies the limits in units. */
function walk(entry: ApplicableEntry, lines: readonly OrderLine[]): LineShare[] {
  const effect = entry.effect ?? 'APPLY_TO_EVERY'
  const price = (line: OrderLine) => unitPrice(line) ?? 0
  const direction = effect === 'APPLY_TO_EVERY' ? 0 : effect.endsWith('CHEAPEST') ? 1 : -1
  // The sort is stable: lines of equal price keep the order of the request.
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

/** Returns how many of 0, step, 2·step… are in [from, to). Computed without a loop: a line may have a million units. */
function hitsBetween(from: number, to: number, step: number): number {
  const below = (end: number) => (end <= 0 ? 0 : Number.isFinite(step) ? Math.ceil(end / step) : 1)
  return below(to) - below(from)
}

function tighter(a: LineShare, b: LineShare): LineShare {
  return { ...b, ...a, units: Math.min(a.units, b.units), amountLimit: Math.min(a.amountLimit, b.amountLimit) }
}

function intersect(a: LineSelection, b: LineSelection): LineSelection {
  const shares = a.shares.flatMap((share) => {
    const other = b.shares.find(({ line }) => line === share.line)
    return other ? [tighter(share, other)] : []
  })
  return { shares, caps: [...a.caps, ...b.caps] }
}
