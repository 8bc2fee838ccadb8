// A discount in words: what it takes off, and of what. Amounts are in the smallest currency unit, as the service sends them.
import { cellText } from '../../../output/form/cell.ts'
import { valueAt } from '../../../output/path.ts'

/** Says what a discount does, for example `10% off the order` or `500 off each item`; just its type when that is unknown. */
export function discountInWords(discount: unknown): string {
  const figure = (name: string) => cellText(valueAt(discount, name))
  const of = targetOf(valueAt(discount, 'effect'))
  switch (valueAt(discount, 'type')) {
    case 'PERCENT': {
      const most = figure('amount_limit')
      return `${figure('percent_off')}% off ${of}${most === '' ? '' : `, at most ${most}`}`
    }
    case 'AMOUNT':
      return `${figure('amount_off')} off ${of}`
    case 'FIXED':
      return `a price of ${figure('fixed_amount')} for ${of}`
    case 'UNIT':
      return unitsInWords(discount)
    default:
      return `applies a discount of type ${figure('type') || 'unknown'}`
  }
}

function targetOf(effect: unknown): string {
  if (typeof effect !== 'string' || !effect.startsWith('APPLY_TO_ITEMS')) return 'the order'
  if (effect.includes('PROPORTIONALLY')) return 'the items it applies to, shared proportionally'
  return effect === 'APPLY_TO_ITEMS_BY_QUANTITY' ? 'each unit it applies to' : 'each item it applies to'
}

function unitsInWords(discount: unknown): string {
  const many = valueAt(discount, 'units')
  if (Array.isArray(many)) return many.map(unitsInWords).join(', and ')
  const count = cellText(valueAt(discount, 'unit_off')) || '1'
  const thing = cellText(valueAt(discount, 'unit_type'))
  return valueAt(discount, 'effect') === 'ADD_NEW_ITEMS'
    ? `adds ${count} of ${thing} for free`
    : `${count} of ${thing} for free`
}
