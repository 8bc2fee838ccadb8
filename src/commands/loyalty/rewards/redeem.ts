import { Args, Flags } from '@oclif/core'
import type { ZodType } from 'zod'
import { PromoCommand } from '../../../cli/command.ts'
import { bodyFlags, confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../../cli/flags/flags.ts'
import { wholeNumber } from '../../../cli/flags/values.ts'
import { cartFlags, cartFrom } from '../../../cli/request/cart.ts'
import { mostPoints } from '../../../cli/topics/balances/command.ts'
import { redeemCampaignReward, redeemReward } from '../../../contract/loyalty-programs.ts'
import { redemptionColumns } from '../../../output/columns/resources/redemptions.ts'

const { item, amount, metadata } = cartFlags

export default class Redeem extends PromoCommand {
  static override summary = 'Spend points of a loyalty card on a reward that its program offers'
  static override description =
    'A coin reward pays for an order, so it needs one: --amount or --item. Without --points, as many points are spent as the reward costs, or as the order needs. It is never sent twice: if the answer is lost, the outcome is unknown (exit 6). Asks for confirmation; `redemptions rollback` gives the points back.'
  static override examples = [
    '<%= config.bin %> loyalty rewards redeem CLUB-001 --reward rew_19b8d627a800000001 --points 20 --amount 5000 --yes --profile sandbox',
    '<%= config.bin %> loyalty rewards redeem CLUB-001 --reward rew_19b8d627a800000002 --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [redeemReward, redeemCampaignReward]
  static override columns = redemptionColumns
  static override args = {
    card: Args.string({ description: 'the code or the id of a loyalty card', ignoreStdin: true, required: true }),
  }
  static override flags = {
    ...serviceFlags,
    ...outputFlags,
    reward: Flags.string({ description: 'the id of the reward', helpValue: 'ID', required: true }),
    points: Flags.custom<number>({ parse: async (text) => wholeNumber(text, 1, mostPoints) })({
      description: 'how many points to spend',
      helpValue: 'N',
    }),
    campaign: Flags.string({ description: 'the campaign the card must belong to, by id or name' }),
    item,
    amount,
    metadata,
    ...bodyFlags,
    ...confirmFlags,
    ...dryRunFlag,
  }

  async run() {
    const { args, flags } = await this.input(Redeem)
    const { reward: id, points, campaign } = flags
    const endpoint = campaign === undefined ? redeemReward : redeemCampaignReward
    const draft = await cartFrom(flags, redeemReward.body as ZodType, this.host)
    const answer = await this.writeOne(flags, {
      endpoint,
      request: {
        path: { memberId: args.card, ...(campaign !== undefined && { campaignId: campaign }) },
        body: { ...draft, reward: { id, ...(points !== undefined && { points }) } },
      },
      columns: redemptionColumns,
      question: `spend ${points === undefined ? 'the points' : `${points} points`} of loyalty card ${args.card} on reward ${id}`,
      isFinal: false,
      rows: (redemption) => [redemption],
    })
    if (answer !== undefined) this.messages(flags).say(`to take it back: promo redemptions rollback ${answer.id}`)
  }
}
