// The rewards that a program offers, beside the offers.
import { getReward, listRewards } from '../../../contract/rewards.ts'
import type { Telling } from '../../declared.ts'
import { readById } from '../../result/read-by-id.ts'

/** Adds the reward to each offer. Optional: credentials that may read programs may not read rewards. */
export async function* withRewards(pages: AsyncIterable<object[]>, { client, warn }: Pick<Telling, 'client' | 'warn'>) {
  const rewardOf = readById(client, {
    get: getReward,
    list: listRewards,
    refused({ status, message }, id) {
      // A reward that was deleted says nothing about the others.
      warn(`warning: ${status === 404 ? `the reward "${id}" is` : 'the rewards are'} not shown: ${message}`)
    },
  })
  for await (const page of pages) {
    yield await Promise.all(
      page.map(async (offer) => {
        const { reward_id } = offer as { reward_id?: unknown }
        return { ...offer, reward: typeof reward_id === 'string' ? await rewardOf(reward_id) : undefined }
      }),
    )
  }
}
