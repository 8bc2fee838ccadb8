// Free units: products or SKUs added to the order, or made free if already in it.
// Source: docs/service/pricing.md#free-units.

import { withoutUndefined } from '../../../base/record.ts'
import type { Discount } from '../../../contract/discount.ts'
import { notFound, type RefusalBody } from '../failures.ts'
import { evaluateFormula } from './formula/parse.ts'
import type { FormulaContext } from './formula/values.ts'
import { decimal, roundHalfUp } from './money.ts'
import {
  amountDueOnLines,
  type Catalogue,
  discountLine,
  nextStep,
  type OrderLine,
  type OrderState,
  subtotal,
  unitPrice,
} from './order.ts'
import type { Product, Sku } from './product.ts'

export type UnitCatalogue = Pick<Catalogue, 'product' | 'sku' | 'lineId'>

/** Free units of products or SKUs. */
export type UnitDiscount = Extract<Discount, { type: 'UNIT' }>

/** Free units of one product or SKU; `unit_type` is its id. */
type UnitForm = NonNullable<UnitDiscount['units']>[number]

/** The product that represents free shipping; it exists without a catalogue entry and then has no price. */
const freeShipping = 'prod_5h1pp1ng'

interface UnitTerms {
  catalogue: UnitCatalogue
  once?: boolean
  formula: FormulaContext
}

/** Applies a UNIT discount, each entry of `units` in turn for ADD_MANY_ITEMS. The given order is not modified. */
export function applyUnits(
  order: OrderState,
  discount: UnitDiscount,
  terms: UnitTerms,
): { order: OrderState; discount: UnitDiscount; units: number } | { refusal: RefusalBody } {
  const next = nextStep(order)
  const amountBefore = order.amount
  const forms: UnitForm[] =
    discount.effect === 'ADD_MANY_ITEMS'
      ? (discount.units ?? [])
      : [{ ...discount, effect: discount.effect ?? 'ADD_MISSING_ITEMS' } as UnitForm]
  let units = 0
  let isDynamic = false
  const told: UnitForm[] = []
  for (const form of forms) {
    const { wanted, dynamic } = unitsOf(form, terms.formula)
    isDynamic ||= dynamic
    const unit = resolveUnit(next, form.unit_type ?? '', terms.catalogue)
    if (!unit) return { refusal: notFound('product', form.unit_type ?? '') }
    units += giveUnits(next, unit, form.effect ?? 'ADD_MISSING_ITEMS', wanted, terms)
    told.push({ ...form, ...toldOf(unit) })
  }
  const [first] = told
  // Told also where the units were in the cart already, as recorded answers do.
  const isMissing = forms.some(({ effect }) => effect === 'ADD_MISSING_ITEMS') && next.amount !== undefined
  if (next.amount !== amountBefore || isMissing) next.initial_amount ??= amountBefore ?? 0
  const shown = discount.effect === 'ADD_MANY_ITEMS' ? { units: told } : { product: first?.product, sku: first?.sku }
  const known = withoutUndefined(shown)
  return { order: next, discount: { ...discount, ...known, is_dynamic: isDynamic }, units }
}

interface Unit {
  product: Product | undefined
  sku: Sku | undefined
  matches: (line: OrderLine) => boolean
}

/** The product and the SKU as a discount shows them; a product that only the order knows is not shown. */
function toldOf({ product, sku }: Unit) {
  return {
    ...(product && { product: { id: product.id, source_id: product.source_id ?? null, name: product.name ?? null } }),
    ...(sku && { sku: { id: sku.id, source_id: sku.source_id ?? null, sku: sku.sku ?? null } }),
  }
}

function unitsOf(form: UnitForm, context: FormulaContext): { wanted: number; dynamic: boolean } {
  const computed = form.unit_off_formula ? evaluateFormula(form.unit_off_formula, context) : undefined
  // ASSUMED A08: without `unit_off` one unit is free; the result of a formula is rounded down to whole units.
  const wanted = Math.max(0, Math.floor(decimal(computed ?? form.unit_off ?? 1)))
  return { wanted, dynamic: computed !== undefined }
}

function resolveUnit(order: OrderState, id: string, catalogue: UnitCatalogue): Unit | undefined {
  const sku = catalogue.sku(id)
  if (sku) return { product: catalogue.product(sku.product_id), sku, matches: (line) => line.sku_id === sku.id }
  const product = catalogue.product(id) ?? (id === freeShipping ? { id } : undefined)
  if (product) return { product, sku: undefined, matches: (line) => line.product_id === product.id }
  // A product known only from the order may be free too; an unknown one may not.
  const matches = (line: OrderLine) => line.sku_id === id || line.product_id === id
  return order.items.some(matches) ? { product: undefined, sku: undefined, matches } : undefined
}

/** Adds the units to a copy of the order and makes them free; returns the number of units that became free. */
function giveUnits(order: OrderState, unit: Unit, effect: string, wanted: number, terms: UnitTerms): number {
  const lines = order.items.filter(unit.matches)
  // ASSUMED A09: in ONCE mode a line that already has a discount gets no free units.
  if (wanted === 0 || (terms.once && lines.some((line) => line.discount_amount > 0))) return 0
  const inCart = lines.reduce((sum, line) => sum + line.quantity, 0)
  const added = effect === 'ADD_NEW_ITEMS' ? wanted : Math.max(0, wanted - inCart)
  const first = lines[0] ?? newLine(unit, terms.catalogue.lineId?.())
  if (lines.length === 0) {
    order.items.push(first)
    lines.push(first)
  }
  grow(order, first, added)
  let units = 0
  for (const line of lines) {
    const free = freeUnits(order, line, wanted - units)
    line.gotUnits ||= free > 0 || line.quantity !== line.initial_quantity
    units += free
  }
  return units
}

function grow(order: OrderState, line: OrderLine, added: number): void {
  const price = unitPrice(line)
  line.quantity += added
  if (price === undefined || added === 0) return
  const growth = roundHalfUp(price * added)
  line.amount = (line.amount ?? 0) + growth
  order.amount = (order.amount ?? 0) + growth
}

function freeUnits(order: OrderState, line: OrderLine, wanted: number): number {
  const units = Math.max(0, Math.min(wanted, line.quantity - line.discount_quantity))
  line.discount_quantity += units
  // Never more than is left to pay (A07): units already paid by an order-level discount are free without it.
  discountLine(line, Math.min(roundHalfUp((unitPrice(line) ?? 0) * units), subtotal(line), amountDueOnLines(order)))
  return units
}

function newLine({ product, sku }: Unit, id: string | undefined): OrderLine {
  return {
    id,
    product_id: product?.id ?? sku?.product_id,
    sku_id: sku?.id,
    source_id: undefined,
    related_object: undefined,
    product,
    sku,
    metadata: undefined,
    quantity: 0,
    initial_quantity: 0,
    discount_quantity: 0,
    price: sku?.price ?? product?.price ?? undefined,
    amount: undefined,
    initial_amount: undefined,
    gotUnits: true,
    discount_amount: 0,
    applied_discount_amount: 0,
  }
}
