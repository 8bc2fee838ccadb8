// One accepted request for each call that writes or asks with a body, in a shop that has one of everything.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { endpoints } from '../../src/contract/catalogue.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { resources } from '../../src/sandbox/resources.ts'
import { managementHeaders } from './manage.ts'
import { type TestSandbox, testSandbox } from './sandbox.ts'
import { root } from './source-files.ts'

/** A JSON Schema, as far as the generated requests read it. */
export interface JsonSchema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  additionalProperties?: boolean | JsonSchema
  format?: string
  pattern?: string
}

const fixture = JSON.parse(readFileSync(join(root, 'examples/full-fixture.json'), 'utf8'))
const served = new Set(resources.flatMap(({ routes = [] }) => routes).map(({ endpoint }) => endpoint.id))

/** The calls whose body is JSON. */
export const callsWithBody: readonly Endpoint[] = endpoints.filter(
  ({ id, body, encoding }) => served.has(id) && body !== undefined && encoding === 'json',
)

const client = {
  client_redeem_enabled: true,
  client_publish_enabled: true,
  client_create_customer_enabled: true,
  client_loyalty_events_enabled: true,
}
const permissive = { ...fixture, settings: { ...fixture.settings, ...client } }

/** Opens a shop that has one of everything, whose pages may do everything. */
export function fullShop(): TestSandbox {
  const shop = testSandbox({ fixture: permissive, isCommon: true })
  shop.call('POST', '/v1/vouchers/LEFT', { body: { ...off, metadata: { shelf: 'a' } } })
  return shop
}

const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
const cart = { redeemables: [{ object: 'voucher', id: 'LEFT' }], order: { amount: 10_000 } }
const event = { event: 'tasting_attended', customer: { source_id: 'shop-1' } }
const holders = { holders: [{ source_id: 'shop-3' }] }
const webhook = { target_url: 'http://localhost:9/hook' }
const reward = { reward: { id: 'rew_mug' } }

/** What a call needs beside, or instead of, the least that its schema requires. */
const requests: Record<string, { body?: unknown; query?: string; before?: (shop: TestSandbox) => void }> = {
  'vouchers.create': { body: off },
  'vouchers.generate': { body: off },
  'vouchers.import': { body: [{ code: 'NEW-1', ...off }] },
  'vouchers.bulk.update': { body: [{ code: 'LEFT', metadata: { shelf: 'b' } }] },
  'redemptions.create': { body: cart },
  'rewards.create': { body: { parameters: { coin: { exchange_ratio: 0.05 } } } },
  'validations.validate': { body: cart },
  'promotions.stacks.create': { body: { tiers: { ids: ['promo_all', 'promo_big'] } } },
  'campaigns.create': { body: { voucher: off } },
  'loyalty.programs.create': { body: { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } } },
  'loyalty.programs.estimate': { body: { customer: { source_id: 'shop-1' } } },
  'loyalty.campaign-members.redeem': { body: reward, before: withPoints },
  'loyalty.members.redeem': { body: reward, before: withPoints },
  'loyalty.members.transfer': { body: [{ code: 'CLUB-2', points: 1, source_id: 's-1' }], before: withPoints },
  'loyalty.earning-rules.create': { body: [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1 } }] },
  'loyalty.earning-rules.update': { body: { loyalty: { type: 'FIXED', points: 1 } } },
  'loyalty.rewards.assign': {
    body: [{ reward: 'rew_mug', parameters: { loyalty: { points: 1 } } }],
    before: (shop) => shop.call('DELETE', '/v1/loyalties/camp_club/rewards/rewa_mug'),
  },
  'rewards.assignments.create': {
    body: { campaign: 'camp_club', parameters: { loyalty: { points: 1 } } },
    before: (shop) => shop.call('DELETE', '/v1/loyalties/camp_club/rewards/rewa_mug'),
  },
  'vouchers.publish': { body: { customer: { source_id: 'shop-2' }, voucher: 'LEFT' } },
  'templates.copy': { body: { destination_project_id: 'proj_000000000000000001' } },
  'templates.create': { body: { campaign_id: 'camp_season' } },
  'templates.tier-setup': { body: { campaign_id: 'camp_terrace' } },
  'referrals.campaign-holders.add': { body: holders },
  'referrals.holders.add': { body: holders },
  'publications.create': { body: { customer: { source_id: 'shop-2' }, voucher: 'LEFT' } },
  'validation-rules.assign': { body: { voucher: 'LEFT' } },
  'webhooks.create': { body: webhook },
  'webhooks.update': { body: webhook },
  'stacking-rules.create': {
    before: (shop) => {
      const { project } = shop
      shop.call('DELETE', `/management/v1/projects/${project.id}/stacking-rules/${stackingRulesOf(shop)}`, {
        headers: managementHeaders(shop),
      })
    },
  },
  'client.publications.create': { query: 'campaign=camp_season', body: { customer: { source_id: 'shop-2' } } },
  'client.redemptions.create': { body: cart },
  'client.validations.validate': { body: cart },
  'client.vouchers.redeem': { query: 'code=LEFT', body: { order: { amount: 10_000 } } },
  'client.events.send': { body: event },
  'events.send': { body: event },
}

/** Gives the card of the club points to spend, and opens a second card. */
function withPoints(shop: TestSandbox): void {
  shop.call('POST', '/v1/loyalties/members/CLUB-1/balance', { body: { points: 10_000 } })
  const body = { type: 'LOYALTY_CARD', loyalty_card: { points: 5 }, campaign_id: 'camp_club' }
  shop.call('POST', '/v1/vouchers/CLUB-2', { body })
  shop.call('POST', '/v1/publications', { body: { voucher: 'CLUB-2', customer: { source_id: 'club-2' } } })
}

/** Makes a collection by conditions, and returns its id. */
function filteredCollection(shop: TestSandbox): string {
  return shop.call('POST', '/v1/product-collections', { body: { name: 'By name', type: 'AUTO_UPDATE' } }).body.id
}

function stackingRulesOf(shop: TestSandbox): string {
  const path = `/management/v1/projects/${shop.project.id}/stacking-rules`
  return shop.call('GET', path, { headers: managementHeaders(shop) }).body.data[0].id
}

/** Redeems a stack, and returns the id of the redemption of the whole. */
function parentRedemption(shop: TestSandbox): string {
  const body = { redeemables: [{ object: 'promotion_stack', id: 'stack_both' }], order: { amount: 10_000 } }
  return shop.call('POST', '/v1/redemptions', { body }).body.parent_redemption?.id
}

/** Prepares what a call needs, and returns the call of the object that is there, or of those that `named` names in the path. */
export function senderOf(shop: TestSandbox, endpoint: Endpoint, named: Readonly<Record<string, string>> = {}) {
  const { client_app_id, client_token } = shop.credentials
  const client = {
    'x-client-application-id': client_app_id,
    'x-client-token': client_token,
    origin: 'http://localhost',
  }
  const headers = { application: {}, 'application-pair': {}, management: managementHeaders(shop), client }
  const { query, before } = requests[endpoint.id] ?? {}
  before?.(shop)
  const path = pathOf(endpoint, shop, named)
  return (body: unknown, asked = query) =>
    shop.call(endpoint.method, path, { body, headers: headers[endpoint.credential], ...(asked && { query: asked }) })
}

/** The least body that a call accepts here; `filler` is given to the other members, down to the depth that is asked for. */
export function bodyOf(endpoint: Endpoint, filler?: null, isDeep = false): unknown {
  const schema = schemaOf(endpoint)
  return merged(sample(schema, filler, isDeep), requests[endpoint.id]?.body)
}

/** The schema of a body. */
export function schemaOf({ body }: Endpoint): JsonSchema {
  return z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

function merged(least: unknown, more: unknown): unknown {
  const isPlain = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  return isPlain(least) && isPlain(more) ? { ...(least as object), ...(more as object) } : (more ?? least)
}

function pathOf({ id, path }: Endpoint, shop: TestSandbox, named: Readonly<Record<string, string>>): string {
  const family = path.split('/')[2] ?? ''
  const codes: Record<string, string> = { 'vouchers.create': 'NEW-1', 'campaigns.vouchers.add': 'NEW-1' }
  const campaigns: Record<string, string> = {
    loyalties: 'camp_club',
    promotions: 'camp_terrace',
    referrals: 'camp_friends',
  }
  const ids: Record<string, string> = {
    projectId: shop.project.id,
    campaignId: campaigns[family] ?? (path.includes('/transactions') ? 'camp_gifts' : 'camp_season'),
    memberId: family === 'referrals' ? 'FRIEND-1' : 'CLUB-1',
    code: codes[id] ?? (/\/(balance|transactions\/export)$/.test(path) ? 'GIFT-1' : 'LEFT'),
    parentRedemptionId: id === 'redemptions.rollbacks' ? parentRedemption(shop) : '',
    stackingRulesId: id === 'stacking-rules.update' ? stackingRulesOf(shop) : '',
    customerId: 'shop-1',
    productId: 'beans',
    skuId: 'sku_beans_1kg',
    orderId: 'ord_1',
    categoryId: 'cat_season',
    validationRuleId: 'val_forty',
    promotionTierId: 'promo_all',
    stackId: 'stack_both',
    rewardId: 'rew_mug',
    pendingPointsId: 'lopp_club',
    assignmentId: 'rewa_mug',
    earningRuleId: 'ern_tasting',
    campaignTemplateId: 'camp_tpl_season',
    redemptionId: 'r_season',
    webhookId: 'wh_local',
    customEventSchemaId: 'ms_tasting',
    metadataSchemaId: 'ms_voucher',
    productCollectionId: id === 'product-collections.update' ? filteredCollection(shop) : 'pc_coffee',
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ids[name] ?? 'nothing'))
}

/** A value of a schema with its required members; the others are `filler`, or with `isDeep` the objects among them hold it. */
export function sample(schema: JsonSchema, filler: null | undefined, isDeep: boolean): unknown {
  const one = schema.anyOf?.find(({ type }) => type === 'object') ?? (schema.oneOf ?? schema.anyOf ?? [schema])[0] ?? {}
  if ('const' in one) return one.const
  if (one.enum) return one.enum[0]
  if (one.anyOf || one.oneOf) return sample(one, filler, isDeep)
  const type = Array.isArray(one.type) ? one.type[0] : one.type
  if (type === 'array') return Array.from({ length: one.minItems ?? 0 }, () => sample(one.items ?? {}, filler, isDeep))
  if (type !== 'object')
    return { integer: Math.max(one.minimum ?? 1, 1), number: 1, boolean: true, null: null }[type ?? ''] ?? 'text'
  return Object.fromEntries(
    Object.entries(one.properties ?? {}).map(([name, member]) => {
      const isNeeded = one.required?.includes(name) || (isDeep && holdsMembers(member))
      return [name, isNeeded ? sample(member, filler, isDeep) : filler]
    }),
  )
}

/** A body in which one member has another value. */
export interface Change {
  body: unknown
  path: PropertyKey[]
  value: unknown
}

/** Bodies in which one member has another value, at any depth, for all the values of each member. */
export function changesOf(
  schema: JsonSchema,
  least: unknown,
  valuesOf: (member: JsonSchema, name: string) => unknown[],
  path: PropertyKey[] = [],
): Change[] {
  const forms = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return forms.flatMap((form): Change[] => {
    if (form.type === 'array') {
      const [first = sample(form.items ?? {}, undefined, false)] = Array.isArray(least) ? least : []
      return changesOf(form.items ?? {}, first, valuesOf, [...path, 0]).map((change) => ({
        ...change,
        body: [change.body],
      }))
    }
    return Object.entries(form.properties ?? {}).flatMap(([name, member]) => {
      const whole = (typeof least === 'object' && least !== null ? least : {}) as Record<string, unknown>
      const at = [...path, name]
      const direct = valuesOf(member, name).map((value) => ({ body: value, path: at, value }))
      const deeper = changesOf(member, whole[name] ?? sample(member, undefined, false), valuesOf, at)
      return [...direct, ...deeper].map((change) => ({ ...change, body: { ...whole, [name]: change.body } }))
    })
  })
}

function holdsMembers(schema: JsonSchema): boolean {
  return schema.properties !== undefined || (schema.anyOf ?? schema.oneOf ?? []).some(holdsMembers)
}
