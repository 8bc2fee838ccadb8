import type { Client } from '../../../api/client.ts'
import { memoized } from '../../../base/memoized.ts'
import { PromoCommand } from '../../../cli/command.ts'
import { callFlags, listFlags } from '../../../cli/flags/flags.ts'
import { optionalArgument } from '../../../cli/flags/kinds.ts'
import { listing } from '../../../cli/result/listing.ts'
import { isPlainTable } from '../../../cli/result/output.ts'
import { unlessRefused } from '../../../cli/result/unless-refused.ts'
import { getReward, listProgramRewards, listRewards } from '../../../contract/rewards.ts'
import { offeredRewardColumns, rewardColumns } from '../../../output/columns/resources/loyalty.ts'

export default class List extends PromoCommand {
  static override summary = 'List rewards: all of a project, or what a loyalty program offers and for how many points'
  static override description =
    'Of a program it lists the offers; a table shows the reward with each. A coin reward has no price: its points are worth the amount beside them, in the major currency unit.'
  static override examples = [
    'promo loyalty rewards list --profile sandbox',
    'promo loyalty rewards list "Bean Club" --profile sandbox',
  ]
  static override calls = [listRewards, listProgramRewards, getReward]
  static override columns = [rewardColumns, offeredRewardColumns]
  static override args = { campaign: optionalArgument('a loyalty campaign, by id or name') }
  static override flags = { ...callFlags, ...listFlags }

  async run() {
    const { args, flags } = await this.input(List)
    const client = await this.connect(flags)
    const { say } = this.messages(flags)
    const words = { nothing: 'no rewards found' }
    if (args.campaign === undefined) {
      const { pages, more } = listing(client, listRewards, {}, flags, say)
      return await this.emitPages(pages, rewardColumns, flags, { ...words, more })
    }
    const { pages, more } = listing(client, listProgramRewards, { path: { campaignId: args.campaign } }, flags, say)
    const isTable = isPlainTable(flags)
    const rows = isTable ? withRewards(pages, client, this.messages(flags).warn) : pages
    await this.emitPages(rows, offeredRewardColumns, flags, { ...words, more })
  }
}

/** Adds the reward to each offer. Optional: credentials that may read programs may not read rewards. */
async function* withRewards(pages: AsyncIterable<object[]>, client: Client, warn: (line: string) => void) {
  let isRefused = false
  const rewardOf = memoized(async (rewardId) => {
    if (isRefused) return undefined
    return await unlessRefused(
      () => client.call(getReward, { path: { rewardId } }),
      ({ status, message }) => {
        // A reward that was deleted says nothing about the others.
        isRefused = status !== 404
        warn(`warning: ${isRefused ? 'the rewards are' : `the reward "${rewardId}" is`} not shown: ${message}`)
      },
    )
  })
  for await (const page of pages) {
    const rows: object[] = []
    for (const offer of page) {
      const { reward_id } = offer as { reward_id?: unknown }
      rows.push({ ...offer, reward: typeof reward_id === 'string' ? await rewardOf(reward_id) : undefined })
    }
    yield rows
  }
}
