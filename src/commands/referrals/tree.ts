import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argument, count } from '../../cli/flags/kinds.ts'
import { customerCalls } from '../../cli/request/customers/flag.ts'
import { nameOf } from '../../cli/topics/customers/names.ts'
import { treesOf } from '../../cli/topics/referrals/tree.ts'
import { listCustomerRedeemables } from '../../contract/customers.ts'
import { listHolders } from '../../contract/referrals.ts'
import { treeColumns } from '../../output/columns/holders.ts'
import { warnAfterRows } from '../../output/warn-after-rows.ts'

export default class Tree extends PromoCommand {
  static override summary = 'Show who referred whom: the friends of a code, their friends, and so on'
  static override description =
    'A table indents each customer below the one who referred them; the other formats have one row a customer, with the depth and the referrer. A customer who occurs again is shown and not followed.'
  static override examples = [
    'promo referrals tree FRIEND-001 --profile sandbox',
    'promo referrals tree shop-1001 --profile sandbox',
    'promo referrals tree FRIEND-001 --depth 5 --csv --profile sandbox',
  ]
  static override calls = [listHolders, listCustomerRedeemables, ...customerCalls]
  static override columns = treeColumns
  static override args = {
    code: argument('a referral code or its id; or a customer, by whatever customers show takes'),
  }
  static override flags = {
    ...callFlags,
    depth: count('how many levels of friends to follow (1-20)', 1, 20, { default: 3 }),
    limit: count('how many customers to show (1-10000)', 1, 10_000, { default: 200 }),
  }

  async run() {
    const { args, flags } = await this.input(Tree)
    await this.show.check(Tree.columns)
    const client = await this.connect()
    const lists = warnAfterRows()
    const most = { depth: flags.depth, most: flags.limit }
    const { say, warn } = this.show
    const { branches, cut, problems } = await treesOf(client, args.code, most, lists, warn)
    const isTable = this.show.isTable
    const rows = isTable
      ? branches.map((branch) => ({
          ...branch,
          name: `${'  '.repeat(branch.depth)}${nameOf({ ...branch, id: branch.customer_id ?? 'no customer' })}${branch.again ? ' (again)' : ''}`,
        }))
      : branches
    await this.show.rows(rows, Tree.columns, { nothing: 'nobody holds this code', lists })
    for (const problem of problems) warn(`warning: ${problem}`)
    if (cut === 'most') say(`the first ${flags.limit} customers; there are more: --limit N shows more`)
    if (cut === 'depth') say(`the first ${flags.depth} levels; there are more: --depth N shows more`)
  }
}
