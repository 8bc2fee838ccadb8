import { Flags } from '@oclif/core'
import type { ZodType } from 'zod'
import type { RequestOf } from '../../../api/client.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { bodyFlags, bulkOnlyFlags, callFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { count, optionalArgument } from '../../../cli/flags/kinds.ts'
import { fieldReader } from '../../../cli/request/body.ts'
import { cartFlags, cartFrom } from '../../../cli/request/cart.ts'
import { rowBodies } from '../../../cli/request/row-body.ts'
import { mostPoints } from '../../../cli/topics/balances/command.ts'
import { told } from '../../../cli/topics/redemptions/told.ts'
import { rolledBack } from '../../../cli/topics/redemptions/undo.ts'
import { redeemCampaignReward, redeemReward } from '../../../contract/loyalty-programs.ts'
import { redemptionColumns } from '../../../output/columns/resources/redemptions.ts'

const { item, amount, metadata } = cartFlags

export default class Redeem extends PromoCommand {
  static override summary = 'Spend points of a loyalty card on a reward that its program offers'
  static override description =
    'A coin reward pays for an order, so it needs one: --amount or --item. Without --points, as many points are spent as the reward costs, or as the order needs. With --from, each row of a file is a redemption of its own: the column code is its card, further columns are wire paths (reward.id, reward.points, order.amount, metadata.till) that override the flags; equal rows are equal redemptions, and all of them are made. It is never sent twice: if the answer is lost, the outcome is unknown (exit 6). Asks for confirmation; `redemptions rollback` gives the points back.'
  static override examples = [
    'promo loyalty rewards redeem CLUB-001 --reward rew_19b8d627a800000001 --points 20 --amount 5000 --yes --profile sandbox',
    'promo loyalty rewards redeem CLUB-001 --reward rew_19b8d627a800000002 --dry-run --profile sandbox',
    'printf "code,reward.points,order.amount\\nCLUB-001,20,5000\\nCLUB-002,10,3200\\n" > spent.csv; promo loyalty rewards redeem --from spent.csv --reward rew_19b8d627a800000001 --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override undo = rolledBack
  static override calls = [redeemReward, redeemCampaignReward]
  static override columns = redemptionColumns
  static override args = { card: optionalArgument('the code or the id of a loyalty card') }
  static override asks = { card: { unless: ['from'] }, reward: { unless: ['from'] } }
  static override flags = {
    ...callFlags,
    reward: Flags.string({ description: 'the id of the reward', helpValue: 'ID' }),
    points: count({ description: 'how many points to spend', least: 1, most: mostPoints }),
    campaign: Flags.string({ description: 'the campaign the card must belong to, by id or name' }),
    item,
    amount,
    metadata,
    ...bodyFlags,
    ...bulkOnlyFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Redeem)
    const { reward: id, points, campaign } = flags
    const endpoint = campaign === undefined ? redeemReward : redeemCampaignReward
    const draft = await cartFrom(flags, redeemReward.body as ZodType, this.host)
    const given = draft.reward as object | undefined
    const reward = { ...given, ...(id !== undefined && { id }), ...(points !== undefined && { points }) }
    const body = { ...draft, ...(Object.keys(reward).length > 0 && { reward }) }
    const requestOf = (card: string, body: object) =>
      ({
        path: { memberId: card, ...(campaign !== undefined && { campaignId: campaign }) },
        body,
        // The contract checks the body before anything is sent.
      }) as unknown as RequestOf<typeof endpoint>
    if (flags.from !== undefined) {
      const bodyOf = rowBodies(
        body,
        await fieldReader(redeemReward.body as ZodType, flags, this.host),
        flags.column ?? 'code',
      )
      await this.runBulk(args.card === undefined ? undefined : [args.card], flags, {
        words: {
          noun: 'loyalty card',
          verb: 'spend points of',
          done: 'spent points of',
          unchanged: 'already spent',
          key: 'code',
          member: 'redemption',
        },
        endpoint,
        results: { id: 'id', code: 'reward.voucher.code', customer_id: 'customer_id' },
        request: (row) => requestOf(row.key, bodyOf(row)),
        // `redemptions rollback` gives the points back.
        isFinal: false,
        onDuplicate: 'keep',
      })
      return
    }
    const card = args.card as string
    const answer = await this.writeOne(flags, {
      endpoint,
      request: requestOf(card, body),
      columns: redemptionColumns,
      question: `spend ${points === undefined ? 'the points' : `${points} points`} of loyalty card ${card} on reward ${id}`,
      isFinal: false,
      rows: (redemption) => [{ ...redemption, ...told(redemption) }],
    })
    if (answer !== undefined) this.messages(flags).say(`to take it back: promo redemptions rollback ${answer.id}`)
  }
}
