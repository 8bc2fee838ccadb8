import type { z } from 'zod'
import { sanitize } from '../../base/text/sanitize.ts'
import { readCommand } from '../../cli/declared/read.ts'
import { filtersFrom } from '../../cli/flags/filters.ts'
import { bodyFlags, explainFlag } from '../../cli/flags/flags.ts'
import { names, repeatable, switchFlag } from '../../cli/flags/kinds.ts'
import { cartFlags, cartFrom } from '../../cli/request/cart.ts'
import { discountInWords } from '../../cli/topics/validation/discount.ts'
import { validatePromotions } from '../../contract/promotions.ts'
import { EXIT } from '../../errors.ts'
import { promotionColumns } from '../../output/columns/promotions.ts'
import { cellText } from '../../output/form/cell.ts'
import { valueAt } from '../../output/path.ts'

export default readCommand('List the promotion tiers that apply to a cart, each on its own (exit 12: none)', {
  description: 'Nothing is stacked or locked; validate redeemables does that for the tiers you choose.',
  examples: [
    'promo validate promotions --amount 5000 --profile sandbox',
    'promo validate promotions --item product=prod_1,quantity=2,price=1500 --customer source_id=shop-1001 --explain --profile sandbox',
  ],
  calls: [validatePromotions],
  columns: promotionColumns,
  flags: {
    ...explainFlag,
    'audience-rules-only': switchFlag('check only the rules about the customer'),
    filter: repeatable('a filter of the service: field=a,b or field:$operator=value', 'field=value'),
    expand: names('also include in the answer: category', 'a,b'),
    ...cartFlags,
    ...bodyFlags,
  },
  async body(flags, run) {
    const draft = await cartFrom(flags, validatePromotions.body as z.ZodType, run)
    return { ...draft, ...(flags.expand && { options: { expand: flags.expand } }) }
  },
  request: ({ flags, body }) => ({
    query: {
      ...(flags['audience-rules-only'] && { audienceRulesOnly: true }),
      ...(flags.filter && { filters: filtersFrom(flags.filter) }),
    },
    body,
  }),
  rows: (answer) => ({
    rows: answer.promotions,
    nothing: 'no promotion applies',
    explained: () => promotionsInWords(answer),
  }),
  exit: { code: EXIT.no, isDue: ({ promotions }) => promotions.length === 0 },
})

type Promotion = { id: string; name?: string | null | undefined; [member: string]: unknown }

/** Yields the explanation as lines of text, each ending with a newline. Text from the service is sanitised. */
async function* promotionsInWords({ promotions }: { promotions: readonly Promotion[] }): AsyncGenerator<string> {
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
