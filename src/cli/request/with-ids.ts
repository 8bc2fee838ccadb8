// Flags and arguments whose values the service knows by id alone, and people by name: one place looks the names up.
import type { Client } from '../../api/client.ts'
import { listed } from '../../base/listed.ts'
import { nearest } from '../../base/nearest.ts'
import { argumentWords } from '../../base/shell-word.ts'
import { getCampaign, listCampaigns } from '../../contract/campaigns.ts'
import { listCategories } from '../../contract/categories.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { listLoyaltyTiers } from '../../contract/loyalty-tiers.ts'
import { listProductCollections } from '../../contract/product-collections.ts'
import { getProduct, listProducts } from '../../contract/products.ts'
import { listPromotionStacks } from '../../contract/promotion-stacks.ts'
import { listPromotionTiers } from '../../contract/promotions.ts'
import { listRewards } from '../../contract/rewards.ts'
import { listSegments } from '../../contract/segments.ts'
import { listTemplates } from '../../contract/templates.ts'
import { listValidationRules } from '../../contract/validation-rules.ts'
import { PromoError } from '../../errors.ts'
import { type Reference, referenceIn } from '../flags/kinds.ts'
import { nameList } from '../flags/values.ts'
import { messagesTo } from '../result/messages.ts'
import { unlessRefused } from '../result/unless-refused.ts'
import type { Host, ProgramConfig } from '../run/host.ts'
import { type ConnectFlags, connect } from '../session/connect.ts'
import { customerCalls, idOfCustomer } from '../topics/customers/flag.ts'

interface Kind {
  /** How its ids begin. */
  id: RegExp
  /** Where names are looked up. */
  list: Endpoint
  /** The command that lists them. */
  listedBy: string
  /** Of what is listed within something: the argument that names that, and its name in the path. */
  within?: readonly [argument: string, path: string]
}

/** A customer is named by members, `source_id=shop-1001`, or by whatever `customers show` takes. */
type Listed = Exclude<Reference, 'customer'>

const kinds: Readonly<Record<Listed, Kind>> = {
  campaign: { id: /^camp_/, list: listCampaigns, listedBy: 'promo campaigns list' },
  category: { id: /^cat_/, list: listCategories, listedBy: 'promo categories list' },
  collection: { id: /^pc_/, list: listProductCollections, listedBy: 'promo products collections list' },
  'loyalty tier': {
    id: /^ltr_/,
    list: listLoyaltyTiers,
    listedBy: 'promo loyalty tiers list',
    within: ['campaign', 'campaignId'],
  },
  product: { id: /^(?:prod|sku)_/, list: listProducts, listedBy: 'promo products list' },
  reward: { id: /^rew_/, list: listRewards, listedBy: 'promo rewards list' },
  rule: { id: /^val_/, list: listValidationRules, listedBy: 'promo rules list' },
  segment: { id: /^seg_/, list: listSegments, listedBy: 'promo segments list' },
  stack: { id: /^stack_/, list: listPromotionStacks, listedBy: 'promo promotions stacks' },
  template: { id: /^camp_tpl_/, list: listTemplates, listedBy: 'promo templates list' },
  tier: { id: /^promo_/, list: listPromotionTiers, listedBy: 'promo promotions list' },
}

/** The calls that look a name up. */
export const referenceCalls: readonly Endpoint[] = [
  getCampaign,
  getProduct,
  ...customerCalls,
  ...Object.values(kinds).map(({ list }) => list),
]

/** What a command line gave, by the names of its flags and arguments. */
type Given = Record<string, unknown>

/** What flags or arguments are, by their names. */
type Known = Readonly<Record<string, object>>

/**
 * Returns the command line with ids in place of names, of those flags and arguments that are marked as references. A dry run sends
 * nothing, so it keeps the names and says so.
 *
 * Throws `api` (exit 3) for a name that nothing or that several have, and what opening a client throws.
 */
export async function withIds<A extends object, F extends ConnectFlags & { quiet?: boolean; 'dry-run'?: boolean }>(
  line: { args: A; flags: F },
  known: { args: Known; flags: Known },
  { host, config }: { host: Host; config: ProgramConfig },
): Promise<{ args: A; flags: F }> {
  const args = { ...line.args } as Given
  const flags = { ...line.flags } as Given
  const named = [
    ...namedIn(args, known.args, (name) => name.toUpperCase()),
    ...namedIn(flags, known.flags, (name) => `--${name}`),
  ]
  if (named.length === 0) return line
  if (line.flags['dry-run']) {
    for (const { among, name, reference, texts, shown } of named) {
      messagesTo(host, line.flags).say(`${shown}: its id is looked up before it is sent`)
      if (reference === 'customer') among[name] = texts.map(memberOf)
    }
    return { args: args as A, flags: flags as F }
  }
  const session = await connect(line.flags, host, config)
  try {
    for (const { among, name, reference, texts, shown } of named) {
      const ids: string[] = []
      for (const text of texts) {
        if (reference !== 'customer') ids.push(await idOf(session.client, reference, text, { shown, args }))
        else ids.push(members.test(text) ? text : memberOf(await customerOf(session.client, text)))
      }
      among[name] = Array.isArray(among[name]) ? ids : ids[0]
    }
  } finally {
    await session.close()
  }
  return { args: args as A, flags: flags as F }

  async function customerOf(client: Client, text: string): Promise<string> {
    return (await idOfCustomer(client, text, messagesTo(host, line.flags).warn)) as string
  }
}

/** How a text begins that says what members the customer has. */
const members = /^[A-Za-z_][\w.]*=/

/** Returns the member that names a customer. What is no id of the service was not looked up: the key may not, or it is a dry run. */
function memberOf(text: string): string {
  if (members.test(text)) return text
  return `${text.startsWith('cust_') ? 'id' : 'source_id'}=${text}`
}

/** The flags, or the arguments, that hold a name where an id is sent. */
function namedIn(among: Given, known: Known, show: (name: string) => string) {
  return Object.entries(known).flatMap(([name, one]) => {
    const reference: Reference | undefined = Reflect.get(one, referenceIn)
    const given = among[name] as string | string[] | undefined
    if (reference === undefined || given === undefined) return []
    const isPerson = reference === 'customer'
    const texts = Array.isArray(given) ? given.flatMap((text) => (isPerson ? [text] : nameList(text))) : [given]
    const id = isPerson ? members : kinds[reference].id
    const isId = texts.every((text) => id.test(text))
    return isId ? [] : [{ among, name, reference, texts, shown: show(name) }]
  })
}

async function idOf(
  client: Client,
  reference: Listed,
  text: string,
  { shown, args }: { shown: string; args: Given },
): Promise<string> {
  const { id, list, listedBy, within } = kinds[reference]
  if (id.test(text)) return text
  const known = await knownBy(client, reference, text)
  if (known !== undefined) return known
  const parent = within === undefined ? undefined : String(args[within[0]])
  const request = within === undefined ? {} : { path: { [within[1]]: parent } }
  const names: string[] = []
  const matches: string[] = []
  for await (const row of client.items(list, request as never)) {
    const { id: one, name } = row as { id: string; name?: string | null }
    // An id that does not look like one is one all the same.
    if (one === text) return one
    if (name === text) matches.push(one)
    if (typeof name === 'string') names.push(name)
  }
  const [only] = matches
  if (only !== undefined && matches.length === 1) return only
  if (only !== undefined) {
    const hint = shown.startsWith('--') ? `${shown} ${only}` : `name it by its id: ${only}`
    throw new PromoError('api', `several have the name ${JSON.stringify(text)}: ${listed(matches)}`, { hint })
  }
  const near = nearest(text, names)
  const quoted = names.map((name) => JSON.stringify(name))
  const there = near === undefined ? `there are ${listed(quoted) || 'none'}` : `did you mean ${JSON.stringify(near)}?`
  const hint = parent === undefined ? listedBy : `${listedBy} ${argumentWords(parent)}`
  throw new PromoError('api', `there is no ${reference} ${JSON.stringify(text)}; ${there}`, { hint })
}

/** The service itself finds a campaign by its name, and a product by its source id. */
async function knownBy(client: Client, reference: Reference, text: string): Promise<string | undefined> {
  const read = {
    campaign: () => client.call(getCampaign, { path: { campaignId: text } }),
    product: () => client.call(getProduct, { path: { productId: text } }),
  }[reference as string]
  return read && (await unlessRefused<{ id: string }>(read, () => {}))?.id
}
