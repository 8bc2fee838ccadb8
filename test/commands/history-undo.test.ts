// How one change of the history is undone: by whom, where, and what of it is left alone. The life of each resource has its undo in
// resources.test.ts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Changing, changingCall, inverseCall } from '../../src/config/undo.ts'
import { endpoints } from '../../src/contract/catalogue.ts'
import { inverseOf, inverted } from '../../src/contract/inverses.ts'
import { kindNamed, kinds } from '../../src/model/kinds.ts'
import { doorTo } from '../support/door.ts'
import { type TestProject, type TestProjects, testProjects } from '../support/projects.ts'
import { allCommands, promoIn, temporaryFolder } from '../support/promo.ts'

let service: TestProjects
let project: TestProject

beforeAll(async () => {
  service = await testProjects({ demo: false })
  project = await service.another()
})

afterAll(() => service.close())

const undo = async (...words: string[]) => await project.promo(['history', 'undo', ...words])
/** The words of a command line in which no quote is within quotes. */
const shellWords = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
/** The id of the change that was recorded last. */
const latest = async () => JSON.parse((await project.promo('history --limit 1 --json')).stdout)[0].id
const made = async (...words: string[]) => JSON.parse((await project.promo([...words, '--json'])).stdout)
const category = async (name: string) => await made('categories', 'create', '--name', name, '--hierarchy', '1')

test('every call that writes has an inverse, or says why not', () => {
  const writes = endpoints.filter(({ repeat }) => repeat !== 'read')
  const known = new Set(endpoints.map(({ id }) => id))
  const [undone, byHand]: string[][] = [[], []]

  for (const endpoint of writes) {
    const inverse = inverseOf(endpoint)
    const changing = changingCall(endpoint)
    if (inverse === undefined)
      expect(changing?.act === 'delete' || (changing && inverseCall(changing)), endpoint.id).toBeTruthy()
    else if ('byHand' in inverse) expect(inverse.byHand, endpoint.id).toMatch(/^[a-z].{10,}[^.]$/)
    else expect(known, endpoint.id).toContain(inverse.call)
    ;(inverse !== undefined && 'byHand' in inverse ? byHand : undone)?.push(endpoint.id)
  }

  expect(Math.min(undone?.length ?? 0, byHand?.length ?? 0)).toBeGreaterThan(70)
  // No call is named that does not exist.
  expect(inverted.filter((id) => !known.has(id))).toEqual([])
})

test('every write of one call reads what it changes with a call that it declares', async () => {
  for (const { id, Class } of await allCommands()) {
    const { words, effect, calls } = Class
    const changing =
      calls === 'any' || effect !== 'write' || words ? [] : calls.flatMap((call) => changingCall(call) ?? [])
    for (const { act, kind } of changing) {
      if (act !== 'create')
        expect(calls, id).toContainEqual(expect.objectContaining({ id: (kind.calls.get ?? kind.calls.list).id }))
    }
  }
})

test('every kind of object says what is gone with a deleted one, unless nothing is', () => {
  const alone =
    'assignments campaigns/stacks event-schemas metadata-schemas product-collections rewards stacking-rules'.split(' ')
  const ends = [...new Set(endpoints.flatMap((call) => changingCall(call) ?? []))].filter(({ act }) => act === 'delete')

  expect(ends.length).toBeGreaterThan(10)
  expect(
    ends
      .filter(({ kind }) => kind.takes === undefined)
      .map(({ kind }) => kind.name)
      .toSorted(),
  ).toEqual(alone)
})

describe('history undo', () => {
  test('leaves alone what somebody changed since, by name, and restores the rest', async () => {
    const product = await made('products', 'create', '--name', 'Tea', '--price', '650', '--set', 'metadata.a=1')
    const change = ['--price', '700', '--name', 'Green tea', '--set', 'metadata.a=2', '--set', 'metadata.b=3']
    await made('products', 'update', product.id, ...change)
    await project.call('PUT', `/v1/products/${product.id}`, { name: 'Black tea', metadata: { b: 4, c: 5 } })

    const undone = await undo('latest', '--yes', '--json')
    const now = await project.call('GET', `/v1/products/${product.id}`)
    const again = await undo('latest', '--yes')

    expect(undone).toEnd(
      3,
      /^name of product "prod_\w+" was changed since, to "Black tea"; it is left alone$/m,
      /^metadata\.b of product .+ was changed since, to 4; it is left alone$/m,
    )
    expect(JSON.parse(undone.stdout)).toEqual([
      expect.objectContaining({ change: 'restore', member: 'price', before: 700, after: 650 }),
      expect.objectContaining({ change: 'restore', member: 'metadata.a', before: 2, after: 1 }),
      expect.objectContaining({ change: 'left alone', member: 'name' }),
      expect.objectContaining({ change: 'left alone', member: 'metadata.b' }),
    ])
    expect(now).toMatchObject({ price: 650, name: 'Black tea', metadata: { a: 1, b: 4, c: 5 } })
    expect(again).toEnd(3, 'nothing was sent')
  })

  test('removes a member that the change added, and is undone by its own id', async () => {
    const product = await made('products', 'create', '--name', 'Mug')
    await made('products', 'update', product.id, '--price', '900', '--set', 'metadata.size=2')

    const undone = await undo('latest', '--yes')
    const without = await project.call('GET', `/v1/products/${product.id}`)
    const [{ id }] = await made('history', '--limit', '1')
    await undo(id, '--yes')

    expect(undone.exitCode).toBe(0)
    expect(without).toMatchObject({ price: null, metadata: {} })
    expect(await project.call('GET', `/v1/products/${product.id}`)).toMatchObject({ price: 900, metadata: { size: 2 } })
  })

  test('deletes nothing that was there before it was created again, or in the place of something', async () => {
    const { id } = await made('products', 'create', '--source-id', 'shop-7', '--name', 'Tea')
    await made('products', 'create', '--source-id', 'shop-7', '--name', 'Green tea')
    const upserted = await undo('latest', '--yes')
    const rule = await made('rules', 'create', '--name', 'Any', '--set', 'rules={}')
    const campaign = await project.call('POST', '/v1/campaigns', { name: 'Leaves', campaign_type: 'PROMOTION' })
    await made('rules', 'assign', rule.id, '--campaign', campaign.id)
    await made('rules', 'assign', rule.id, '--campaign', campaign.id, '--force')
    const replaced = await undo('latest', '--yes')

    for (const { exitCode, stderr } of [upserted, replaced])
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/is not undone by promo: .*try: promo history/s)])
    expect(await project.call('GET', `/v1/products/${id}`)).toMatchObject({ name: 'Green tea' })
    expect(await project.call('GET', `/v1/validation-rules/${rule.id}/assignments`)).toMatchObject({ total: 1 })
  })

  test('shows the whole command that reverses a change of support', async () => {
    const desk = promoIn(temporaryFolder())
    const line = async (text: string) => await desk([...text.split(' '), '--yes', '--profile', 'sandbox'])
    const steps: (string | undefined)[] = []
    for (const text of [
      'loyalty points add CLUB-002 --points 50',
      'loyalty points remove CLUB-002 --points 20',
      'vouchers balance add GIFT-001 --amount 1050',
      'redemptions create BEANS10 --amount 4000',
      'vouchers disable MORNING',
      'vouchers update BEANS10 --expires 2027-05-01',
    ]) {
      expect(await line(text)).toMatchObject({ exitCode: 0 })
      const { stderr } = await desk(['history', 'undo', 'latest'])
      steps.push(/^promo: .* by promo: (.*\ntry: .*)$/m.exec(stderr)?.[1]?.replace(/ r_\w+$/, ' r_1'))
    }

    expect(steps).toEqual([
      'loyalty points remove reverses it\ntry: promo loyalty points remove --profile sandbox --points 50 CLUB-002',
      'loyalty points add reverses it\ntry: promo loyalty points add --profile sandbox --points 20 CLUB-002',
      'vouchers balance remove reverses it\ntry: promo vouchers balance remove --profile sandbox --amount 1050 GIFT-001',
      'redemptions rollback reverses it\ntry: promo redemptions rollback --profile sandbox r_1',
      'vouchers enable reverses it\ntry: promo vouchers enable --profile sandbox MORNING',
      'the values from before are not recorded\ntry: promo help vouchers update',
    ])
  })

  test('offers the changes that it undoes, and says what reverses the last where there is none', async () => {
    const desk = promoIn(temporaryFolder())
    const line = async (text: string) => await desk([...text.split(' '), '--yes', '--profile', 'sandbox'])
    const asked = async () =>
      await desk(['history', 'undo'], { terminal: { columns: 200 }, answers: [[/which change\?/, '\x03']] })
    await line('loyalty points add CLUB-002 --points 50')
    const none = await asked()
    await line('categories create --name Autumn --hierarchy 1')
    await line('vouchers disable MORNING')

    const { stderr } = await asked()

    expect(none).toEnd(2, 'none of the last 1 change is undone')
    expect(stderr).toMatch(/: categories create cat_\w+, \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(stderr).not.toMatch(/loyalty points add|vouchers disable/)
  })

  test.each([
    ['changed', 'PUT', '', { name: 'Winter', hierarchy: 5 }, 'was changed while promo asked'],
    ['used', 'POST', 'campaigns', { name: 'Later', campaign_type: 'PROMOTION' }, 'is in use: campaign '],
  ])('sends nothing when the object is %s while it asks', async (_, method, path, body, why) => {
    const { id } = await category('Autumn')
    const meanwhile = async () => {
      await project.call(method, `/v1/${path || `categories/${id}`}`, { ...body, ...(path && { category_id: id }) })
      return 'y\r'
    }
    const ran = await project.promo('history undo latest', {
      terminal: { columns: 400 },
      answers: [[/which is as it was created/, meanwhile]],
    })

    expect(ran).toEnd(3, why)
    expect(await project.call('GET', `/v1/categories/${id}`)).toMatchObject({
      name: body.name === 'Winter' ? 'Winter' : 'Autumn',
    })
  })

  test('asks with the values before and after, and sends nothing in a dry run', async () => {
    const { id } = await category('Sale')
    await made('categories', 'update', id, '--name', 'Clearance', '--hierarchy', '1')

    const asked = await undo('latest', '--verbose')
    const planned = await undo('latest', '--dry-run', '--json', '--verbose')
    const answered = await project.promo('history undo latest', {
      terminal: { columns: 400 },
      answers: [[/name "Clearance" → "Sale"/, 'n\r']],
    })

    expect(asked).toEnd(11, 'name "Clearance" → "Sale"')
    expect(JSON.parse(planned.stdout)).toEqual([
      expect.objectContaining({ method: 'PUT', body: { name: 'Sale', hierarchy: 1 } }),
    ])
    for (const { stderr } of [asked, planned]) expect(stderr).not.toMatch(/> (POST|PUT|DELETE)/)
    expect(answered.exitCode).toBe(11)
    expect(await project.call('GET', `/v1/categories/${id}`)).toMatchObject({ name: 'Clearance' })
  })

  test('goes where the change went: not to another project, not without the name of a protected profile', async () => {
    const folder = temporaryFolder()
    const run = promoIn(folder)
    const other = await service.another()
    const address = ['--base-url', service.sandbox.url, '--insecure-storage']
    const profile = (env: Record<string, string>, id: string, ...how: string[]) =>
      run(['profiles', 'add', 'live', '--project-id', id, ...address, ...how], { env })
    await profile(project.env, project.id, '--protected')
    const creation = ['categories', 'create', '--name', 'Mine', '--hierarchy', '1', '--profile', 'live']
    await run([...creation, '--yes', '--confirm', 'live'])

    const unnamed = await run('history undo latest --yes')
    await run('profiles remove live --yes')
    await profile(project.env, project.id, '--read-only')
    const readOnly = await run('history undo latest --yes')
    await run('profiles remove live --yes')
    await profile(other.env, other.id)
    const elsewhere = await run('history undo latest --yes')

    expect(unnamed).toEnd(11, '--confirm live')
    expect(readOnly).toEnd(4, 'only calls that read')
    expect(elsewhere).toEnd(9, 'another project')
    const { data } = await project.call('GET', '/v1/categories')
    expect(data.map(({ name }: { name: string }) => name)).toContain('Mine')
  })

  describe('of a creation is refused, by name, while something refers to it:', () => {
    const post = async (path: string, body: object) => await project.call('POST', path, body)
    const campaign = async (more: object) => (await post('/v1/campaigns', { name: randomUUID(), ...more })).id
    const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } }
    const club = () => campaign({ campaign_type: 'LOYALTY_PROGRAM', voucher })
    const terrace = (more: object = {}) => campaign({ campaign_type: 'PROMOTION', ...more })
    const action = { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' } }
    const tier = async (more: object) =>
      await post(`/v1/promotions/${await terrace()}/tiers`, { name: 'T', action, ...more })
    const stack = (promotion: string, more: object) =>
      post(`/v1/promotions/${promotion}/stacks`, { name: 'S', ...more })
    const earning = async (more: object) => {
      const rule = { event: 'order.paid', loyalty: { type: 'FIXED', points: 5 }, ...more }
      return await post(`/v1/loyalties/${await club()}/earning-rules`, [rule])
    }
    const loyaltyTier = (program: string, more: object) =>
      post(`/v1/loyalties/${program}/tiers`, [{ name: 'Gold', points: { from: 500, to: 999 }, ...more }])
    const reward = (parameters = {}) => post('/v1/rewards', { name: 'R', type: 'MATERIAL', parameters })
    const friends = (custom_event: object) =>
      campaign({
        campaign_type: 'REFERRAL_PROGRAM',
        voucher: { type: 'DISCOUNT_VOUCHER', ...action },
        referral_program: { conversion_event_type: 'custom_event', custom_event },
      })
    const units = (unit_type: string) => ({ type: 'UNIT', unit_off: 1, unit_type, effect: 'ADD_NEW_ITEMS' })
    const ofUnits = (unit_type: string) => {
      const { type, ...unit } = units(unit_type)
      return { type, effect: 'ADD_MANY_ITEMS', units: [unit] }
    }
    const coupons = (discount: object) =>
      campaign({ campaign_type: 'DISCOUNT_COUPONS', voucher: { type: 'DISCOUNT_VOUCHER', discount } })
    const stacking = (more: object) => post('/stacking-rules', more)
    const multiplied = { type: 'MULTIPLY', multiplier: 2 }

    interface Made {
      id: string
      name: string
      campaign_id: string
      related_object_id: string
    }
    /** Of each kind whose creation is undone, how promo creates one. */
    const creations: Record<string, () => Promise<Made>> = {
      products: () => made('products', 'create', '--name', 'Tea', '--source-id', randomUUID()),
      categories: () => made('categories', 'create', '--name', randomUUID(), '--hierarchy', '1'),
      rules: () => made('rules', 'create', '--name', 'Used', '--set', 'rules={}'),
      rewards: () => made('rewards', 'create', '--name', 'Mug', '--type', 'MATERIAL', '--set', 'parameters={}'),
      segments: () => made('segments', 'create', '--name', 'Used', '--type', 'static', '--set', 'customers=[]'),
      'event-schemas': () => made('events', 'schemas', 'create', '--name', randomUUID()),
      'campaigns/tiers': async () =>
        await made('promotions', 'tiers', 'create', await terrace(), '--name', 'T', '--percent-off', '5'),
      'campaigns/earning_rules': async () =>
        await made('loyalty', 'earning-rules', 'create', await club(), '--event', 'order.paid', '--points', '5'),
      'campaigns/offers': async () =>
        await made('loyalty', 'rewards', 'offer', await club(), (await reward()).id, '--points', '3'),
    }
    /** By the path that refers, what makes another object refer to one. */
    const uses: Record<string, (one: Made) => Promise<unknown>> = {
      'product-collections products.*.id': ({ id }) =>
        post('/v1/product-collections', { name: 'C', type: 'STATIC', products: [{ id, object: 'product' }] }),
      'rewards parameters.product.id': ({ id }) => reward({ product: { id } }),
      'campaigns category_id': ({ id }) => terrace({ category_id: id }),
      'campaigns validation_rules.*': ({ id }) => terrace({ validation_rules: [id] }),
      'campaigns voucher.discount.unit_type': ({ id }) => coupons(units(id)),
      'campaigns voucher.discount.units.*.unit_type': ({ id }) => coupons(ofUnits(id)),
      'campaigns/tiers action.discount.unit_type': ({ id }) => tier({ action: { discount: units(id) } }),
      'campaigns/tiers action.discount.units.*.unit_type': ({ id }) => tier({ action: { discount: ofUnits(id) } }),
      'campaigns referral_program.custom_event.id': ({ id }) => friends({ id }),
      'campaigns/tiers category_id': ({ id }) => tier({ category_id: id }),
      'campaigns/tiers validation_rules.*': ({ id }) => tier({ validation_rules: [id] }),
      'campaigns/stacks tiers.ids.*': ({ id, campaign_id }) => stack(campaign_id, { tiers: { ids: [id] } }),
      'campaigns/stacks category_id': async ({ id }) => {
        const { id: one, campaign_id } = await tier({})
        await stack(campaign_id, { tiers: { ids: [one] }, category_id: id })
      },
      'campaigns/earning_rules custom_event.schema_id': ({ id, name }) =>
        earning({ event: name, custom_event: { schema_id: id } }),
      'campaigns/earning_rules validation_rule_id': ({ id }) => earning({ validation_rule_id: id }),
      'campaigns/offers reward_id': async ({ id }) =>
        await post(`/v1/loyalties/${await club()}/rewards`, [{ reward: id, parameters: { loyalty: { points: 3 } } }]),
      'campaigns/loyalty_tiers earning_rules.{}': ({ id, campaign_id }) =>
        loyaltyTier(campaign_id, { earning_rules: { [id]: multiplied } }),
      'campaigns/loyalty_tiers rewards.{}': ({ id, related_object_id }) =>
        loyaltyTier(related_object_id, { rewards: { [id]: multiplied } }),
      'stacking-rules applicable_redeemables_category_limits.{}': ({ id }) =>
        stacking({ applicable_redeemables_category_limits: { [id]: 2 } }),
    }
    /** The same place under another name, one of several lists of the same form, and what the embedded service refuses. */
    const untried =
      /^product-collections products\.\*\.product_id$|^stacking-rules \w+_categories\.\*$|^campaigns\/earning_rules segment\.id$/
    const places = kinds.flatMap((kind) =>
      Object.entries(kind.references).flatMap(([path, named]) =>
        named
          .filter((name) => inverseCall({ kind: kindNamed(name), act: 'create' } as Changing))
          .map((name) => ({
            place: `${kind.name} ${path}`,
            name,
            noun: kind.noun,
          })),
      ),
    )

    test.each(places.filter(({ place }) => !untried.test(place)))('$name in $place', async ({ place, name, noun }) => {
      const [one] = [await creations[name]?.()].flat() as Made[]
      const creation = await latest()
      await uses[place]?.(one as Made)

      const { exitCode, stderr } = await undo(creation, '--yes')

      expect([exitCode, stderr]).toEqual([3, expect.stringContaining(` is in use: ${noun} `)])
    })

    test.each(Object.keys(creations).filter((name) => kindNamed(name).calls.list.credential !== 'management'))(
      '(or, of %s, while the keys cannot read what may refer to it)',
      async (name) => {
        const isHidden = kinds.some(
          ({ calls, references }) =>
            calls.list.credential === 'management' && Object.values(references).flat().includes(name),
        )
        await creations[name]?.()
        const env = { PROMO_MANAGEMENT_ID: undefined, PROMO_MANAGEMENT_TOKEN: undefined }

        const { exitCode, stderr } = await project.promo(['history', 'undo', await latest(), '--yes'], { env })

        expect([exitCode, stderr.includes('cannot be read without management keys; nothing was sent')]).toEqual(
          isHidden ? [4, true] : [0, false],
        )
      },
    )

    const code = (more: object) =>
      post(`/v1/vouchers/${randomUUID()}`, { type: 'DISCOUNT_VOUCHER', ...action, ...more })
    const sku = async () => {
      const { id } = await post('/v1/products', { name: 'Of SKUs' })
      return await made('skus', 'create', id, '--name', 'Blue', '--source-id', randomUUID())
    }

    test.each<[what: string, by: RegExp, make: () => Promise<Made>, use: (one: Made) => Promise<unknown>]>([
      ['rule', /voucher "v_/, () => creations.rules?.() as never, ({ id }) => code({ validation_rules: [id] })],
      ['category', /voucher "/, () => creations.categories?.() as never, ({ id }) => code({ category_id: id })],
      [
        'product',
        /SKU "blue"/,
        () => creations.products?.() as never,
        ({ id }) => post(`/v1/products/${id}/skus`, { sku: 'blue' }),
      ],
      ['product', /voucher "/, () => creations.products?.() as never, ({ id }) => code({ discount: units(id) })],
      ['product', /voucher "/, () => creations.products?.() as never, ({ id }) => code({ discount: ofUnits(id) })],
      ['SKU', /voucher "/, sku, ({ id }) => code({ discount: units(id) })],
      ['SKU', /campaign "/, sku, ({ id }) => coupons(units(id))],
      [
        'SKU',
        /product collection "/,
        sku,
        ({ id }) => post('/v1/product-collections', { name: 'S', type: 'STATIC', products: [{ id, object: 'sku' }] }),
      ],
    ])('a %s, which data refer to (%s)', async (_, by, make, use) => {
      const one = await make()
      const creation = await latest()
      await use(one)

      const { exitCode, stderr } = await undo(creation, '--yes')

      expect([exitCode, stderr]).toEqual([3, expect.stringMatching(new RegExp(` is in use: ${by.source}`))])
    })

    test.each(Object.keys(creations))(
      '(unused, one of %s is deleted, and made again by the command that is shown then)',
      async (name) => {
        await creations[name]?.()
        const undone = await undo(await latest(), '--yes')
        const { exitCode, stderr } = await undo(await latest())
        const line = /^try: promo (.*)$/m.exec(stderr)?.[1] ?? ''
        const again = await project.promo([...shellWords(line), '--json'])

        expect([undone.exitCode, exitCode, again.exitCode]).toEqual([0, 2, 0])
        expect(stderr).toContain('another one has another id')
      },
    )
  })

  test('shows the command that creates again what was deleted, which does', async () => {
    const rule = await made('rules', 'create', '--name', 'From 20', '--set', 'rules={}', '--error', 'No')
    await project.promo(`rules delete ${rule.id} --yes`)

    const { exitCode, stderr } = await undo('latest')

    expect(stderr).toContain('another one has another id, and lacks what it was assigned to')
    const [, words] = /^try: promo rules create --body '(.*)'$/m.exec(stderr) ?? []
    const again = await made('rules', 'create', '--body', words ?? '')
    expect(exitCode).toBe(2)
    expect(again).toMatchObject({ name: 'From 20', error: { message: 'No' } })
  })

  test('says of a change without an inverse what undoes it', async () => {
    const { id } = await project.call('POST', '/v1/campaigns', { name: 'Gifts', campaign_type: 'PROMOTION' })
    await project.call('POST', '/v1/vouchers/CODE-1', { type: 'GIFT_VOUCHER', gift: { amount: 100 } })
    const undoneAfter = async (...words: string[]) => {
      const ran = await project.promo([...words, '--yes', '--retries', '0'])
      const { exitCode, stderr } = await undo('latest', '--yes')
      return [ran.exitCode, exitCode, stderr.trim().split('\n').slice(-2).join(' ')]
    }

    const refused = await undoneAfter('categories', 'delete', 'cat_none')
    const created = await undoneAfter('campaigns', 'create', '--name', 'Tea', '--campaign-type', 'PROMOTION')
    const off = await undoneAfter('vouchers', 'disable', 'CODE-1')
    await project.call('POST', '/v1/vouchers/CODE%202', { type: 'GIFT_VOUCHER', gift: { amount: 100 } })
    const spaced = await undoneAfter('vouchers', 'disable', 'CODE 2')
    const job = await undoneAfter('vouchers', 'disable', 'CODE-1', 'CODE-2')
    const any = await undoneAfter('api', 'POST', `/v1/campaigns/${id}/disable`)
    const nothing = await undoneAfter('campaigns', 'disable', id)

    expect(refused).toEqual([3, 2, expect.stringContaining('it changed nothing')])
    expect(created).toEqual([0, 2, expect.stringMatching(/in use.*try: promo campaigns delete/)])
    expect(off).toEqual([0, 2, expect.stringContaining('try: promo vouchers enable CODE-1')])
    expect(spaced).toEqual([0, 2, expect.stringContaining("try: promo vouchers enable 'CODE 2'")])
    expect(job).toEqual([3, 2, expect.stringContaining('try: promo jobs undo ')])
    expect(any).toEqual([0, 2, expect.stringContaining('knows no inverse of its call')])
    expect(nothing).toEqual([0, 2, expect.stringContaining('it changed nothing')])
    expect((await undo('nope')).exitCode).toBe(2)
  })

  test('keeps no secret in the history, and says that it cannot write one', async () => {
    const run = promoIn(temporaryFolder())
    const on = { env: project.env }
    const { id } = JSON.parse((await run('products create --name A --json', on)).stdout)
    const listed = JSON.stringify({ metadata: { tokens: ['hidden-2'], password: 987654 } })
    await run(['products', 'update', id, '--body', listed], on)
    const secrets = ['--set', 'metadata.api_key=hidden-1', '--set', `metadata.note=${project.env.PROMO_APP_TOKEN}`]
    await run(['products', 'update', id, ...secrets], on)

    const history = (await run('history --json', on)).stdout
    const undone = await run('history undo latest --yes', on)

    expect(history).toContain('[redacted]')
    for (const secret of ['hidden-1', 'hidden-2', '987654', project.env.PROMO_APP_TOKEN])
      expect(history).not.toContain(secret)
    expect(undone).toEnd(2, 'the history keeps no secrets')
  })
})

test.each([
  ['401', { status: 401 }],
  ['403', { status: 403 }],
  ['429', { status: 429, retryAfterS: 3600 }],
  ['500', { status: 500 }],
  ['a web page', { status: 200, text: '<html></html>' }],
  ['a reset', 'before'],
] as const)('what was undone and cannot be read back (%s) is unknown, and undone all the same', async (_, refusal) => {
  let isUndoing = false
  let isSent = false
  await using door = await doorTo(service.sandbox.url, (method) => {
    if (isUndoing && method !== 'GET') isSent = true
    return isSent && method === 'GET' ? refusal : 'pass'
  })
  const run = (...argv: string[]) => project.promo(argv, { env: { PROMO_BASE_URL: door.origin } })
  const { id } = await made('products', 'create', '--name', 'Tea', '--price', '650')
  await run('products', 'update', id, '--price', '700')
  isUndoing = true

  const { exitCode, stderr } = await run('history', 'undo', 'latest', '--yes', '--retries', '0')

  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('unknown whether it was applied: it cannot be read')])
  expect((await project.call('GET', `/v1/products/${id}`)).price).toBe(650)
})
