// What formulas and filters in bodies may name, as published. Source: docs/service/pricing.md#formulas.

/** Values, metadata and functions of a formula. */
export const formulaNames: readonly string[] = [
  ['ORDER_AMOUNT', 'ORDER_ITEMS_QUANTITY', 'ORDER_UNITS_QUANTITY'],
  ['ORDER_ITEM_PRICE', 'ORDER_ITEM_AMOUNT', 'ORDER_ITEM_SUBTOTAL', 'ORDER_ITEM_UNITS_QUANTITY'],
  ['CUSTOMER_METADATA', 'ORDER_METADATA', 'REDEMPTION_METADATA', 'REDEEMABLE_METADATA'],
  ['IF', 'DEFAULT_TO', 'MIN', 'MAX', 'POW', 'ROUND', 'FLOOR', 'CEIL'],
].flat()

/** Operators and values of a formula that are words. */
export const formulaWords: readonly string[] = [
  ['is', 'not', 'contains', 'does', 'contain', 'starts', 'ends', 'with', 'and', 'or', 'true', 'false'],
].flat()
