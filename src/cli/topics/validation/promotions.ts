// The answer to a validation of all promotions, explained: each tier on its own, never combined.

import { sanitize } from '../../../base/text/sanitize.ts'
import { cellText } from '../../../output/form/cell.ts'
import { valueAt } from '../../../output/path.ts'
import { discountInWords } from './discount.ts'

type Promotion = { id: string; name?: string | null | undefined; [member: string]: unknown }

/** Yields the explanation as lines of text, each ending with a newline. Text from the service is sanitised. */
export async function* promotionsInWords({ promotions }: { promotions: readonly Promotion[] }): AsyncGenerator<string> {
  if (promotions.length === 0) {
    yield 'No promotion applies. The service lists only those that do; it does not say why the others fail.\n'
    return
  }
  yield 'Each promotion is calculated on its own, for the order as it was sent; they do not add up.\n'
  for (const promotion of promotions) {
    const name = cellText(promotion.name)
    yield `\n${sanitize(`tier ${promotion.id}${name === '' ? '' : ` (${name})`}`)}\n`
    yield `  ${sanitize(discountInWords(promotion.discount))}\n`
    yield `  ${sanitize(sumOf(promotion))}\n`
  }
}

function sumOf({ order, discount_amount }: Promotion): string {
  const start = cellText(valueAt(order, 'initial_amount') ?? valueAt(order, 'amount'))
  const total = cellText(valueAt(order, 'total_amount'))
  const discount = cellText(discount_amount ?? valueAt(order, 'total_discount_amount'))
  if (start === '' || total === '') return 'the service calculated no amounts'
  return discount === '' ? `${start} stays ${total}` : `${start} less ${discount} is ${total}`
}
