// Rules about the lines of an order: which lines a rule covers, how many of them it needs, what its sub-rules check.
import { sum } from '../../../base/list.ts'
import { ownValue } from '../../../base/record.ts'
import { type ApplicableEntry, entryMatches } from '../pricing/applicable.ts'
import { type OrderLine, unitPrice } from '../pricing/order.ts'
import { type ConditionValues, idOf, isNegative, kindOf, type Missing, type RuleContext } from './context.ts'
import type { RuleNode } from './rule.ts'

/** How many lines must be covered by a rule and pass its sub-rules. */
export type Quantifier = 'any' | 'every' | 'none' | 'cheapest' | 'most_expensive'

const quantifiers: Readonly<Record<string, Quantifier>> = {
  'order.items.any': 'any',
  'order.items.every': 'every',
  'order.items.none': 'none',
  'order.items.cheapest': 'cheapest',
  'order.items.most_expensive': 'most_expensive',
  'product.id': 'any',
  'sku.id': 'any',
}

/**
 * Returns how many lines a rule needs, or undefined for a rule that is not about lines.
 *
 * Its conditions name products, SKUs or collections, and it may have sub-rules. `product.id` and `sku.id` are about the
 * entire order: "is not" means that no line is that product, not that some line is another one.
 */
export function quantifierOf({ name, conditions }: RuleNode): Quantifier | undefined {
  const negative = Object.keys(conditions ?? {}).some(isNegative)
  if (negative && (name === 'product.id' || name === 'sku.id')) return 'every'
  return Object.hasOwn(quantifiers, name) ? quantifiers[name] : undefined
}

interface LineValue {
  values: ConditionValues
  property?: true
  /** `matching` are all lines that the rule covers, including this one. */
  read: (line: OrderLine, matching: readonly OrderLine[], property: string) => unknown
}

const unitsTogether: LineValue = { values: 'number', read: (_line, matching) => sum(matching, (line) => line.quantity) }
const oneUnit: LineValue = { values: 'number', read: (line) => unitPrice(line) }

/** What sub-rules may check of a line. */
export const lineValues: Readonly<Record<string, LineValue>> = {
  'order.items.quantity': { values: 'number', read: (line) => line.quantity },
  'order.items.price': oneUnit,
  'order.items.metadata': { values: 'any', property: true, read: (line, _, key) => ownValue(line.metadata, key) },
  'order.items.aggregated_quantity': unitsTogether,
  'order.items.aggregated_amount': {
    values: 'number',
    read: (_line, matching) => sum(matching, (line) => line.amount ?? 0),
  },
  // ASSUMED A651: the quantity of a product is that of all its lines together.
  'product.quantity': unitsTogether,
  'product.price': oneUnit,
  'sku.quantity': unitsTogether,
  'sku.price': oneUnit,
}

/** Returns the lines of the order, or what the request lacks. */
export function orderLines({ order }: RuleContext): { missing: Missing } | { lines: readonly OrderLine[] } {
  if (!order) return { missing: 'order' }
  return order.items.length === 0 ? { missing: 'order_items' } : { lines: order.items }
}

/** Returns whether conditions such as `{"$is": [product]}` cover a line; conditions without an operator cover all lines. */
export function matchesLine(conditions: Record<string, unknown[]>, line: OrderLine, context: RuleContext): boolean {
  return Object.entries(conditions).every(([operator, references]) => {
    const named = references.some((reference) => isNamedBy(reference, line, context))
    return isNegative(operator) ? !named : named
  })
}

/** Returns the line that a quantifier selects: of equal prices the first. Lines without a price are ignored. */
export function extremeLine(
  lines: readonly OrderLine[],
  quantifier: 'cheapest' | 'most_expensive',
): OrderLine | undefined {
  const sign = quantifier === 'cheapest' ? 1 : -1
  const priced = lines.filter((line) => unitPrice(line) !== undefined)
  return priced.toSorted((one, other) => sign * ((unitPrice(one) ?? 0) - (unitPrice(other) ?? 0)))[0]
}

function isNamedBy(reference: unknown, line: OrderLine, context: RuleContext): boolean {
  const id = idOf(reference)
  if (id === undefined) return false
  const told = kindOf(reference)
  const kinds: ApplicableEntry['object'][] = ['product', 'sku', 'products_collection']
  // A bare id does not state its kind: it matches objects of every kind.
  return kinds.some((object) => (told ?? object) === object && entryMatches(context, { object, id }, line))
}
