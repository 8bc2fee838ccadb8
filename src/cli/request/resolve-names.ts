// Flags and arguments whose values the service knows by id alone, and people by name: one place looks the names up.
import type { Client } from '../../api/client.ts'
import { listNames } from '../../base/name-list.ts'
import { nearest } from '../../base/nearest.ts'
import { argumentWords } from '../../base/shell-word.ts'
import { getCampaign, listCampaigns } from '../../contract/campaigns.ts'
import { listCategories } from '../../contract/categories.ts'
import { listEarningRules } from '../../contract/earning-rules.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { listEventSchemas } from '../../contract/event-schemas.ts'
import { listPrograms } from '../../contract/loyalty-programs.ts'
import { listLoyaltyTiers } from '../../contract/loyalty-tiers.ts'
import { listProjectMetadataSchemas } from '../../contract/metadata-schemas.ts'
import { listProductCollections } from '../../contract/product-collections.ts'
import { getProduct, listProducts } from '../../contract/products.ts'
import { listPromotionStacks } from '../../contract/promotion-stacks.ts'
import { listPromotionTiers } from '../../contract/promotions.ts'
import { listProgramRewards, listRewards } from '../../contract/rewards.ts'
import { listSegments } from '../../contract/segments.ts'
import { listProjectTemplates, listTemplates } from '../../contract/templates.ts'
import { listValidationRules } from '../../contract/validation-rules.ts'
import { getVoucher } from '../../contract/vouchers.ts'
import { PromoError } from '../../errors.ts'
import { cardIn, type Reference, referenceIn } from '../flags/kinds.ts'
import { nameList } from '../flags/values.ts'
import { tryRead } from '../result/try-read.ts'
import { projectOf } from '../session/project.ts'
import type { Run } from '../session/run.ts'
import { customerCalls, idOfCustomer, idToFind } from './customers/flag.ts'

interface Kind {
  /** How its ids begin. */
  id: RegExp
  /** Where names are looked up; what is listed within a program is read of every program, unless an argument names one. */
  list: Endpoint
  /** The command that lists them. */
  listedBy: string
  /** What a row is called, where that is not its `name`; or makes the function that knows that from other calls. */
  called?: { by: (row: Row) => unknown[] } | { from: (client: Client) => Promise<(row: Row) => unknown[]> }
}

type Row = Record<string, unknown> & { id: string }

/** A person is named by whatever `customers show` takes; a customer by members, `source_id=shop-1001`, too. */
type ReferenceKind = Exclude<Reference, 'customer' | 'person'>

const kinds: Readonly<Record<ReferenceKind, Kind>> = {
  campaign: { id: /^camp_/, list: listCampaigns, listedBy: 'promo campaigns list' },
  category: { id: /^cat_/, list: listCategories, listedBy: 'promo categories list' },
  collection: { id: /^pc_/, list: listProductCollections, listedBy: 'promo products collections list' },
  'earning rule': {
    id: /^ern_/,
    list: listEarningRules,
    listedBy: 'promo loyalty earning-rules list',
    called: { by: ({ source }) => [(source as { banner?: unknown } | null | undefined)?.banner] },
  },
  'event schema': { id: /^ms_/, list: listEventSchemas, listedBy: 'promo events schemas list' },
  'loyalty tier': { id: /^ltr_/, list: listLoyaltyTiers, listedBy: 'promo loyalty tiers list' },
  'metadata schema': {
    id: /^ms_/,
    list: listProjectMetadataSchemas,
    listedBy: 'promo metadata schemas',
    called: { by: ({ related_object }) => [related_object] },
  },
  offer: {
    id: /^rewa_/,
    list: listProgramRewards,
    listedBy: 'promo loyalty rewards list',
    called: { from: rewardsOfOffers },
  },
  product: { id: /^(?:prod|sku)_/, list: listProducts, listedBy: 'promo products list' },
  'project template': { id: /^camp_tpl_/, list: listProjectTemplates, listedBy: 'promo templates list' },
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
  listPrograms,
  ...customerCalls,
  ...Object.values(kinds).map(({ list }) => list),
]

/** An object that was read when its name was looked up, by the call that reads it. */
export interface ReadByName {
  get: Endpoint
  object: { id: string }
}

/** What a command line gave, by the names of its flags and arguments. */
type Given = Record<string, unknown>

/** What flags or arguments are, by their names. */
type Known = Readonly<Record<string, object>>

/**
 * Returns the command line with ids in place of names, of those flags and arguments that are marked as references, and the object
 * that was read for that. A dry run sends nothing, so it keeps the names and says so.
 *
 * Throws `api` (exit 3) for a name that nothing or that several have, and what opening a client throws.
 */
export async function resolveNames<A extends object, F extends { 'as-source-id'?: boolean; project?: string }>(
  line: { args: A; flags: F },
  known: { args: Known; flags: Known; effect?: string },
  { show, isDryRun, openSession }: Pick<Run, 'show' | 'isDryRun' | 'openSession'>,
): Promise<{ args: A; flags: F; read?: ReadByName | undefined }> {
  const args = { ...line.args } as Given
  const flags = { ...line.flags } as Given
  const all = [
    ...namedIn(args, known.args, (name) => name.toUpperCase()),
    ...namedIn(flags, known.flags, (name) => `--${name}`),
  ]
  const isSourceId = ({ reference }: { reference: Reference }) =>
    line.flags['as-source-id'] === true && reference === 'customer'
  const named = all.filter((one) => !isSourceId(one))
  for (const { among, name, texts } of all.filter(isSourceId))
    among[name] = texts.map((text) => memberOf(text, 'source_id'))
  const programs = Object.entries(known.flags).flatMap(([name, one]) => {
    const card = flags[Reflect.get(one, cardIn)]
    return flags[name] === undefined && typeof card === 'string' ? [{ name, card }] : []
  })
  if (named.length === 0 && programs.length === 0) return { args: args as A, flags: flags as F }
  if (isDryRun) {
    for (const { among, name, reference, texts, shown } of named) {
      show.say(`${shown}: its id is looked up before it is sent`)
      if (reference === 'customer') among[name] = texts.map((text) => memberOf(text, 'id', idToFind))
    }
    for (const { name, card } of programs) {
      show.say(`--${name}: the program of ${card} is looked up before it is sent`)
      flags[name] = 'PROGRAM'
    }
    return { args: args as A, flags: flags as F }
  }
  const session = await openSession()
  const project = () => projectOf(line.flags, session.profile)
  const look: Look = { client: session.client, args, project }
  try {
    for (const { among, name, reference, texts, shown } of named) {
      const ids: string[] = []
      for (const text of texts) {
        if (reference === 'person') ids.push(await customerOf(session.client, text))
        else if (reference !== 'customer') ids.push(await idOf(text, { reference, shown }, look))
        else ids.push(members.test(text) ? text : memberOf(await customerOf(session.client, text)))
      }
      among[name] = Array.isArray(among[name]) ? ids : ids[0]
    }
    for (const { name, card } of programs) flags[name] = await programOf(session.client, card)
  } catch (error) {
    await session.close()
    throw error
  }
  await session.leave()
  return { args: args as A, flags: flags as F, read: look.read }

  async function customerOf(client: Client, text: string): Promise<string> {
    return await idOfCustomer(client, text, show.warn, { isWhole: known.effect === 'write' })
  }
}

/** Returns the id of the program of a card. Throws `api` (exit 3) for what is not found, or is in no program. */
async function programOf(client: Client, code: string): Promise<string> {
  const { campaign_id } = (await client.call(getVoucher, { path: { code } })) as { campaign_id?: string | null }
  if (typeof campaign_id === 'string') return campaign_id
  throw new PromoError('api', `${JSON.stringify(code)} is in no program`, {
    hint: `promo vouchers get ${argumentWords(code)}`,
  })
}

/** How a text begins that says what members the customer has. */
const members = /^[A-Za-z_][\w.]*=/

/** Returns the member that names a customer. What is no id of the service was not looked up, because the key may not. */
function memberOf(
  text: string,
  member = text.startsWith('cust_') ? 'id' : 'source_id',
  show = (id: string) => id,
): string {
  return members.test(text) ? text : `${member}=${show(text)}`
}

/** The flags, or the arguments, that hold a name where an id is sent. */
function namedIn(among: Given, known: Known, show: (name: string) => string) {
  return Object.entries(known).flatMap(([name, one]) => {
    const reference: Reference | undefined = Reflect.get(one, referenceIn)
    const given = among[name] as string | string[] | undefined
    if (reference === undefined || given === undefined) return []
    const isPerson = reference === 'customer'
    const texts = Array.isArray(given) ? given.flatMap((text) => (isPerson ? [text] : nameList(text))) : [given]
    // An empty one names nothing: it empties the member that it sets.
    const isId = texts.every((text) => text === '' || isIdOf(reference, text))
    return isId ? [] : [{ among, name, reference, texts, shown: show(name) }]
  })
}

function isIdOf(reference: Reference, text: string): boolean {
  if (reference === 'customer') return members.test(text)
  return reference === 'person' ? text.startsWith('cust_') : kinds[reference].id.test(text)
}

/** What names are looked up with. */
interface Look {
  client: Client
  args: Given
  /** The project of a management call. Throws `config` when there is none. */
  project: () => string
  /** What was read last. */
  read?: ReadByName | undefined
}

async function idOf(
  text: string,
  { reference, shown }: { reference: ReferenceKind; shown: string },
  look: Look,
): Promise<string> {
  const { id, list, listedBy, called = { by: ({ name }) => [name] } } = kinds[reference]
  if (id.test(text)) return text
  look.read = await knownBy(look.client, reference, text)
  if (look.read !== undefined) return look.read.object.id
  const namesOf = 'by' in called ? called.by : await called.from(look.client)
  const names: string[] = []
  const matches: string[] = []
  for await (const row of rowsOf(list, look)) {
    // An id that does not look like one is one all the same.
    if (row.id === text) return text
    const all = namesOf(row).filter((name) => typeof name === 'string')
    if (all.includes(text)) matches.push(row.id)
    names.push(...all.slice(0, 1))
  }
  const [only] = matches
  if (only !== undefined && matches.length === 1) return only
  if (only !== undefined) {
    const hint = shown.startsWith('--') ? `${shown} ${only}` : `name it by its id: ${only}`
    throw new PromoError('api', `several have the name ${JSON.stringify(text)}: ${listNames(matches)}`, { hint })
  }
  const near = nearest(text, names)
  const quoted = names.map((name) => JSON.stringify(name))
  const there =
    near === undefined ? `there are ${listNames(quoted) || 'none'}` : `did you mean ${JSON.stringify(near)}?`
  const program = isOfProgram(list) ? (look.args.campaign as string | undefined) : undefined
  const hint = program === undefined ? listedBy : `${listedBy} ${argumentWords(program)}`
  throw new PromoError('api', `there is no ${reference} ${JSON.stringify(text)}; ${there}`, { hint })
}

function isOfProgram({ path }: Endpoint): boolean {
  return path.includes('{campaignId}')
}

async function* rowsOf(list: Endpoint, { client, args, project }: Look): AsyncGenerator<Row> {
  const rows = (path: object) => client.items(list, { path } as never) as AsyncIterable<Row>
  if (!isOfProgram(list)) yield* rows(list.path.includes('{projectId}') ? { projectId: project() } : {})
  else if (args.campaign !== undefined) yield* rows({ campaignId: args.campaign })
  else for await (const { id } of client.items(listPrograms)) yield* rows({ campaignId: id })
}

/** An offer is called by the name or the id of its reward. */
async function rewardsOfOffers(client: Client): Promise<(row: Row) => unknown[]> {
  const names = new Map<unknown, unknown>()
  for await (const { id, name } of client.items(listRewards)) names.set(id, name)
  return ({ reward_id }) => [names.get(reward_id), reward_id]
}

/** The service itself finds a campaign by its name, and a product by its source id. */
async function knownBy(client: Client, reference: Reference, text: string): Promise<ReadByName | undefined> {
  const get: Endpoint | undefined = { campaign: getCampaign, product: getProduct }[reference as string]
  if (get === undefined) return undefined
  const path = { [reference === 'campaign' ? 'campaignId' : 'productId']: text }
  const object = await tryRead(
    () => client.call(get, { path } as never) as Promise<{ id: string }>,
    () => {},
  )
  return object && { get, object }
}
