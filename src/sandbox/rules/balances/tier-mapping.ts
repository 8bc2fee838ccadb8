// What the points of a rule and the price of a reward become for the members of a tier.
// Source: docs/service/loyalty-tiers.md#mappings.

import type { TierMapping } from '../../../contract/loyalty-tiers.ts'
import { decimal } from '../pricing/money.ts'
import type { Reward } from '../pricing/payment.ts'
import type { Earning, PointsForEvery } from './points-earning.ts'

/** Multiplies or replaces points. ASSUMED A1761: fractions of a point are dropped. */
function mappedPoints(points: number, mapping: TierMapping): number {
  return mapping.type === 'CUSTOM' ? mapping.points : Math.floor(decimal(points * mapping.multiplier))
}

/** Shows a rule's earning with the points that members of the tier get. */
export function mappedEarning(earning: Earning, mapping: TierMapping): Earning {
  if (earning.type === 'FIXED') return { ...earning, points: mappedPoints(earning.points, mapping) }
  // ASSUMED A1762: a number that replaces the points of a proportional rule replaces those of one step.
  const stepOf = (step: PointsForEvery) => ({
    ...step,
    points: mapping.type === 'CUSTOM' ? mapping.points : decimal(step.points * mapping.multiplier),
  })
  const groups = ['order', 'order_items', 'customer', 'custom_event'] as const
  const mapped = groups.flatMap((group) => {
    const steps = earning[group]
    return steps ? [[group, Object.fromEntries(Object.entries(steps).map(([of, step]) => [of, stepOf(step)]))]] : []
  })
  return { ...earning, ...Object.fromEntries(mapped) }
}

/** Prices a reward of a program for the members of a tier; nothing is free. */
export function mappedPrice(parameters: Reward['parameters'], mapping: TierMapping): Reward['parameters'] {
  const { coin, loyalty, ...others } = parameters
  const priceOf = (points: number) => Math.max(1, mappedPoints(points, mapping))
  return {
    ...others,
    // ASSUMED A1767: paying with points has its price in its ratio, so that is what is multiplied.
    ...(coin && { coin: { ...coin, points_ratio: priceOf(coin.points_ratio) } }),
    ...(loyalty && { loyalty: { ...loyalty, points: priceOf(loyalty.points) } }),
  }
}

/** Computes the points of a rule for a member of a tier. */
export function pointsWith(
  mapping: TierMapping | undefined,
  earning: Earning,
  earned: (earning: Earning) => number,
): number {
  if (!mapping) return earned(earning)
  return mapping.type === 'CUSTOM' ? earned(mappedEarning(earning, mapping)) : mappedPoints(earned(earning), mapping)
}
