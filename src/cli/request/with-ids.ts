// Flags whose values the service knows by id alone, and people by name: one place looks the names up.
import type { Client } from '../../api/client.ts'
import { listed } from '../../base/listed.ts'
import { nearest } from '../../base/nearest.ts'
import { getCampaign, listCampaigns } from '../../contract/campaigns.ts'
import { listCategories } from '../../contract/categories.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { getProduct, listProducts } from '../../contract/products.ts'
import { listPromotionTiers } from '../../contract/promotions.ts'
import { listRewards } from '../../contract/rewards.ts'
import { listSegments } from '../../contract/segments.ts'
import { listValidationRules } from '../../contract/validation-rules.ts'
import { PromoError } from '../../errors.ts'
import { type Reference, referenceIn } from '../flags/kinds.ts'
import { nameList } from '../flags/values.ts'
import { messagesTo } from '../result/messages.ts'
import { unlessRefused } from '../result/unless-refused.ts'
import type { Host, ProgramConfig } from '../run/host.ts'
import { type ConnectFlags, connect } from '../session/connect.ts'

interface Kind {
  /** How its ids begin. */
  id: RegExp
  /** Where names are looked up. */
  list: Endpoint
  /** The command that lists them. */
  listedBy: string
}

const kinds: Readonly<Record<Reference, Kind>> = {
  campaign: { id: /^camp_/, list: listCampaigns, listedBy: 'promo campaigns list' },
  category: { id: /^cat_/, list: listCategories, listedBy: 'promo categories list' },
  product: { id: /^(?:prod|sku)_/, list: listProducts, listedBy: 'promo products list' },
  reward: { id: /^rew_/, list: listRewards, listedBy: 'promo rewards list' },
  rule: { id: /^val_/, list: listValidationRules, listedBy: 'promo rules list' },
  segment: { id: /^seg_/, list: listSegments, listedBy: 'promo segments list' },
  tier: { id: /^promo_/, list: listPromotionTiers, listedBy: 'promo promotions list' },
}

/** The calls that look a name up. */
export const referenceCalls: readonly Endpoint[] = [
  getCampaign,
  getProduct,
  ...Object.values(kinds).map(({ list }) => list),
]

/**
 * Returns the flags with ids in place of names, of those that are marked as references. A dry run sends nothing, so it keeps the
 * names and says so.
 *
 * Throws `api` (exit 3) for a name that nothing or that several have, and what opening a client throws.
 */
export async function withIds<F extends ConnectFlags & { quiet?: boolean; 'dry-run'?: boolean }>(
  flags: F,
  known: Readonly<Record<string, object>>,
  { host, config }: { host: Host; config: ProgramConfig },
): Promise<F> {
  const found = { ...flags } as Record<string, unknown>
  const named = Object.entries(known).flatMap(([name, flag]) => {
    const reference: Reference | undefined = Reflect.get(flag, referenceIn)
    const given = found[name] as string | string[] | undefined
    if (reference === undefined || given === undefined) return []
    const texts = Array.isArray(given) ? given.flatMap((text) => nameList(text)) : [given]
    return texts.every((text) => kinds[reference].id.test(text)) ? [] : [{ name, reference, texts, given }]
  })
  if (named.length === 0) return flags
  if (flags['dry-run']) {
    for (const { name } of named) messagesTo(host, flags).say(`--${name}: its id is looked up before it is sent`)
    return flags
  }
  const session = await connect(flags, host, config)
  try {
    for (const { name, reference, texts, given } of named) {
      const ids: string[] = []
      for (const text of texts) ids.push(await idOf(session.client, reference, text, name))
      found[name] = Array.isArray(given) ? ids : ids[0]
    }
  } finally {
    await session.close()
  }
  return found as F
}

async function idOf(client: Client, reference: Reference, text: string, flag: string): Promise<string> {
  const { id, list, listedBy } = kinds[reference]
  if (id.test(text)) return text
  const known = await knownBy(client, reference, text)
  if (known !== undefined) return known
  const names: string[] = []
  const matches: string[] = []
  for await (const row of client.items(list, {})) {
    const { id: one, name = '' } = row as { id: string; name?: string }
    if (name === text) matches.push(one)
    names.push(name)
  }
  const [only] = matches
  if (only !== undefined && matches.length === 1) return only
  if (only !== undefined) {
    const hint = `--${flag} ${only}`
    throw new PromoError('api', `several have the name ${JSON.stringify(text)}: ${listed(matches)}`, { hint })
  }
  const near = nearest(text, names)
  const quoted = names.map((name) => JSON.stringify(name))
  const there = near === undefined ? `there are ${listed(quoted) || 'none'}` : `did you mean ${JSON.stringify(near)}?`
  throw new PromoError('api', `there is no ${reference} ${JSON.stringify(text)}; ${there}`, { hint: listedBy })
}

/** The service itself finds a campaign by its name, and a product by its source id. */
async function knownBy(client: Client, reference: Reference, text: string): Promise<string | undefined> {
  const read = {
    campaign: () => client.call(getCampaign, { path: { campaignId: text } }),
    product: () => client.call(getProduct, { path: { productId: text } }),
  }[reference as string]
  return read && (await unlessRefused<{ id: string }>(read, () => {}))?.id
}
