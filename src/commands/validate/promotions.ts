import { Flags } from '@oclif/core'
import type { z } from 'zod'
import { checkedRequest } from '../../api/request/request.ts'
import { PromoCommand } from '../../cli/command.ts'
import { filtersFrom } from '../../cli/flags/filters.ts'
import { bodyFlags, callFlags } from '../../cli/flags/flags.ts'
import { names, repeatable } from '../../cli/flags/kinds.ts'
import { cartFlags, cartFrom } from '../../cli/request/cart.ts'
import { shapeOf } from '../../cli/result/output.ts'
import { promotionsInWords } from '../../cli/topics/validation/promotions.ts'
import { showAnswer } from '../../cli/topics/validation/show.ts'
import { validatePromotions } from '../../contract/promotions.ts'
import { EXIT } from '../../errors.ts'
import { checkShape } from '../../output/check.ts'
import { promotionColumns } from '../../output/columns/promotions.ts'

export default class Promotions extends PromoCommand {
  static override summary = 'List the promotion tiers that apply to a cart, each on its own (exit 12: none)'
  static override description = 'Nothing is stacked or locked; validate redeemables does that for the tiers you choose.'
  static override examples = [
    'promo validate promotions --amount 5000 --profile sandbox',
    'promo validate promotions --item product=prod_1,quantity=2,price=1500 --customer source_id=shop-1001 --explain --profile sandbox',
  ]
  static override calls = [validatePromotions]
  static override columns = promotionColumns
  static override exits = [EXIT.no]
  static override flags = {
    ...callFlags,
    explain: Flags.boolean({ description: 'explain what each takes off' }),
    'audience-rules-only': Flags.boolean({ description: 'check only the rules about the customer' }),
    filter: repeatable({
      description: 'only tiers that match this: promotion_id=promo_1,promo_2, or metadata.channel:$is_not=web',
      helpValue: 'field=value',
    }),
    expand: names({ description: 'also include in the answer: category', helpValue: 'a,b' }),
    ...cartFlags,
    ...bodyFlags,
  }

  async run() {
    const { flags } = await this.input(Promotions)
    const draft = await cartFrom(flags, validatePromotions.body as z.ZodType, this.host)
    const body = { ...draft, ...(flags.expand && { options: { expand: flags.expand } }) }
    const query = {
      ...(flags['audience-rules-only'] && { audienceRulesOnly: true }),
      ...(flags.filter && { filters: filtersFrom(flags.filter) }),
    }
    checkedRequest(validatePromotions, { query, body })
    await checkShape(shapeOf(flags, this.host), Promotions.columns)
    const client = await this.connect(flags)
    const answer = await client.call(validatePromotions, { query, body })
    await showAnswer(
      {
        answer,
        rows: answer.promotions,
        columns: Promotions.columns,
        nothing: 'no promotion applies',
        explained: () => promotionsInWords(answer),
      },
      flags,
      this.host,
    )
    if (answer.promotions.length === 0) this.exitCode = EXIT.no
  }
}
