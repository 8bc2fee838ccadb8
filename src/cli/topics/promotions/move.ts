// Moving a promotion tier among those of its campaign. The service keeps a number for each tier; a lower one comes first.
// Source: docs/service/promotions.md#tier-fields.

import type { Client } from '../../../api/client.ts'
import { formatCount } from '../../../base/numbers.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { getPromotionTier, listCampaignTiers, updatePromotionTier } from '../../../contract/promotions.ts'
import { PromoError, usageError } from '../../../errors.ts'
import { tierColumns } from '../../../output/columns/resources/promotions.ts'
import { carryOut, type Writing } from '../../request/carry-out.ts'

/** Where a tier goes: exactly one of these. */
export interface Place {
  before?: string | undefined
  after?: string | undefined
  first?: boolean | undefined
  last?: boolean | undefined
}

/** A tier, as much of it as its order needs. */
interface Numbered {
  id: string
  hierarchy: number
}

/** A new number of a tier. */
interface Renumbered<Tier> {
  tier: Tier
  hierarchy: number
}

/**
 * Moves a tier, and shows the tiers of its campaign in their new order.
 *
 * Several tiers may get a new number, one call each. Whatever stops that leaves the others in their order, and the same
 * command line completes it. Throws `usage` for a tier that is to be its own neighbour, `api` for a neighbour in another
 * campaign, and what the calls throw.
 */
export async function moveTier(id: string, place: Place, run: Writing): Promise<void> {
  if (id === (place.before ?? place.after))
    throw usageError(
      `promotion tier "${id}" cannot be its own neighbour`,
      `promo promotions tiers move --first ${argumentWords(id)}`,
    )
  const about = { columns: tierColumns, endpoint: updatePromotionTier }
  await carryOut(run, about, ({ client }) => ({
    requests: [
      client.plan(getPromotionTier, { path: { promotionTierId: id } }),
      client.plan(listCampaignTiers, { path: { campaignId: '<campaign>' } }),
      {
        ...client.plan(updatePromotionTier, { path: { promotionTierId: id }, body: { hierarchy: 1 } }),
        body: { hierarchy: '<place>' },
      },
    ],
    async prepare() {
      const tiers = await siblingsOf(client, id)
      const ordered = placeTier(tiers, id, place)
      const changes = renumber(ordered, id)
      const action = `give ${formatCount(changes.length, 'promotion tier')} a new number`
      return {
        question: changes.length === 0 ? undefined : { action, count: changes.length, asks: false },
        async send() {
          const { show } = run
          const shown = new Map<string, object>(tiers.map((tier) => [tier.id, tier]))
          if (changes.length === 0) show.say('it has this place already; nothing was sent')
          let done = 0
          for (const { tier, hierarchy } of changes) {
            const request = { path: { promotionTierId: tier.id }, body: { hierarchy } }
            const answer = await client.call(updatePromotionTier, request).catch((error: unknown) => {
              const progress = `${done} of ${formatCount(changes.length, 'promotion tier')} have their new number`
              if (done > 0) show.warn(`${progress}; the same command line completes the move`)
              throw error
            })
            shown.set(tier.id, answer)
            done += 1
          }
          const rows = ordered.map((tier) => shown.get(tier.id) as object)
          await show.afterWrite.rows(rows, tierColumns)
        },
      }
    },
  }))
}

/** Returns the tiers of the campaign of one of them, in their order. */
async function siblingsOf(client: Client, id: string): Promise<(Numbered & object)[]> {
  const tier: Record<string, unknown> = await client.call(getPromotionTier, { path: { promotionTierId: id } })
  const campaignId = (tier.campaign as { id?: unknown } | undefined)?.id ?? tier.promotion_id ?? tier.campaign_id
  const tiers: Numbered[] = []
  for await (const item of client.items(listCampaignTiers, { path: { campaignId: String(campaignId) } })) {
    const one = item as unknown as Numbered
    if (!Number.isInteger(one.hierarchy))
      throw new PromoError('api', `the service does not say which place promotion tier "${one.id}" has`)
    tiers.push(one)
  }
  return tiers.toSorted((a, b) => a.hierarchy - b.hierarchy)
}

/** Returns tiers in the order in which one of them has its new place. Throws `api` for a neighbour that is none of them. */
function placeTier<Tier extends Numbered>(tiers: readonly Tier[], id: string, place: Place): Tier[] {
  const { before, after, first } = place
  const others = tiers.filter((tier) => tier.id !== id)
  const neighbour = before ?? after
  const at = others.findIndex((tier) => tier.id === neighbour)
  if (neighbour !== undefined && at < 0) {
    throw new PromoError('api', `promotion tier "${neighbour}" is not in the campaign of "${id}"`, {
      hint: 'promo promotions list --order hierarchy --columns id,name,campaign,hierarchy',
    })
  }
  const [one] = tiers.filter((tier) => tier.id === id)
  const start = neighbour === undefined ? (first ? 0 : others.length) : at + (before === undefined ? 1 : 0)
  return one === undefined ? others : others.toSpliced(start, 0, one)
}

/**
 * Returns which tiers need another number to be in this order, so that the numbers that are taken are used again and no two
 * are equal.
 *
 * In an order in which the others never change places, wherever it is interrupted: those that go up from the last, those that
 * go down from the first, and the one that is moved at the end.
 */
function renumber<Tier extends Numbered>(ordered: readonly Tier[], id: string): Renumbered<Tier>[] {
  const taken = ordered.map(({ hierarchy }) => hierarchy).toSorted((a, b) => a - b)
  let last = 0
  const changes = ordered.flatMap((tier, index) => {
    last = Math.max(taken[index] as number, last + 1)
    return last === tier.hierarchy ? [] : [{ tier, hierarchy: last }]
  })
  const others = changes.filter(({ tier }) => tier.id !== id)
  const up = others.filter(({ tier, hierarchy }) => hierarchy > tier.hierarchy).toReversed()
  const down = others.filter(({ tier, hierarchy }) => hierarchy < tier.hierarchy)
  return [...up, ...down, ...changes.filter(({ tier }) => tier.id === id)]
}
