import type { RowContext } from '../../../cli/declared/command.ts'
import { listCommand } from '../../../cli/declared/list.ts'
import { optionalArgument } from '../../../cli/flags/kinds.ts'
import { readById } from '../../../cli/result/read-by-id.ts'
import { getReward, listProgramRewards, listRewards } from '../../../contract/rewards.ts'
import { offeredRewardColumns, rewardColumns } from '../../../output/columns/resources/loyalty.ts'

export default listCommand('List rewards: all of a project, or what a loyalty program offers and for how many points', {
  description:
    'For a program it lists the offers; a table shows the reward of each. A coin reward has no price: its points are worth the amount beside them, in the major currency unit.',
  examples: [
    'promo loyalty rewards list --profile sandbox',
    'promo loyalty rewards list "Bean Club" --profile sandbox',
  ],
  calls: [listRewards, listProgramRewards, getReward],
  chosen: ({ args }) => (args.campaign === undefined ? listRewards : listProgramRewards),
  columns: [rewardColumns, offeredRewardColumns],
  args: { campaign: optionalArgument('a loyalty campaign, by id or name') },
  noun: 'rewards',
  told: (run, { args }) => (run.isTable && args.campaign !== undefined ? toldReward(run) : () => ({})),
  request: ({ args }) => (args.campaign === undefined ? {} : { path: { campaignId: args.campaign } }) as object,
})

/** Adds the reward to each offer. Optional: credentials that may read programs may not read rewards. */
function toldReward({ client, warn }: RowContext): (offer: object) => Promise<object> {
  const rewardOf = readById(client, {
    get: getReward,
    list: listRewards,
    refused({ status, message }, id) {
      // A reward that was deleted says nothing about the others.
      warn(`warning: ${status === 404 ? `the reward "${id}" is` : 'the rewards are'} not shown: ${message}`)
    },
  })
  return async (offer) => {
    const { reward_id } = offer as { reward_id?: unknown }
    return { reward: typeof reward_id === 'string' ? await rewardOf(reward_id) : undefined }
  }
}
