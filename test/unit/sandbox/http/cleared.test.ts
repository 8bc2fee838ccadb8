// Null in an update clears: every member of every update that may be null, over the real calls.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { managementHeaders } from '../../../support/manage.ts'
import { campaign, openShop } from '../../../support/redemptions.ts'

const rules = { '1': { name: 'order.amount', conditions: { $more_than: [1] } }, logic: '1' }
const day = { start_time: '09:00', expiration_time: '10:00', days_of_week: [1] }

const bundlePart = {
  name: 'order.items.any',
  conditions: { $is: [{ id: 'prod_beans', type: 'product_or_sku', object: 'product' }] },
  rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] }, rules: {} }, logic: '1' },
}

/** What each member is set to before it is cleared. */
const values: Record<string, unknown> = {
  activity_duration_after_publishing: 'P3D',
  additional_info: 'For the terrace',
  address: { city: 'Delft' },
  amount: 700,
  applicable_to: { included: [{ object: 'product', id: 'prod_beans' }] },
  banner: 'Five off',
  birthdate: '2000-01-02',
  bundle_rules: { '1': bundlePart },
  birthday: '2000-01-02',
  category: 'Rare',
  category_id: 'cat_1',
  country: 'NL',
  currency: 'EUR',
  customer: { source_id: 'ada' },
  customer_id: 'cust_ada',
  default_code_config: { length: 5 },
  description: 'Spring',
  dial_code: '31',
  discount_amount: 100,
  email: 'ada@example.com',
  error: { message: 'Too little' },
  expiration_date: '2027-02-03T00:00:00.000Z',
  expiration_rules: { period_type: 'MONTH', period_value: 1 },
  image_url: 'https://shop.example/a.png',
  initial_amount: 800,
  items: [{ product_id: 'prod_beans', quantity: 1, price: 700 }],
  loyalty_tiers_expiration: { qualification_type: 'BALANCE', expiration_date: { type: 'BALANCE_DROP' } },
  metadata: { shelf: 'a' },
  name: 'Other',
  pending_points: { period_type: 'DAY', period_value: 7 },
  phone: '+31 1',
  price: 700,
  referrer: { source_id: 'ada' },
  referrer_id: 'cust_ada',
  rules,
  sku: 'Large',
  source_id: 'order-2',
  source: { banner: 'Welcome' },
  start_date: '2026-02-03T00:00:00.000Z',
  validation_rule_id: 'val_1',
  validity_day_of_week: [1, 2],
  validity_hours: { daily: [day] },
  validity_timeframe: { interval: 'P1D', duration: 'PT2H' },
}

/** What a member needs beside it. */
const needs: Record<string, object> = { validity_timeframe: { start_date: values.start_date } }

/** By call: the path of the object (where another shows it, that too), what its members are set to if not to the value above, and what null does not clear. */
const updates: Record<
  string,
  { path: string; shownAt?: string; sets?: Record<string, unknown>; keeps?: readonly string[] }
> = {
  'vouchers.update': { path: '/v1/vouchers/B%2F%201', keeps: ['active'] },
  'promotions.tiers.update': { path: '/v1/promotions/tiers/promo_1' },
  'promotions.stacks.update': { path: '/v1/promotions/camp_promo/stacks/stack_1' },
  'campaigns.update': { path: '/v1/campaigns/Codes', keeps: ['loyalty_tiers_expiration'] },
  'loyalty.programs.update': { path: '/v1/loyalties/Club' },
  'templates.update': { path: '/v1/templates/campaigns/TEMPLATE' },
  'loyalty.earning-rules.update': { path: '/v1/loyalties/Club/earning-rules/ern_1' },
  'rewards.update': { path: '/v1/rewards/rew_1', sets: { attributes: { description: 'Red' } } },
  'customers.update': { path: '/v1/customers/bo' },
  'orders.update': { path: '/v1/orders/ord_1', keeps: ['status', 'initial_amount'] },
  'products.update': { path: '/v1/products/mug', sets: { attributes: ['color'] } },
  'skus.update': {
    path: '/v1/products/mug/skus/large',
    shownAt: '/v1/skus/large',
    sets: { attributes: { color: 'red' } },
  },
  'validation-rules.update': { path: '/v1/validation-rules/val_2' },
  'projects.update': { path: '/management/v1/projects/PROJECT' },
}

const updating = endpoints.filter(({ method, body }) => method === 'PUT' && body !== undefined)

test('every update with a member that may be null has a line in the table, and no line is unused', () => {
  const clearing = updating.filter((endpoint) => nullable(endpoint).length > 0).map(({ id }) => id)

  expect(Object.keys(updates).toSorted()).toEqual(clearing.toSorted())
})

describe.each(
  updating.filter(({ id }) => Object.hasOwn(updates, id)).map((endpoint) => [endpoint.id, endpoint] as const),
)('%s', (id, endpoint) => {
  const { path, shownAt = path, sets = {}, keeps = [] } = updates[id] as (typeof updates)[string]
  const members = nullable(endpoint).filter((name) => !keeps.includes(name))

  test.each(members)('clears %s with null', (name) => {
    const { read, update } = bare(path, shownAt)
    const shown = name === 'referrer' ? 'referrer_id' : name
    const before = read()[shown]

    const set = update({ ...needs[name], [name]: sets[name] ?? values[name] })
    const filled = read()[shown]
    const cleared = update({ [name]: null })

    expect([set.status, set.body.details, cleared.status, cleared.body.details]).toEqual([
      200,
      undefined,
      200,
      undefined,
    ])
    expect(filled).not.toEqual(before)
    expect(read()[shown]).toEqual(before)
  })
})

// The embedded service refuses to set them.
const unsupported = [
  'loyalty_tier',
  'stock',
  'validation_rules',
  'webhooks_callout_notifications',
  'api_usage_notifications',
]

/** The members of a body that may be null and can be set. */
function nullable({ body }: Endpoint): string[] {
  const { properties = {} } = z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' })
  const isRefused = (name: string) =>
    (body as z.ZodType).safeParse({ [name]: null }).error?.issues.some(({ path }) => path[0] === name) ?? false
  return Object.keys(properties).filter((name) => !unsupported.includes(name) && !isRefused(name))
}

/** A shop whose objects have nothing but what they must have, and the calls for one of them. */
function bare(asked: string, shownAt: string) {
  const sandbox = openShop({
    campaigns: [
      { ...campaign, id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS' },
      { ...campaign, id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM' },
      { ...campaign, id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION' },
    ],
    categories: [{ id: 'cat_1', name: 'Seldom', hierarchy: 1 }],
    customers: [
      { id: 'cust_ada', source_id: 'ada' },
      { id: 'cust_bo', source_id: 'bo' },
    ],
    products: [{ source_id: 'mug' }, { id: 'prod_beans', source_id: 'beans' }],
    skus: [{ source_id: 'large', product_id: 'mug' }],
    orders: [{ id: 'ord_1', status: 'CREATED', metadata: {} }],
    earning_rules: [
      { id: 'ern_1', campaign_id: 'camp_club', event: 'order.paid', loyalty: { type: 'FIXED', points: 1 } },
    ],
    validation_rules: [
      { id: 'val_1', name: 'Any', rules },
      { id: 'val_2', name: 'None' },
    ],
  })
  const { id } = sandbox.post('/v1/templates/campaigns', { name: 'T', promotion_tier_id: 'promo_1' }).body
  const at = (path: string) => path.replace('TEMPLATE', id).replace('PROJECT', sandbox.project.id)
  const headers = asked.startsWith('/management/') ? managementHeaders(sandbox) : {}
  return {
    read: () => sandbox.call('GET', at(shownAt), { headers }).body,
    update: (body: object) => sandbox.call('PUT', at(asked), { body, headers }),
  }
}
