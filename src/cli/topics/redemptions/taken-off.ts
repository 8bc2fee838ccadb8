// What a redemption took off, and how to take it back, as one line for the person at the till.

import type { z } from 'zod'
import { formatNumber } from '../../../base/numbers.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { redeemed } from '../../../contract/redemptions.ts'
import { valueAt } from '../../../output/path.ts'

/** Returns `took 500 off 5,000, 4,500 left to pay; to take it back: promo redemptions rollback r_1`. Smallest currency units. */
export function takenOff(answer: z.output<typeof redeemed>): string {
  const { redemptions, parent_redemption: parent } = answer
  const order = valueAt(answer, 'order') ?? valueAt(parent ?? redemptions[0], 'order')
  const [amount, off, left] = ['amount', 'total_applied_discount_amount', 'total_amount'].map((name) =>
    valueAt(order, name),
  )
  const isKnown = typeof amount === 'number' && typeof left === 'number'
  const taken = typeof off === 'number' ? off : 0
  const said = isKnown
    ? `took ${formatNumber(taken)} off ${formatNumber(amount)}, ${formatNumber(left)} left to pay; `
    : ''
  const id = parent?.id ?? redemptions[0]?.id
  return `${said}to take it back: promo redemptions rollback${parent === undefined ? '' : ' --stacked'} ${argumentWords(id ?? 'ID')}`
}
