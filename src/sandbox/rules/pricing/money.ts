// Rounding, in one place. Amounts are integers in the smallest currency unit.

/**
 * Rounds half up to a whole number.
 *
 * ASSUMED A01: the documents show no fractional result except proportional shares; half up reproduces those
 * (docs/service/pricing.md#rounding).
 */
export function rounded(value: number): number {
  if (Number.isSafeInteger(value) && value !== 0) return value
  // Rounded to 15 digits first: 1.005 * 1000 is 1004.9999999999999 in binary, and a cent would be lost.
  return Math.floor(Number(value.toPrecision(15)) + 0.5)
}

/**
 * Converts major units (20 is twenty dollars) to an amount in minor units, never below zero.
 * Source: docs/service/pricing.md#formulas.
 */
export function minorUnits(major: number): number {
  return Math.max(0, rounded(major * 100))
}
