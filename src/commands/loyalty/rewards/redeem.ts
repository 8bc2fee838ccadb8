import type { ZodType } from 'zod'
import { argumentWords } from '../../../base/shell-word.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { bulkCommand } from '../../../cli/declared/bulk.ts'
import { bodyFlags } from '../../../cli/flags/flags.ts'
import { count, namingFlag, optionalArgument, setting, textFlag } from '../../../cli/flags/kinds.ts'
import { cartFlags, cartFrom } from '../../../cli/request/cart.ts'
import { membersSetBy } from '../../../cli/request/member-flags.ts'
import { bodiesOfRows } from '../../../cli/request/row-body.ts'
import { mostPoints } from '../../../cli/topics/balances/command.ts'
import { told } from '../../../cli/topics/redemptions/told.ts'
import { redeemCampaignReward, redeemReward } from '../../../contract/loyalty-programs.ts'
import { redemptionColumns } from '../../../output/columns/resources/redemptions.ts'

const { item, amount, metadata, 'order-metadata': orderMetadata } = cartFlags
const flags = {
  reward: namingFlag('reward', 'the reward, by id or name', setting('reward.id')),
  points: count('how many points to spend', 1, mostPoints, setting('reward.points')),
  campaign: textFlag('the campaign of the card, by id or name'),
  item,
  amount,
  metadata,
  'order-metadata': orderMetadata,
  ...bodyFlags,
}
const members = membersSetBy(flags)

export default bulkCommand('Spend points of a loyalty card on a reward that its program offers', {
  description:
    'A coin reward pays for an order, so it needs --amount or --item. Without --points, the price of the reward is spent, or what the order needs. With --from, each row is a redemption, also where rows are equal. It is never sent twice: if the answer is lost, the outcome is unknown (exit 6). Asks for confirmation. `redemptions rollback` returns the points.',
  examples: [
    'promo loyalty rewards redeem CLUB-001 --reward rew_19b8d627a800000001 --points 20 --amount 5000 --yes --profile sandbox',
    'promo loyalty rewards redeem CLUB-001 --reward rew_19b8d627a800000002 --dry-run --profile sandbox',
    'printf "code,reward.points,order.amount\\nCLUB-001,20,5000\\nCLUB-002,10,3200\\n" > spent.csv; promo loyalty rewards redeem --from spent.csv --reward rew_19b8d627a800000001 --dry-run --profile sandbox',
  ],
  calls: [redeemReward, redeemCampaignReward],
  columns: redemptionColumns,
  undo: 'redemptions:rollback',
  args: { card: optionalArgument('the code or the id of a loyalty card') },
  asks: { card: { unless: ['from'] }, reward: { unless: ['from'] } },
  flags,
  isFileOnly: true,
  words: {
    noun: 'loyalty card',
    verb: 'spend points of',
    done: 'spent points of',
    unchanged: 'already spent',
    key: 'code',
    member: 'redemption',
  },
  results: { id: 'id', code: 'reward.voucher.code', customer_id: 'customer_id' },
  onDuplicate: 'keep',
  tell: ({ say }, { id }) => say(`to take it back: promo redemptions rollback ${argumentWords(id)}`),
  async rows({ args, flags, run }) {
    const { reward: id, points, campaign } = flags
    const schema = redeemReward.body as ZodType
    const draft = await cartFrom(flags, schema, run)
    const reward = {
      ...(draft.reward as object),
      ...(id !== undefined && { id }),
      ...(points !== undefined && { points }),
    }
    const shared = { ...draft, ...(Object.keys(reward).length > 0 && { reward }) }
    const bodyOf = await bodiesOfRows(schema, shared, { flags, run, members })
    const request = (row: Row) => ({
      path: { memberId: row.key, ...(campaign !== undefined && { campaignId: campaign }) },
      // The contract checks the body before anything is sent.
      body: bodyOf(row) as never,
    })
    const call = { endpoint: campaign === undefined ? redeemReward : redeemCampaignReward, request }
    if (flags.from !== undefined) return call
    const row = { line: 1, key: args.card as string, fields: {} }
    const question = `spend ${points === undefined ? 'the points' : `${points} points`} of loyalty card ${row.key} on reward ${id}`
    return {
      ...call,
      one: {
        request: request(row),
        question,
        rows: (redemption) => [{ ...redemption, ...told(redemption) }],
      },
    }
  },
})
