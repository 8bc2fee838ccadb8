// Every member that files can hold, changed alone: the plan names that member and no other, and once applied nothing is left to do.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as yaml from 'yaml'
import { kindAt } from '../../src/config/addresses.ts'
import type { FileObject } from '../../src/config/file-objects.ts'
import { readFolder } from '../../src/config/folder.ts'
import { parseYaml } from '../../src/config/yaml-file.ts'
import { kinds } from '../../src/model/kinds.ts'
import { Reference } from '../../src/model/value.ts'
import { fillProject, projectFolder, type TestProject, type TestProjects, testProjects } from '../support/projects.ts'

let service: TestProjects
let project: TestProject
let root: string

beforeAll(async () => {
  service = await testProjects({ demo: false })
  project = await service.another()
  await fillProject(project)
  root = projectFolder()
  await project.promo(`config pull ${root}`)
})

afterAll(() => service.close())

/** The values that a member takes one after the other; undefined takes it out of the file. */
type Values = readonly unknown[]

const validity = {
  start_date: ['2027-02-01T00:00:00.000Z'],
  expiration_date: ['2028-01-31T00:00:00.000Z', undefined],
  validity_timeframe: [{ duration: 'PT2H', interval: 'P3D' }, undefined],
  validity_day_of_week: [[0, 6], undefined],
  validity_hours: [{ daily: [{ start_time: '09:00', expiration_time: '17:00', days_of_week: [1] }] }, undefined],
} satisfies Record<string, Values>

/** What the steps that assign rules change; all others name it themselves. */
const ruled = 'validation_rules'

// What a file did not have is taken out of it in the end, with everything else.
const flag = [true]
const categories = [['service-recovery', 'seasonal']]

/** By the address of an object, the members that are changed in its file. */
const changes: Record<string, Record<string, Values>> = {
  settings: {
    description: ['Less', undefined],
    timezone: ['Europe/Paris'],
    currency: ['USD', undefined],
    dial_code: ['+49', undefined],
    default_code_config: [
      { length: 6, charset: 'ABC', postfix: '-E' },
      { pattern: 'A-##', charset: 'ABC' },
    ],
    client_trusted_domains: [['https://c.example'], undefined],
    client_redeem_enabled: [undefined, true],
    client_publish_enabled: flag,
    client_list_vouchers_enabled: flag,
    client_create_customer_enabled: flag,
    client_loyalty_events_enabled: flag,
  },
  'metadata-schemas/voucher': {
    related_object: ['customer'],
    allow_defined_only: flag,
    properties: [{ source: { type: 'string', optional: true }, height: { type: 'number', optional: true } }],
  },
  'event-schemas/page-read': {
    name: ['page_seen'],
    'schema.properties': [{ minutes: { type: 'string', optional: true } }, {}],
  },
  'categories/seasonal': { name: ['Of the season'], hierarchy: [3] },
  'products/beans': {
    source_id: ['green-beans'],
    name: ['Green beans', undefined],
    price: [950, undefined],
    attributes: [['weight'], undefined],
    image_url: ['https://shop.example/green.png', undefined],
    metadata: [{ roast: 'light', 'with.dot': 1 }, { roast: 'light' }, undefined],
  },
  'product-collections/coffee': { name: ['Tea'], type: ['AUTO_UPDATE'], products: [[]] },
  'product-collections/everything': { filter: [{ junction: 'AND', name: { conditions: { $is: ['Beans'] } } }] },
  'segments/readers': {
    name: ['Subscribers'],
    type: ['passive'],
    filter: [{ junction: 'AND', 'metadata.newsletter': { conditions: { $is: [false] } } }],
  },
  'rules/same-name': {
    name: ['Own name'],
    rules: [
      { 1: { name: 'order.amount', conditions: { $more_than: [2500] } }, logic: '1' },
      { 1: { name: 'customer.segment', conditions: { $is: [new Reference('segments/readers')] } }, logic: '1' },
    ],
    bundle_rules: [
      {
        1: {
          name: 'order.items.any',
          conditions: { $is: [{ id: new Reference('products/beans'), type: 'product_or_sku', object: 'product' }] },
          rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [2] }, rules: {} }, logic: '1' },
        },
      },
      undefined,
    ],
    applicable_to: [
      { included: [{ object: 'product', id: new Reference('products/beans') }], excluded: [], included_all: false },
      undefined,
    ],
    error: [{ message: 'From 25' }, undefined],
    type: ['basic'],
    context_type: ['campaign.discount_coupons'],
  },
  'rewards/mug': {
    name: ['Cup'],
    type: ['COIN'],
    stock: [12],
    attributes: [{ description: 'Steel' }, undefined],
    metadata: [{ colour: 'red' }, undefined],
  },
  'rewards/pay-with-points': { parameters: [{ coin: { exchange_ratio: 0.05, points_ratio: 2 } }] },
  'campaigns/coupons': {
    name: ['Vouchers'],
    description: ['Some members', undefined],
    campaign_type: ['GIFT_VOUCHERS'],
    type: ['STATIC'],
    'voucher.type': ['GIFT_VOUCHER'],
    'voucher.discount': [{ type: 'PERCENT', percent_off: 25, effect: 'APPLY_TO_ORDER' }],
    'voucher.redemption': [{ quantity: 2 }, undefined],
    'voucher.code_config': [{ length: 9, charset: 'ABCDEFGH' }],
    'voucher.is_referral_code': [true],
    ...validity,
    activity_duration_after_publishing: ['P40D', undefined],
    active: [false, undefined],
    auto_join: [true],
    join_once: [false],
    use_voucher_metadata_schema: [false],
    category_id: ['service-recovery', undefined],
    metadata: [{ source: 'web' }, undefined],
    validation_rules: [['same-name-2'], ['same-name-2', 'of-coffee'], undefined],
  },
  'campaigns/beans-on-top': {
    'voucher.discount': [{ type: 'UNIT', unit_off: 2, unit_type: 'cup', effect: 'ADD_NEW_ITEMS' }],
  },
  'campaigns/terrace/tiers/beans-for-two': {
    action: [{ discount: { type: 'UNIT', unit_off: 2, unit_type: 'cup', effect: 'ADD_NEW_ITEMS' } }],
  },
  'campaigns/switched-off': {
    'voucher.gift': [{ amount: 6000, effect: 'APPLY_TO_ORDER' }],
    active: [undefined, false],
  },
  'campaigns/club': {
    'voucher.loyalty_card': [{ points: 20 }],
    loyalty_tiers_expiration: [{ qualification_type: 'BALANCE', expiration_date: { type: 'BALANCE_DROP' } }],
  },
  'campaigns/friends': {
    referral_program: [
      {
        conversion_event_type: 'redemption',
        referee_reward: { related_object_parent: { id: 'club' }, type: 'LOYALTY_CARD', amount: 200 },
      },
    ],
  },
  'campaigns/terrace/tiers/twin': {
    name: ['Own name'],
    banner: ['Least', undefined],
    action: [{ discount: { type: 'PERCENT', percent_off: 11, effect: 'APPLY_TO_ORDER' } }],
    ...validity,
    active: [false, undefined],
    category_id: ['seasonal', undefined],
    metadata: [{ shelf: 'y' }, undefined],
    validation_rules: [['of-coffee'], undefined],
  },
  'campaigns/terrace/stacks/both': {
    name: ['All'],
    tiers: [{ ids: ['twin-2', 'twin'] }],
    category_id: ['service-recovery', undefined],
  },
  'campaigns/club/earning_rules/a-point-for-every-euro': {
    event: ['order.created'],
    loyalty: [
      {
        type: 'PROPORTIONAL',
        calculation_type: 'ORDER_TOTAL_AMOUNT',
        order: { total_amount: { every: 200, points: 1 } },
      },
    ],
    'source.banner': ['Half a point', undefined],
    pending_points: [{ period_type: 'DAY', period_value: 7 }],
    expiration_rules: [{ period_type: 'MONTH', period_value: 3 }],
    ...validity,
    validation_rule_id: ['same-name', undefined],
    active: [false, undefined],
    metadata: [{ weight: 3 }, undefined],
    'segment.id': ['readers'],
    loyalty_tier: [{ id: 'gold' }],
  },
  'campaigns/club/earning_rules/page-read': { 'custom_event.schema_id': [{ id: 'ce_1' }] },
  'campaigns/club/offers/mug': { parameters: [{ loyalty: { points: 350 } }] },
  'campaigns/club/loyalty_tiers/gold': {
    name: ['Silver'],
    points: [{ from: 10, to: 999 }],
    earning_rules: [{}],
    rewards: [{ mug: { type: 'CUSTOM', points: 250 } }],
    metadata: [{ colour: 'gold' }],
  },
  'stacking-rules': {
    redeemables_limit: [12, undefined],
    applicable_redeemables_limit: [4],
    applicable_redeemables_per_category_limit: [2],
    applicable_redeemables_category_limits: [{ 'service-recovery': 2 }, undefined],
    applicable_exclusive_redeemables_limit: [2],
    applicable_exclusive_redeemables_per_category_limit: [2],
    exclusive_categories: categories,
    joint_categories: [['service-recovery'], undefined],
    no_effect_skip_categories: categories,
    no_effect_redeem_anyway_categories: categories,
    initial_amount_mode_categories: categories,
    discounted_amount_mode_categories: categories,
    redeemables_application_mode: ['ALL', 'PARTIAL'],
    redeemables_sorting_rule: ['CATEGORY_HIERARCHY'],
    redeemables_no_effect_rule: ['SKIP'],
    redeemables_products_application_mode: ['ONCE'],
    redeemables_rollback_order_mode: ['WITHOUT_ORDER'],
    discount_calculation_mode: ['INITIAL_AMOUNT'],
  },
  'webhooks/shop-example-hooks': {
    target_url: ['https://shop.example/events'],
    events: [['campaign.updated']],
    active: [true, false],
  },
}

/** Members that no row changes, and why. */
const exceptions: Record<string, string> = {
  'settings webhook_version': 'the embedded service has only one',
  'settings client_set_voucher_expiration_date_enabled': 'the embedded service refuses what has no effect in it',
  'settings webhooks_callout_notifications': 'the embedded service refuses what has no effect in it',
  'settings api_usage_notifications': 'the embedded service refuses what has no effect in it',
  'campaigns/tiers hierarchy': 'it is the place in the list, which the last test changes',
  'campaigns/offers reward_id': 'it is the key of the offer, and no file has it',
}

test('every member of every kind has a row or a reason', () => {
  const walked = Object.entries(changes).flatMap(([address, members]) =>
    Object.keys(members).map((member) => `${kindAt(address)?.name} ${member}`),
  )
  const declared = kinds.flatMap(({ name, members }) => Object.keys(members).map((member) => `${name} ${member}`))

  expect([...new Set([...walked, ...Object.keys(exceptions)])].toSorted()).toEqual(declared.toSorted())
})

interface Change {
  address: string
  member: string
  value: unknown
}

/** Changes members of objects in their files. */
async function change(round: readonly Change[]): Promise<void> {
  const { objects } = await readFolder(root, { profile: '', env: {} })
  for (const { address, member, value } of round) {
    const { file, at } = objects.get(address) as FileObject
    const path = join(root, file)
    const document = parseYaml(yaml, readFileSync(path, 'utf8'))
    const place = [...at, ...member.split('.')]
    if (value === undefined) document.deleteIn(place)
    else document.setIn(place, document.createNode(value))
    writeFileSync(path, document.toString())
  }
}

/** Whether a member is decided when the object is created. */
function isFixed(address: string, member: string): boolean {
  const kind = kindAt(address)
  const when = kind?.members[member]?.change
  const isUpdated = kind?.calls.update !== undefined
  return when === 'fixed' || (!isUpdated && when !== 'switch' && when !== 'rules')
}

/**
 * The changes in rounds, of which each changes one member of an object and is planned at once: the plan must tell them apart, and to
 * read the project for each change would take four times as long.
 */
function roundsOf(isMeant: (address: string, member: string) => boolean): Change[][] {
  const byObject = Object.entries(changes).map(([address, members]) =>
    Object.entries(members).flatMap(([member, values]) =>
      isMeant(address, member) ? values.map((value) => ({ address, member, value })) : [],
    ),
  )
  const count = Math.max(...byObject.map(({ length }) => length))
  return Array.from({ length: count }, (_, round) => byObject.flatMap((own) => own[round] ?? []))
}

/** The files as they are, to be written back. */
const filesOf = () =>
  globSync('**/*.yaml', { cwd: root }).map(
    (name) => [join(root, name), readFileSync(join(root, name), 'utf8')] as const,
  )
const restore = (files: ReturnType<typeof filesOf>) => {
  for (const [path, text] of files) writeFileSync(path, text)
}

test('the plan of a change of one member names it alone; nothing is left to do once it is applied', async () => {
  const files = filesOf()
  for (const round of roundsOf((address, member) => !isFixed(address, member))) {
    await change(round)

    const applied = await project.promo(`config apply ${root} --yes --json`)

    const steps = [...applied.stderr.matchAll(/^\d+\. (\w+) (\S+) \((.*)\)$/gm)].map(([, ...words]) => words)
    const named = steps.map(([act, object, members]) => `${object} ${act?.endsWith('assign') ? ruled : members}`)
    // What an apply leaves to do is named by the next one.
    expect([...new Set(named)].toSorted(), applied.stderr).toEqual(
      round.map(({ address, member }) => `${address} ${member}`).toSorted(),
    )
    expect(applied.exitCode, applied.stdout).toBe(0)
  }
  restore(files)

  const back = await project.promo(`config apply ${root} --yes`)
  const after = await project.promo(`config plan ${root} --exit-code --json`)

  expect([back.exitCode, back.stderr]).toEqual([0, expect.any(String)])
  expect([after.exitCode, after.stdout]).toEqual([0, '[]\n'])
})

test('a member that is decided when the object is created is refused by its name, and by no other', async () => {
  const files = filesOf()
  // Of the values of such a member the first says enough.
  const isFirst = ({ address, member, value }: Change) => changes[address]?.[member]?.[0] === value
  for (const round of roundsOf(isFixed)) {
    const tried = round.filter(isFirst)
    if (tried.length === 0) continue
    await change(tried)

    const { exitCode, stderr } = await project.promo(`config plan ${root}`)

    restore(files)
    const refused = [...stderr.matchAll(/^.*?(\S+): "(\S+)" cannot be changed/gm)].map(([, ...found]) =>
      found.join(' '),
    )
    expect(refused.toSorted(), stderr).toEqual(tried.map(({ address, member }) => `${address} ${member}`).toSorted())
    expect(exitCode).toBe(2)
  }
})

test('the order of tiers is that of the list, also with a new one among them', async () => {
  const path = join(root, 'campaigns/terrace.yaml')
  const document = parseYaml(yaml, readFileSync(path, 'utf8'))
  const tiers = document.get('tiers') as yaml.YAMLSeq
  const action = { discount: { type: 'PERCENT', percent_off: 1, effect: 'APPLY_TO_ORDER' } }
  tiers.items.reverse()
  tiers.items.splice(1, 0, document.createNode({ key: 'between', name: 'Between', action }))
  writeFileSync(path, document.toString())

  const applied = await project.promo(`config apply ${root} --yes`)
  const again = await project.promo(`config plan ${root} --exit-code --json`)

  const all = await project.call('GET', '/v1/promotions/tiers?order=hierarchy')
  expect(applied).toEnd(0, 'applied')
  expect([again.exitCode, again.stdout]).toEqual([0, '[]\n'])
  expect(all.tiers.map(({ name }: { name: string }) => name)).toEqual(['Beans for two', 'Between', 'Twin', 'Twin'])
})
