// Bundles: products that an order must have together, and how often a discount is given for them.
// Source: docs/service/validation-rules.md#bundles.

import type { Discount } from '../../../contract/discount.ts'
import type { BundleRules, RuleNode } from '../conditions/rule.ts'
import { type ApplicableEntry, type ApplicableTo, type Collections, entryMatches } from './applicable.ts'
import type { OrderLine } from './order.ts'

/** A product, SKU or collection of a bundle. */
type Part = Pick<ApplicableEntry, 'object' | 'id'>

/** What an order has of a bundle. `quantity` is how often it is complete; 0 when something is missing. */
export interface Bundle {
  quantity: number
  limit: number
  identified: (Part & { item_index: number; item_quantity: number })[]
  missing?: (Part & { item_quantity: number })[]
}

const mostTimes = 100

/** Returns why the bundle of a rule cannot be stored, or undefined when it can. */
export function bundleProblem(bundle: BundleRules): string | undefined {
  const { limit, ...numbered } = bundle
  const isLimit = limit == null || (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= mostTimes)
  if (!isLimit) return `Property .bundle_rules.limit must be an integer from 1 to ${mostTimes}`
  for (const [number, part] of Object.entries(numbered)) {
    const at = `Property .bundle_rules.${number}`
    if (!/^\d+$/.test(number)) return `${at} is not supported by the embedded service`
    const node = part as RuleNode | null
    if (node?.name !== 'order.items.any') return `${at}.name must be order.items.any`
    if (partsOf(node).length === 0) return `${at}.conditions must have $is with a product, SKU or collection`
    if (neededOf(node) === undefined)
      return `${at}.rules must have one rule order.items.aggregated_quantity with $is and a whole number above 0`
  }
  return undefined
}

/** Returns whether a rule asks for a bundle. */
export function hasBundle(bundle: BundleRules | null | undefined): bundle is BundleRules {
  return bundle != null && Object.keys(bundle).some((name) => /^\d+$/.test(name))
}

/**
 * Finds out how often an order has a bundle. Units count once: for a SKU first, then for a product, then for a collection.
 *
 * Of several bundles the one that is complete least often counts.
 */
export function bundleIn(
  collections: Collections,
  bundles: readonly BundleRules[],
  lines: readonly OrderLine[],
): Bundle | undefined {
  const found = bundles.map((bundle) => oneIn(collections, bundle, lines))
  return found.toSorted((one, other) => one.quantity - other.quantity)[0]
}

function oneIn(collections: Collections, bundle: BundleRules, lines: readonly OrderLine[]): Bundle {
  const limit = typeof bundle.limit === 'number' ? bundle.limit : 1
  const wanted = Object.entries(bundle)
    .filter(([name]) => name !== 'limit')
    .map(([, node]) => ({ parts: partsOf(node as RuleNode), needed: neededOf(node as RuleNode) ?? 1 }))
    .toSorted((one, other) => rankOf(one.parts) - rankOf(other.parts))
  const left = lines.map(({ quantity }) => quantity)
  const identified: Bundle['identified'] = []
  let quantity = 0
  for (; quantity < limit; quantity += 1) {
    const taken: Bundle['identified'] = []
    const missing: NonNullable<Bundle['missing']> = []
    for (const { parts, needed } of wanted) {
      const lacking = take(collections, parts, needed, lines, left, taken)
      const [first] = parts
      if (lacking > 0 && first) missing.push({ ...first, item_quantity: lacking })
    }
    if (missing.length > 0 && quantity === 0) return { quantity: 0, limit, identified: taken, missing }
    if (missing.length > 0) break
    identified.push(...taken)
  }
  return { quantity, limit, identified: sumParts(identified) }
}

/** Takes units of what a part names from the lines; returns how many are lacking. */
function take(
  collections: Collections,
  parts: readonly Part[],
  needed: number,
  lines: readonly OrderLine[],
  left: number[],
  taken: Bundle['identified'],
): number {
  let rest = needed
  for (const part of parts) {
    for (const [index, line] of lines.entries()) {
      const units = Math.min(rest, left[index] ?? 0)
      if (units <= 0 || !entryMatches(collections, part, line)) continue
      left[index] = (left[index] ?? 0) - units
      rest -= units
      taken.push({ ...part, item_index: index, item_quantity: units })
    }
  }
  return rest
}

/** One entry for each part and line, however often the bundle is complete. */
function sumParts(identified: Bundle['identified']): Bundle['identified'] {
  const byPlace = Map.groupBy(identified, ({ object, id, item_index }) => `${object} ${id} ${item_index}`)
  return [...byPlace.values()].flatMap((same) => {
    const [first] = same
    return first ? [{ ...first, item_quantity: same.reduce((sum, one) => sum + one.item_quantity, 0) }] : []
  })
}

function partsOf({ conditions }: RuleNode): Part[] {
  return (conditions?.$is ?? []).flatMap((reference) => {
    const { id, type, object } = (reference ?? {}) as { id?: unknown; type?: unknown; object?: unknown }
    if (typeof id !== 'string') return []
    const kind = object ?? (type === 'products_collection' ? type : 'product')
    return kind === 'product' || kind === 'sku' || kind === 'products_collection' ? [{ id, object: kind }] : []
  })
}

function neededOf({ rules = {} }: RuleNode): number | undefined {
  const nodes = Object.values(rules).filter((node): node is RuleNode => typeof node === 'object' && node !== null)
  const [node] = nodes
  const needed: unknown = node?.conditions?.$is?.[0]
  const isKnown = nodes.length === 1 && node?.name === 'order.items.aggregated_quantity'
  return isKnown && Number.isInteger(needed) && Number(needed) > 0 ? Number(needed) : undefined
}

const ranks = { sku: 0, product: 1, products_collection: 2 } as const

function rankOf(parts: readonly Part[]): number {
  return Math.min(...parts.map(({ object }) => ranks[object]))
}

/** Returns a discount for a bundle that is complete several times, and the limits within which it applies. */
export function discountTimes(
  discount: Discount,
  applicableTo: readonly ApplicableTo[],
  times: number,
): { discount: Discount; applicableTo: readonly ApplicableTo[] } {
  if (times <= 1) return { discount, applicableTo }
  const repeated = { discount, applicableTo: applicableTo.map((one) => withMoreUnits(one, times)) }
  switch (discount.type) {
    case 'AMOUNT':
      if (discount.effect === 'APPLY_TO_ITEMS_BY_QUANTITY') return repeated
      return { discount: { ...discount, ...timesOf(discount, 'amount_off', times) }, applicableTo }
    case 'PERCENT': {
      const more = timesOf(discount, 'percent_off', times)
      // ASSUMED A1801: a percentage ends at 100, however often the bundle is complete.
      return { discount: { ...discount, ...more, percent_off: Math.min(100, more.percent_off) }, applicableTo }
    }
    case 'FIXED':
      return discount.effect === 'APPLY_TO_ITEMS' ? repeated : { discount, applicableTo }
    case 'UNIT': {
      const units = discount.units?.map((unit) => ({ ...unit, ...timesOf(unit, 'unit_off', times) }))
      return {
        discount: { ...discount, ...timesOf(discount, 'unit_off', times), ...(units && { units }) },
        applicableTo,
      }
    }
  }
}

/** A value, and the formula that may compute it, so many times. */
function timesOf<Name extends string>(
  given: Partial<Record<Name, number | undefined>> & object,
  name: Name,
  times: number,
): Record<Name, number> {
  const formula = (given as Record<string, unknown>)[`${name}_formula`]
  const value = (given as Record<string, number | undefined>)[name]
  return {
    ...(value !== undefined && { [name]: value * times }),
    ...(typeof formula === 'string' && { [`${name}_formula`]: `(${formula})*${times}` }),
  } as Record<Name, number>
}

function withMoreUnits({ included, ...rest }: ApplicableTo, times: number): ApplicableTo {
  if (!included) return rest
  return {
    ...rest,
    included: included.map((entry) => ({
      ...entry,
      ...(entry.quantity_limit && { quantity_limit: entry.quantity_limit * times }),
      ...(entry.aggregated_quantity_limit && { aggregated_quantity_limit: entry.aggregated_quantity_limit * times }),
    })),
  }
}
