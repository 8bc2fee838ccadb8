// The commands that resources are made of: each is created, read, changed, listed and deleted through its own commands.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { allCommands } from '../support/promo.ts'
import { type Asked, scriptedServer } from '../support/scripted-server.ts'

let service: TestProjects
let project: TestProject
/** Ids that the command lines below refer to. */
const ids: Record<string, string> = {}

beforeAll(begin)

/** Starts a service with the demo project. */
async function begin() {
  service = await testProjects()
  project = service.first
  const club = await project.call('GET', '/v1/campaigns/Bean%20Club')
  const terrace = await project.call('GET', '/v1/campaigns/Terrace%20season')
  const { tiers } = await project.call('GET', '/v1/promotions/tiers')
  const { id: product } = await project.call('GET', '/v1/products/house-blend')
  Object.assign(ids, { club: club.id, terrace: terrace.id, tier: tiers[0].id, product })
}

afterAll(() => service.close())

interface Life {
  topic: string
  /** The words of what it is a part of. */
  within?: () => string[]
  create: () => string[]
  /** What the new one is like. */
  created: object
  update?: string[]
  updated?: object
  list?: false
  get?: false
  /** The parent is not named where one is changed or deleted. */
  isFound?: true
  switches?: true
  /** The name or source id that stays taken once it is deleted. */
  taken?: string
}

const lives: Life[] = [
  {
    topic: 'rules',
    create: () => ['--name', 'From 20', '--error', 'Too little', '--set', 'rules={}'],
    created: { name: 'From 20', error: { message: 'Too little' } },
    update: ['--error', 'More'],
    updated: { name: 'From 20', error: { message: 'More' } },
  },
  {
    topic: 'rewards',
    create: () => ['--name', 'Cup', '--type', 'MATERIAL', '--description', 'White'],
    created: { name: 'Cup', type: 'MATERIAL', attributes: { description: 'White' } },
    update: ['--name', 'Big cup', '--set', 'metadata.size=2'],
    updated: { name: 'Big cup', metadata: { size: 2 } },
  },
  {
    topic: 'rewards',
    create: () => ['--name', 'Coins', '--points-ratio', '1', '--exchange-ratio', '0.05'],
    created: { name: 'Coins', type: 'COIN', parameters: { coin: { points_ratio: 1, exchange_ratio: 0.05 } } },
  },
  {
    topic: 'loyalty earning-rules',
    within: () => [ids.club as string],
    create: () => ['--event', 'order.paid', '--set', 'loyalty.type=FIXED', '--points', '5', '--banner', 'Five'],
    created: { event: 'order.paid', active: true, loyalty: { points: 5 }, source: { banner: 'Five' } },
    update: ['--banner', 'Six'],
    updated: { source: { banner: 'Six' } },
    switches: true,
  },
  {
    topic: 'loyalty programs',
    create: () => ['--name', 'Tea/Club 1', '--points', '10', '--set', 'voucher.type=LOYALTY_CARD', '--no-auto-join'],
    created: { name: 'Tea/Club 1', campaign_type: 'LOYALTY_PROGRAM', auto_join: false },
    update: ['--description', 'For regulars'],
    updated: { description: 'For regulars' },
    taken: 'Tea/Club 1',
  },
  {
    topic: 'products',
    create: () => ['--name', 'Tea', '--source-id', 'tea 1/2', '--price', '650', '--attributes', 'weight,leaf'],
    created: { name: 'Tea', source_id: 'tea 1/2', price: 650, attributes: ['weight', 'leaf'] },
    update: ['--price', '700'],
    updated: { price: 700 },
    taken: 'tea 1/2',
  },
  {
    topic: 'skus',
    within: () => [ids.product as string],
    create: () => ['--name', 'Two kilos', '--source-id', 'two', '--price', '1', '--currency', 'EUR'],
    created: { sku: 'Two kilos', source_id: 'two', price: 1, currency: 'EUR' },
    update: ['--price', '2'],
    updated: { price: 2 },
    get: false,
    taken: 'two',
  },
  {
    topic: 'products collections',
    create: () => ['--name', 'Everything', '--type', 'AUTO_UPDATE', '--set', 'filter={}'],
    created: { name: 'Everything', type: 'AUTO_UPDATE' },
    update: ['--name', 'All'],
    updated: { name: 'All' },
  },
  {
    topic: 'categories',
    create: () => ['--name', 'Clearance', '--hierarchy', '7'],
    created: { name: 'Clearance', hierarchy: 7 },
    update: ['--name', 'Sale', '--hierarchy', '8'],
    updated: { name: 'Sale', hierarchy: 8 },
  },
  {
    topic: 'promotions tiers',
    within: () => [ids.terrace as string],
    create: () => ['--name', 'Ten', '--percent-off', '10', '--no-active'],
    created: { name: 'Ten', active: false, action: { discount: { type: 'PERCENT', percent_off: 10 } } },
    update: ['--banner', 'Ten percent'],
    updated: { banner: 'Ten percent' },
    list: false,
    get: false,
    isFound: true,
  },
  {
    topic: 'promotions stacks',
    within: () => [ids.terrace as string],
    create: () => ['--name', 'One', '--tiers', ids.tier as string],
    created: { name: 'One' },
    update: ['--name', 'Just one'],
    updated: { name: 'Just one' },
    list: false,
  },
  {
    topic: 'segments',
    create: () => ['--name', 'Guests', '--type', 'static', '--body', '{"customers":[]}'],
    created: { name: 'Guests', type: 'static' },
  },
  {
    topic: 'metadata schemas',
    create: () => ['--object', 'publication', '--defined-only'],
    created: { related_object: 'publication', allow_defined_only: true },
    update: ['--no-defined-only'],
    updated: { allow_defined_only: false },
    list: false,
  },
  {
    topic: 'events schemas',
    create: () => ['--name', 'page_read'],
    created: { name: 'page_read' },
    update: ['--set', 'schema.properties.minutes={"type":"number"}'],
    updated: { schema: { properties: { minutes: { type: 'number' } } } },
  },
]

describe.each(lives)('$topic', (life) => {
  const { topic, within = () => [], create, created, update, updated, list, get, isFound, switches, taken } = life
  const run = async (verb: string, ...words: string[]) => {
    const { exitCode, stdout, stderr } = await project.promo([...topic.split(' '), verb, ...words, '--json'])
    return { exitCode, stderr, value: stdout === '' ? undefined : JSON.parse(stdout) }
  }
  const undo = async (...[first = '', ...words]: string[]) => {
    const id = words.find((word) => !word.startsWith('--')) ?? 'latest'
    return await project.promo(['history', 'undo', id, first, ...words.filter((word) => word !== id)])
  }

  test('one is created, read, changed, listed and deleted', async () => {
    const planned = await run('create', ...within(), ...create(), '--dry-run')
    const made = await run('create', ...within(), ...create())
    expect([planned.exitCode, planned.value?.length, made.exitCode, made.stderr]).toEqual([0, 1, 0, expect.any(String)])
    expect(made.value).toMatchObject(created)
    const { id } = made.value
    const one = isFound ? [id] : [...within(), id]

    if (list !== false) {
      const { value } = await run('list', ...within())
      expect(value.map((row: { id: string }) => row.id)).toContain(id)
    }
    if (get !== false) expect((await run('get', ...one)).value).toMatchObject(created)
    if (update !== undefined) {
      expect((await run('update', ...one, ...update)).value).toMatchObject(updated as object)
      const undone = await undo('--yes', '--json')
      expect([undone.exitCode, undone.stderr]).toEqual([0, expect.not.stringContaining('left alone')])
      expect(JSON.parse(undone.stdout).length).toBeGreaterThan(0)
    }
    if (switches) {
      expect((await run('disable', ...one)).value).toMatchObject({ active: false })
      await undo('--yes')
      expect((await run('get', ...one)).value).toMatchObject({ active: true })
    }
    const asked = await project.promo([...topic.split(' '), 'delete', ...one], { stdin: '' })
    const removed = await run('delete', ...one, '--yes')
    const kept = await undo('--yes')

    expect(asked).toEnd(11, 'delete ')
    expect(removed.exitCode).toBe(0)
    if (get !== false) expect((await run('get', ...one)).exitCode).toBe(3)
    expect(kept).toEnd(2, `try: promo ${topic} create`)
  })

  test('one that is as it was created is deleted by the undo of that, and left where it was changed since', async () => {
    const words = create().map((word) => (word === taken ? `${word} again` : word))
    const { value: made } = await run('create', ...within(), ...words)
    const [{ id: creation }] = JSON.parse((await project.promo('history --json --limit 1')).stdout)
    const one = isFound ? [made.id] : [...within(), made.id]
    const change = update === undefined ? undefined : await run('update', ...one, ...update)
    const changed = change && (await undo('--yes', '--json', creation))
    if (change) await undo('--yes')

    const undone = await undo('--yes', '--json', creation)

    const byHand = topic === 'loyalty programs'
    if (changed) expect([changed.exitCode, changed.stderr]).toEqual([byHand ? 2 : 3, expect.any(String)])
    expect([undone.exitCode, undone.stderr]).toEqual([byHand ? 2 : 0, expect.any(String)])
    expect((await run('delete', ...one, '--yes')).exitCode).toBe(byHand ? 0 : 3)
  })
})

describe('--if-exists', () => {
  test.each([
    ['categories', ['--name', 'Twice', '--hierarchy', '3'], ['--name', 'Twice', '--hierarchy', '9'], { hierarchy: 9 }],
    ['events schemas', ['--name', 'twice'], ['--name', 'twice', '--set', 'schema.properties={}'], { name: 'twice' }],
    [
      'loyalty programs',
      ['--name', 'Twice', '--points', '1', '--set', 'voucher.type=LOYALTY_CARD'],
      ['--name', 'Twice', '--points', '1', '--set', 'voucher.type=LOYALTY_CARD', '--description', 'Again'],
      { description: 'Again' },
    ],
  ])('of %s refuses, reuses or updates the one of that name', async (topic, first, again, changed) => {
    const create = async (...words: string[]) =>
      await project.promo([...topic.split(' '), 'create', ...words, '--json'])
    const { stdout } = await create(...first)
    const { id } = JSON.parse(stdout)

    const refused = await create(...again)
    const reused = await create(...again, '--if-exists', 'reuse')
    const updated = await create(...again, '--if-exists', 'update')

    expect([refused.exitCode, JSON.parse(reused.stdout).id]).toEqual([3, id])
    expect(reused.stderr).toContain('already exists; nothing was created')
    expect(JSON.parse(updated.stdout)).toMatchObject({ id, ...changed })
    const undone = await project.promo('history undo latest --yes --json')
    const members = Object.keys(changed).filter((name) => name !== 'name')
    const restored = undone.exitCode === 0 ? JSON.parse(undone.stdout) : []
    expect(restored.map(({ member }: { member: string }) => member)).toEqual(members)
  })
})

test('a flag of a member is checked by the contract, and --set adds to it', async () => {
  const wrong = await project.promo('products create --name X --price 9.90')
  const body = '{"name":"Y","price":5}'
  const words = ['products', 'create', '--name', 'X', '--set', 'metadata.a=1', '--body', body, '--dry-run', '--json']
  const both = await project.promo(words)

  expect(wrong).toEnd(2, 'smallest unit of the currency: 990')
  expect(JSON.parse(both.stdout)[0].body).toEqual({ name: 'X', price: 5, metadata: { a: 1 } })
})

test('a rule is assigned, listed and unassigned', async () => {
  const { id } = await project.call('POST', '/v1/validation-rules', { name: 'Any', rules: {} })
  const run = async (...words: string[]) => await project.promo(['rules', ...words])

  const made = JSON.parse((await run('assign', id, '--campaign', ids.club as string, '--json')).stdout)
  const twice = await run('assign', id, '--campaign', ids.club as string)
  const listed = JSON.parse((await run('assignments', 'list', '--rule', id, '--json')).stdout)
  const removed = await run('unassign', id, made.id, '--yes')
  const none = JSON.parse((await run('assignments', 'list', '--rule', id, '--json')).stdout)

  expect(made).toMatchObject({ rule_id: id, related_object_type: 'campaign', related_object_id: ids.club })
  expect([twice.exitCode, removed.exitCode]).toEqual([3, 0])
  expect([listed, none]).toEqual([[made], []])
})

test('a reward is offered in a program, gets another price, and is withdrawn', async () => {
  const { id } = await project.call('POST', '/v1/rewards', { name: 'Spoon', type: 'MATERIAL', parameters: {} })
  const run = async (...words: string[]) => await project.promo(['loyalty', 'rewards', ...words])
  const club = ids.club as string

  const offer = JSON.parse((await run('offer', club, id, '--points', '30', '--json')).stdout)
  const dearer = JSON.parse((await run('reprice', club, offer.id, '--points', '40', '--json')).stdout)
  const withdrawn = await run('withdraw', club, offer.id, '--yes')

  expect(offer).toMatchObject({ reward_id: id, parameters: { loyalty: { points: 30 } } })
  expect(dearer).toMatchObject({ id: offer.id, parameters: { loyalty: { points: 40 } } })
  expect(withdrawn.exitCode).toBe(0)
})

test('a project is shown without its secrets, changed, and deleted by its id alone', async () => {
  const other = await service.another()

  const shown = await other.promo('projects get --json')
  const changed = await other.promo('projects update --timezone Europe/Warsaw --json')
  const unnamed = await other.promo('projects delete --yes')
  const deleted = await other.promo(`projects delete ${other.id} --yes`)
  const gone = await other.promo('projects get')

  expect(JSON.parse(shown.stdout)).toMatchObject({ id: other.id })
  for (const { stdout } of [shown, changed]) expect(stdout).not.toMatch(/webhook_token|app_token/)
  expect(JSON.parse(changed.stdout)).toMatchObject({ timezone: 'Europe/Warsaw' })
  expect([unnamed.exitCode, deleted.exitCode, gone.exitCode]).toEqual([2, 0, 3])
})

test('stacking rules are the defaults until some are set, and keep what is not named', async () => {
  const other = await service.another()
  const run = async (...words: string[]) => await other.promo(['projects', 'stacking', ...words, '--json'])

  const none = await run('get')
  const first = await run('set', '--limit', '10')
  const second = await run('set', '--application', 'PARTIAL')
  const shown = await run('get')

  expect(none).toEnd(0, 'the defaults of the service apply')
  expect(JSON.parse(none.stdout)).toMatchObject({ redeemables_limit: 30, redeemables_application_mode: 'ALL' })
  expect([first.exitCode, second.exitCode]).toEqual([0, 0])
  expect(JSON.parse(shown.stdout)).toMatchObject({ redeemables_limit: 10, redeemables_application_mode: 'PARTIAL' })
})

describe('promotions tiers move', () => {
  let other: TestProject
  const tiers: Record<string, string> = {}
  const move = async (tier: string, ...words: string[]) =>
    await other.promo(['promotions', 'tiers', 'move', tiers[tier] as string, ...words, '--json'])
  const named = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout).map(({ name, hierarchy }: { name: string; hierarchy: number }) => `${name} ${hierarchy}`)
  const order = async () => {
    const { id } = await other.call('GET', '/v1/campaigns/Lunch')
    return named({ stdout: JSON.stringify((await other.call('GET', `/v1/promotions/${id}/tiers`)).tiers) })
  }

  beforeEach(async () => {
    other = await service.another()
    const { id } = await other.call('POST', '/v1/campaigns', { name: 'Lunch', campaign_type: 'PROMOTION' })
    const action = { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' } }
    for (const [name, hierarchy] of [
      ['a', 1],
      ['b', 5],
      ['c', 5],
      ['d', 9],
    ] as const) {
      tiers[name] = (await other.call('POST', `/v1/promotions/${id}/tiers`, { name, action, hierarchy })).id
    }
  })

  test.each([
    ['d', () => ['--first'], ['d 1', 'a 5', 'b 6', 'c 9']],
    ['a', () => ['--last'], ['b 1', 'c 5', 'd 6', 'a 9']],
    ['a', () => ['--before', tiers.c as string], ['b 1', 'a 5', 'c 6', 'd 9']],
    ['d', () => ['--after', tiers.a as string], ['a 1', 'd 5', 'b 6', 'c 9']],
  ])('shows the tiers in their new order, each with a number of its own: %s', async (tier, words, expected) => {
    const ran = await move(tier, ...words())

    expect([ran.exitCode, named(ran)]).toEqual([0, expected])
    expect(await order()).toEqual(expected)
  })

  test('sends nothing when the tier has its place, and nothing in a dry run', async () => {
    await move('d', '--last')
    const before = await order()

    const again = await move('d', '--last')
    const planned = await move('d', '--first', '--dry-run')

    expect(again).toEnd(0, 'nothing was sent')
    expect(JSON.parse(planned.stdout).map(({ method }: { method: string }) => method)).toEqual(['GET', 'GET', 'PUT'])
    expect(await order()).toEqual(before)
  })

  test('refuses a neighbour of another campaign, the tier itself, and two places at once', async () => {
    const before = await order()

    const strange = await move('d', '--before', ids.tier as string)
    const itself = await move('d', '--after', tiers.d as string)
    const both = await move('d', '--first', '--last')

    expect([strange.exitCode, itself.exitCode, both.exitCode]).toEqual([3, 2, 2])
    expect(strange.stderr).toContain('is not in the campaign of')
    expect(await order()).toEqual(before)
  })

  test('is completed by the same command line after a call that the service refuses', async () => {
    await using fault = await scriptedServer(async ({ method, url, headers, body }) => {
      if (method === 'PUT' && url.endsWith(tiers.a as string)) return { do: 'answer', status: 400, body: { code: 400 } }
      const head = { 'x-app-id': String(headers['x-app-id']), 'x-app-token': String(headers['x-app-token']) }
      const type = { 'content-type': 'application/json' }
      const sent = await fetch(`${service.sandbox.url}${url}`, {
        method,
        headers: { ...head, ...type },
        ...(body !== '' && { body }),
      })
      return { do: 'answer', status: sent.status, body: await sent.json() }
    })

    const cut = await other.promo(['promotions', 'tiers', 'move', tiers.d as string, '--first'], {
      env: { PROMO_BASE_URL: fault.origin },
    })
    const between = (await order()).map((one: string) => one.charAt(0)).filter((name: string) => name !== 'd')
    const completed = await move('d', '--first')

    expect(cut).toEnd(3, '2 of 4 promotion tiers have their new number; the same command line completes the move')
    expect(between).toEqual(['a', 'b', 'c'])
    expect(named(completed).map((one: string) => one.charAt(0))).toEqual(['d', 'a', 'b', 'c'])
  })
})

/** A proxy before the service, through which answers to writes are lost, once the service did what they ask for. */
const losing = async (isLost: (asked: Asked) => boolean = () => true) =>
  await scriptedServer(async (asked) => {
    const { method, url, headers, body } = asked
    const keys = Object.entries(headers).filter(([name]) => /^x-(app|management)-|^content-type$/.test(name))
    const sent = await fetch(`${service.sandbox.url}${url}`, {
      method,
      headers: keys as [string, string][],
      ...(body !== '' && { body }),
    })
    const text = await sent.text()
    return method === 'POST' && isLost(asked) ? { do: 'reset' } : { do: 'text', status: sent.status, text }
  })

/** Creations that are declared one by one. */
const others: (Pick<Life, 'topic' | 'within' | 'create' | 'created'> & { says?: string })[] = [
  {
    topic: 'loyalty rewards offer',
    create: () => [ids.club as string, ids.reward as string, '--points', '70'],
    created: { parameters: { loyalty: { points: 70 } } },
  },
  {
    topic: 'loyalty tiers create',
    create: () => [ids.club as string, '--name', 'Platinum', '--min', '5000'],
    created: { name: 'Platinum', points: { from: 5000 } },
  },
  {
    topic: 'templates create',
    create: () => ['Early', '--tier', ids.tier as string],
    created: { name: 'Early' },
  },
  {
    topic: 'templates setup-tier',
    create: () => [ids.template as string, '--campaign', ids.terrace as string, '--name', 'Set up'],
    created: { promotion_tier: { name: 'Set up' } },
  },
  {
    topic: 'rules assign',
    create: () => [ids.rule as string, '--campaign', ids.terrace as string],
    created: { related_object_type: 'campaign' },
  },
  {
    topic: 'projects create',
    create: () => ['Second', '--yes'],
    created: { name: 'Second' },
    says: 'its keys were in the lost answer',
  },
  {
    topic: 'campaigns create',
    create: () => ['--name', 'Lost', '--percent-off', '10', '--count', '3', '--expires', '2027-05-31'],
    created: { name: 'Lost', voucher: { discount: { percent_off: 10 } } },
  },
  {
    topic: 'templates setup-campaign',
    create: () => [ids.template as string, '--name', 'Set up', '--set', 'vouchers_count=2'],
    created: { campaign: { name: 'Set up' } },
  },
  {
    topic: 'customers create',
    create: () => ['--set', 'name=A guest', '--set', 'metadata.table=4'],
    created: { name: 'A guest', metadata: { table: 4 } },
  },
]

describe('a lost answer', () => {
  const creations = [...lives.map((life) => ({ ...life, topic: `${life.topic} create`, says: '' })), ...others]

  beforeAll(async () => {
    // What was deleted above keeps its name in the bin.
    await service.close()
    await begin()
    const { id: reward } = await project.call('POST', '/v1/rewards', { name: 'Bag', type: 'MATERIAL', parameters: {} })
    const { id: rule } = await project.call('POST', '/v1/validation-rules', { name: 'Assigned', rules: {} })
    const body = { name: 'Of a tier', promotion_tier_id: ids.tier }
    const { id: template } = await project.call('POST', '/v1/templates/campaigns', body)
    Object.assign(ids, { reward, rule, template })
  })

  test.each(creations)(
    'to $topic is replaced by what the list shows',
    async ({ topic, within = () => [], create, created, says = '' }) => {
      let lost = 0
      await using proxy = await losing(() => {
        lost += 1
        return lost === 1
      })
      const argv = [...topic.split(' '), ...within(), ...create(), '--json']

      const ran = await project.promo(argv, { env: { PROMO_BASE_URL: proxy.origin } })

      expect(ran).toEnd(0, 'the answer was lost, but a later one shows')
      expect(ran.stderr).toContain(says)
      expect(JSON.parse(ran.stdout)).toMatchObject(created)
    },
  )

  test('is looked for by every command that creates and may not create twice', async () => {
    const creating = (await allCommands()).filter(({ Class }) => {
      const { kind, calls } = Class as unknown as { kind?: string; calls?: Endpoint[] }
      return kind === 'write' && calls?.[0]?.repeat === 'reconcile'
    })

    const walked = new Set(creations.map(({ topic }) => topic))
    expect(creating.length).toBeGreaterThan(10)
    expect(creating.map(({ id }) => id.replaceAll(':', ' ')).filter((id) => !walked.has(id))).toEqual([])
  })
})
