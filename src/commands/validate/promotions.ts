import type { z } from 'zod'
import { readCommand } from '../../cli/declared.ts'
import { filtersFrom } from '../../cli/flags/filters.ts'
import { bodyFlags } from '../../cli/flags/flags.ts'
import { names, repeatable, switchFlag } from '../../cli/flags/kinds.ts'
import { cartFlags, cartFrom } from '../../cli/request/cart.ts'
import { promotionsInWords } from '../../cli/topics/validation/promotions.ts'
import { validatePromotions } from '../../contract/promotions.ts'
import { EXIT } from '../../errors.ts'
import { promotionColumns } from '../../output/columns/promotions.ts'

export default readCommand('List the promotion tiers that apply to a cart, each on its own (exit 12: none)', {
  description: 'Nothing is stacked or locked; validate redeemables does that for the tiers you choose.',
  examples: [
    'promo validate promotions --amount 5000 --profile sandbox',
    'promo validate promotions --item product=prod_1,quantity=2,price=1500 --customer source_id=shop-1001 --explain --profile sandbox',
  ],
  endpoint: validatePromotions,
  columns: promotionColumns,
  flags: {
    explain: switchFlag('explain what each takes off'),
    'audience-rules-only': switchFlag('check only the rules about the customer'),
    filter: repeatable('a filter of the service: field=a,b or field:$operator=value', 'field=value'),
    expand: names('also include in the answer: category', 'a,b'),
    ...cartFlags,
    ...bodyFlags,
  },
  async bodyOf(flags, host) {
    const draft = await cartFrom(flags, validatePromotions.body as z.ZodType, host)
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
