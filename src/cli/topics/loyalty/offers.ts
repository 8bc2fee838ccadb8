// The rewards that a program offers, beside the offers.
import { memoized } from '../../../base/memoized.ts'
import { getReward } from '../../../contract/rewards.ts'
import type { Telling } from '../../declared.ts'
import { unlessRefused } from '../../result/unless-refused.ts'

/** Adds the reward to each offer. Optional: credentials that may read programs may not read rewards. */
export async function* withRewards(pages: AsyncIterable<object[]>, { client, warn }: Pick<Telling, 'client' | 'warn'>) {
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
