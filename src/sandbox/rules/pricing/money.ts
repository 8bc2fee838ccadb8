// Rounding, in one place. Amounts are integers in the smallest currency unit.

/**
 * Rounds half up to a whole number.
 *
 * ASSUMED A01: the documents show no fractional result except proportional shares; half up reproduces those
 * (docs/service/pricing.md#rounding).
 */
export function roundHalfUp(value: number): number {
  if (Number.isSafeInteger(value) && value !== 0) return value
  return Math.floor(decimal(value) + 0.5)
}

/**
 * Returns the decimal number that a computed one stands for, to 15 digits; before every rounding.
 *
 * In binary 1.005 * 1000 is 1004.9999999999999, 0.3 / 0.1 is 2.9999999999999996 and 2300 / (2.3 * 100) is
 * 10.000000000000002: a cent, a multiple or a block of points would be lost.
 */
export function decimal(value: number): number {
  return Number(value.toPrecision(15))
}

/**
 * Converts major units (20 is twenty dollars) to an amount in minor units, never below zero.
 * Source: docs/service/pricing.md#formulas.
 */
export function minorUnits(major: number): number {
  return Math.max(0, roundHalfUp(major * 100))
}
