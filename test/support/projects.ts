// Several projects in one embedded service, each with a runner of its own: what is copied from one to another.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningSandbox } from '../../src/sandbox/embedded.ts'
import { type CommandLine, promoIn, type Ran, type RunOptions, temporaryFolder } from './promo.ts'
import { startTestSandbox } from './sandbox.ts'

export interface TestProject {
  id: string
  /** What a profile of this project has in the environment. */
  env: Record<string, string>
  promo: (line: CommandLine, options?: RunOptions) => Promise<Ran>
  /** Calls the service with the keys of the project; the path of a management call is that below the project. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body, and asserts what it expects.
  call: (method: string, path: string, body?: unknown) => Promise<any>
}

export interface TestProjects {
  sandbox: RunningSandbox
  /** The first project, with the demo data unless asked otherwise. */
  first: TestProject
  /** Makes an empty project. */
  another: () => Promise<TestProject>
  close: () => Promise<void>
}

/** Starts a service in memory. The caller closes it. `through` is the address that the projects are called at. */
export async function testProjects({
  demo = true,
  through,
}: {
  demo?: boolean
  through?: string
} = {}): Promise<TestProjects> {
  const sandbox = await startTestSandbox({ demo })
  const { credentials, url } = sandbox
  const management = {
    PROMO_MANAGEMENT_ID: credentials.management_id,
    PROMO_MANAGEMENT_TOKEN: credentials.management_token,
  }
  const projectOf = (id: string, app: { app_id: string; app_token: string }): TestProject => {
    const env = {
      PROMO_BASE_URL: through ?? url,
      PROMO_APP_ID: app.app_id,
      PROMO_APP_TOKEN: app.app_token,
      PROMO_PROJECT_ID: id,
      ...management,
    }
    const run = promoIn(temporaryFolder())
    return {
      id,
      env,
      promo: (line, options = {}) => run(line, { ...options, env: { ...env, ...options.env } }),
      async call(method, path, body) {
        const isManagement = !path.startsWith('/v1/')
        const headers: Record<string, string> = isManagement
          ? { 'x-management-id': credentials.management_id, 'x-management-token': credentials.management_token }
          : { 'x-app-id': app.app_id, 'x-app-token': app.app_token }
        const target = isManagement ? `/management/v1/projects/${id}${path}` : path
        const answer = await fetch(`${url}${target}`, {
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        const json = text === '' ? undefined : JSON.parse(text)
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
        return json
      },
    }
  }
  const first = projectOf(credentials.project_id, credentials)
  return {
    sandbox,
    first,
    async another() {
      const created = await fetch(`${url}/management/v1/projects`, {
        method: 'POST',
        headers: {
          'x-management-id': credentials.management_id,
          'x-management-token': credentials.management_token,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: 'Another' }),
      })
      const { id, server_side_key } = (await created.json()) as { id: string; server_side_key: typeof credentials }
      return projectOf(id, server_side_key)
    },
    close: () => sandbox.close(),
  }
}

/** A folder for the files of a project. */
export function projectFolder(): string {
  return join(temporaryFolder(), 'shop')
}

/** Fills a project with every kind of object that the service can create, and every member of each. */
export async function fillProject({ call }: TestProject): Promise<void> {
  await call('PUT', '', {
    description: 'Everything',
    timezone: 'Europe/Warsaw',
    currency: 'EUR',
    dial_code: '+48',
    client_trusted_domains: ['https://b.example', 'https://a.example'],
    client_redeem_enabled: true,
    default_code_config: { length: 5, charset: '0123456789', prefix: 'D-' },
  })
  await call('POST', '/metadata-schemas', {
    related_object: 'voucher',
    allow_defined_only: false,
    properties: { source: { type: 'string', optional: true }, weight: { type: 'number', optional: true } },
  })
  const event = await call('POST', '/custom-event-schemas', {
    name: 'page_read',
    schema: { properties: { minutes: { type: 'number', optional: true } } },
  })
  const seasonal = await call('POST', '/v1/categories', { name: 'Seasonal', hierarchy: 1 })
  const recovery = await call('POST', '/v1/categories', { name: 'Service recovery', hierarchy: 2 })
  const beans = await call('POST', '/v1/products', {
    source_id: 'beans',
    name: 'Beans',
    price: 890,
    attributes: ['weight', 'grind'],
    image_url: 'https://shop.example/beans.png',
    metadata: { roast: 'dark', 'with.dot': 1 },
  })
  const coffee = await call('POST', '/v1/product-collections', {
    name: 'Coffee',
    type: 'STATIC',
    products: [{ id: beans.id, object: 'product' }],
  })
  await call('POST', '/v1/product-collections', { name: 'Everything', type: 'AUTO_UPDATE', filter: {} })
  // Names that no address can have, and two that make one key: the younger one is referred to first.
  const odd = []
  for (const source_id of ['..', ' cup ', 'CUP', 'cup\n']) odd.push(await call('POST', '/v1/products', { source_id }))
  await call('POST', '/v1/product-collections', {
    name: 'Odd',
    type: 'STATIC',
    products: odd.toReversed().map(({ id }) => ({ id, object: 'product' })),
  })
  const segment = await call('POST', '/v1/segments', {
    name: 'Readers',
    type: 'auto-update',
    filter: { junction: 'AND', 'metadata.newsletter': { conditions: { $is: [true] } } },
  })
  const above = await call('POST', '/v1/validation-rules', {
    name: 'Same name',
    rules: { 1: { name: 'order.amount', conditions: { $more_than: [2000] } }, logic: '1' },
    error: { message: 'From 20' },
  })
  const nested = await call('POST', '/v1/validation-rules', {
    name: 'Same name',
    rules: {
      1: { name: 'customer.segment', conditions: { $is: [segment.id] }, rules: {} },
      2: { name: 'order.amount', conditions: { $less_than: [90000] } },
      logic: '1 and 2',
    },
  })
  await call('POST', '/v1/validation-rules', {
    name: 'Of coffee',
    rules: {},
    applicable_to: {
      included: [
        { object: 'products_collection', id: coffee.id },
        { object: 'product', id: beans.id, effect: 'APPLY_TO_CHEAPEST' },
      ],
      excluded: [],
      included_all: false,
    },
  })
  const mug = await call('POST', '/v1/rewards', {
    name: 'Mug',
    type: 'MATERIAL',
    parameters: {},
    attributes: { description: 'Enamel', image_url: 'https://shop.example/mug.png' },
    metadata: { colour: 'white' },
  })
  const coins = await call('POST', '/v1/rewards', {
    name: 'Pay with points',
    type: 'COIN',
    parameters: { coin: { exchange_ratio: 0.05, points_ratio: 1 } },
  })
  const window = {
    start_date: '2027-01-01T00:00:00.000Z',
    expiration_date: '2027-12-31T00:00:00.000Z',
    validity_timeframe: { duration: 'PT1H', interval: 'P2D' },
    validity_day_of_week: [5, 1],
  }
  const charset = 'ABCDEFGH'
  await call('POST', '/v1/campaigns', {
    name: 'Coupons',
    description: 'All members',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'AUTO_UPDATE',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 20, effect: 'APPLY_TO_ORDER' },
      redemption: { quantity: 1 },
      code_config: { pattern: 'C-##-##', charset },
    },
    ...window,
    activity_duration_after_publishing: 'P30D',
    category_id: seasonal.id,
    metadata: { source: 'mail' },
    auto_join: false,
    join_once: true,
    validation_rules: [above.id],
  })
  const off = await call('POST', '/v1/campaigns', {
    name: 'Switched off',
    campaign_type: 'GIFT_VOUCHERS',
    type: 'STATIC',
    active: false,
    voucher: {
      type: 'GIFT_VOUCHER',
      gift: { amount: 5000, effect: 'APPLY_TO_ORDER' },
      code_config: { length: 7, charset, postfix: '-X' },
    },
  })
  await call('POST', '/v1/campaigns', {
    name: 'Beans on top',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'STATIC',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'UNIT', unit_off: 1, unit_type: beans.id, effect: 'ADD_NEW_ITEMS' },
      code_config: { length: 7, charset },
    },
  })
  const club = await call('POST', '/v1/campaigns', {
    name: 'Club',
    campaign_type: 'LOYALTY_PROGRAM',
    type: 'AUTO_UPDATE',
    auto_join: true,
    voucher: {
      type: 'LOYALTY_CARD',
      loyalty_card: { points: 10 },
      code_config: { length: 8, charset, prefix: 'CLUB-' },
    },
  })
  const [euro] = await call('POST', `/v1/loyalties/${club.id}/earning-rules`, [
    {
      event: 'order.paid',
      loyalty: {
        type: 'PROPORTIONAL',
        calculation_type: 'ORDER_TOTAL_AMOUNT',
        order: { total_amount: { every: 100, points: 1 } },
      },
      source: { banner: 'A point for every euro' },
      validation_rule_id: nested.id,
      ...window,
      metadata: { weight: 2 },
    },
    { event: 'page_read', custom_event: { schema_id: event.id }, loyalty: { type: 'FIXED', points: 5 } },
    { event: 'page_read', custom_event: { schema_id: event.id }, loyalty: { type: 'FIXED', points: 7 }, active: false },
  ])
  await call('POST', `/v1/loyalties/${club.id}/rewards`, [
    { reward: mug.id, parameters: { loyalty: { points: 300 } } },
    { reward: coins.id },
  ])
  await call('POST', `/v1/loyalties/${club.id}/tiers`, [
    {
      name: 'Gold',
      points: { from: 500, to: 999 },
      earning_rules: { [euro.id]: { type: 'MULTIPLY', multiplier: 2 } },
      metadata: { colour: 'yellow' },
    },
  ])
  await call('POST', '/v1/rewards', {
    name: 'Gift card',
    type: 'CAMPAIGN',
    parameters: { campaign: { id: off.id, balance: 500 } },
  }).catch(() => undefined)
  await call('POST', '/v1/campaigns', {
    name: 'Friends',
    campaign_type: 'REFERRAL_PROGRAM',
    type: 'AUTO_UPDATE',
    voucher: {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ORDER' },
      code_config: { length: 6, charset },
    },
    referral_program: {
      conversion_event_type: 'redemption',
      referee_reward: { related_object_parent: { id: club.id }, type: 'LOYALTY_CARD', amount: 100 },
    },
  })
  const terrace = await call('POST', '/v1/campaigns', { name: 'Terrace', campaign_type: 'PROMOTION' })
  const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' }
  const tier = (name: string, hierarchy: number, more: object = {}) =>
    call('POST', `/v1/promotions/${terrace.id}/tiers`, { name, action: { discount }, hierarchy, ...more })
  const last = await tier('Twin', 9, { banner: 'Last', validation_rules: [above.id, nested.id] })
  const early = await tier('Twin', 3, {
    banner: 'First',
    ...window,
    category_id: recovery.id,
    metadata: { shelf: 'x' },
    active: false,
  })
  await call('POST', `/v1/promotions/${terrace.id}/tiers`, {
    name: 'Beans for two',
    hierarchy: 10,
    action: {
      discount: {
        type: 'UNIT',
        effect: 'ADD_MANY_ITEMS',
        units: [{ unit_off: 2, unit_type: beans.id, effect: 'ADD_NEW_ITEMS' }],
      },
    },
  })
  await call('POST', `/v1/promotions/${terrace.id}/stacks`, {
    name: 'Both',
    tiers: { ids: [last.id, early.id] },
    category_id: seasonal.id,
  })
  await call('POST', '/stacking-rules', {
    redeemables_limit: 10,
    exclusive_categories: [recovery.id],
    joint_categories: [seasonal.id],
    applicable_redeemables_category_limits: { [seasonal.id]: 2 },
    redeemables_application_mode: 'PARTIAL',
  })
  await call('POST', '/webhooks', {
    target_url: 'https://shop.example/hooks',
    events: ['voucher.loyalty_card.points_aded', 'campaign.created'],
    active: false,
  })
}

/** Writes a folder of files, and returns it. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const root = projectFolder()
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

/** Files of a few objects that need every act of a plan when they are created: two rules, codes, tiers, a program. */
export function smallShop(): string {
  const discount = '{discount: {type: PERCENT, percent_off: 10, effect: APPLY_TO_ORDER}}'
  return folderOf({
    'promo.yaml': 'format: 1\nkinds: [categories, rules, rewards, campaigns]\n',
    'categories/seasonal.yaml': 'name: Seasonal\nhierarchy: 1\n',
    'rules/twin.yaml': 'name: Twin\nrules: {}\n',
    'rules/twin-2.yaml': 'name: Twin\nrules: {}\nerror: {message: Second}\n',
    'rewards/mug.yaml': 'name: Mug\ntype: MATERIAL\nparameters: {}\n',
    'campaigns/spring.yaml':
      'name: Spring\ncampaign_type: GIFT_VOUCHERS\nvoucher: {type: GIFT_VOUCHER, gift: {amount: 500, effect: APPLY_TO_ORDER}}\n' +
      'category_id: seasonal\nvalidation_rules: [twin, twin-2]\ngenerate: 3\n',
    'campaigns/terrace.yaml': `name: Terrace\ncampaign_type: PROMOTION\ntiers:\n  - {key: first, name: First, action: ${discount}, validation_rules: [twin]}\n`,
    'campaigns/club.yaml':
      'name: Club\ncampaign_type: LOYALTY_PROGRAM\nvoucher: {type: LOYALTY_CARD, loyalty_card: {points: 0}}\n' +
      'earning_rules:\n  one: {event: order.paid, loyalty: {type: FIXED, points: 5}}\n  two: {event: order.paid, loyalty: {type: FIXED, points: 5}}\n' +
      'offers:\n  mug: {parameters: {loyalty: {points: 300}}}\n',
  })
}
