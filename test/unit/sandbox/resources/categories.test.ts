import { expect, test } from 'vitest'
import { campaigns } from '../../../../src/sandbox/stores/campaigns.ts'
import { promotionStacks, promotionTiers } from '../../../../src/sandbox/stores/promotions.ts'
import { testNow, testSandbox } from '../../../support/sandbox.ts'

const later = '2026-05-07T00:00:00.000Z'
const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }

function withCategory() {
  const sandbox = testSandbox()
  const created = sandbox.post('/v1/categories', { name: 'First Class', hierarchy: 1 }).body
  sandbox.clock.now = later
  return { ...sandbox, created }
}

test('a category is stored with every member of its wire form', () => {
  const { ask, created } = withCategory()

  expect(created).toEqual({
    id: expect.stringMatching(/^cat_[0-9a-f]{18}$/),
    name: 'First Class',
    hierarchy: 1,
    object: 'category',
    created_at: testNow,
    updated_at: null,
  })
  for (const id of [created.id, 'First%20Class']) expect(ask(`GET /v1/categories/${id}`)).toEqual(created)
})

test('categories are listed in the order of creation', () => {
  const { ask } = testSandbox()
  const list = (...data: object[]) => ({ object: 'list', data_ref: 'data', has_more: false, data, total: data.length })

  expect(ask('GET /v1/categories')).toEqual(list())
  const made = ['B', 'A'].map((name, at) => ask('POST /v1/categories', { name, hierarchy: 2 - at }))
  expect(ask('GET /v1/categories')).toEqual(list(...made))
})

test('a category shows how the stacking rules treat it', () => {
  const categories = ['cat_1', 'cat_2', 'cat_3'].map((id, index) => ({ id, name: id, hierarchy: index }))
  const stacking_rules = { exclusive_categories: ['cat_1'], joint_categories: ['cat_2'] }
  const { data } = testSandbox({ fixture: { categories, stacking_rules } }).ask('GET /v1/categories')

  const types = data.map((category: { stacking_rules_type?: string }) => category.stacking_rules_type)
  expect(types).toEqual(['EXCLUSIVE', 'JOINT', undefined])
})

test('a name belongs to one category', () => {
  const { ask, created } = withCategory()
  ask('POST /v1/categories', { name: 'Other', hierarchy: 2 })

  const details = 'Duplicated category exists with name First Class'
  const error = { code: 409, details, resource_type: 'category' }
  ask('POST /v1/categories', { name: 'First Class', hierarchy: 5 }, error)
  ask(`PUT /v1/categories/${created.id}`, { name: 'Other', hierarchy: 1 }, 409)
})

test.each([
  [{}, "Payload must have required property 'name'"],
  [{ name: 'A' }, "Payload must have required property 'hierarchy'"],
  [{ name: '', hierarchy: 1 }, 'Property .name must NOT have fewer than 1 characters'],
  [{ name: 'A', hierarchy: -1 }, 'Property .hierarchy must be >= 0'],
  [{ name: 'A', hierarchy: 'first' }, 'Property .hierarchy must be number'],
])('the category %j is refused', (body, details) => {
  const { ask, created } = withCategory()

  for (const request of ['POST /v1/categories', `PUT /v1/categories/${created.id}`])
    ask(request, body, { key: 'invalid_payload', details })
})

/** One thing of each kind that can be filed, all under the category `cat_1`. */
function withEverythingFiled() {
  const filed = { category: 'First Class', category_id: 'cat_1' }
  const campaign = { name: 'P', campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} }
  const sandbox = testSandbox({
    fixture: {
      categories: [{ id: 'cat_1', name: 'First Class', hierarchy: 1 }],
      campaigns: [{ id: 'camp_1', ...campaign, ...filed }],
      vouchers: [
        { code: 'A', ...off, category_id: 'cat_1' },
        { code: 'B', ...off, category: 'First Class' },
        { code: 'C', ...off, category: 'A bare name' },
      ],
      promotion_tiers: [
        { id: 'promo_1', name: 'T', campaign_id: 'camp_1', action: { discount: off.discount }, ...filed, hierarchy: 1 },
        { id: 'promo_2', name: 'U', campaign_id: 'camp_1', action: { discount: off.discount }, hierarchy: 2 },
      ],
      promotion_stacks: [
        { id: 'stack_1', name: 'S', campaign_id: 'camp_1', tiers: { ids: ['promo_1'] }, category_id: 'cat_1' },
      ],
    },
  })
  const { store, project, get } = sandbox
  const idsOf = () => ({
    campaign: store.in(campaigns, project.id).get('camp_1')?.category_id,
    tier: store.in(promotionTiers, project.id).get('promo_1')?.category_id,
    other: store.in(promotionTiers, project.id).get('promo_2')?.category_id,
    stack: store.in(promotionStacks, project.id).get('stack_1')?.category_id,
  })
  const namesOf = () => ({
    vouchers: ['A', 'B', 'C'].map((code) => get(`/v1/vouchers/${code}`).body.category),
    campaign: store.in(campaigns, project.id).get('camp_1')?.category,
    tier: store.in(promotionTiers, project.id).get('promo_1')?.category,
  })
  return { ...sandbox, idsOf, namesOf }
}

test('the new name of a category is shown by everything filed under it, and finds vouchers', () => {
  const { ask, events, idsOf, namesOf } = withEverythingFiled()

  ask('PUT /v1/categories/cat_1', { name: 'Second', hierarchy: 3 }, 200)
  expect(namesOf()).toEqual({ vouchers: ['Second', 'Second', 'A bare name'], campaign: 'Second', tier: 'Second' })
  expect(idsOf()).toEqual({ campaign: 'cat_1', tier: 'cat_1', other: null, stack: 'cat_1' })
  ask('GET /v1/vouchers?category=Second', { total: 2 })
  ask('GET /v1/vouchers?category=First+Class', { total: 0 })
  ask('GET /v1/vouchers/A', { categories: [{ name: 'Second', hierarchy: 3 }] })
  expect(events()).toEqual([])
})

test('changing only the hierarchy keeps the name, and changing nothing keeps updated_at', () => {
  const { ask, created } = withCategory()
  const change = (hierarchy: number) => ask(`PUT /v1/categories/${created.id}`, { name: 'First Class', hierarchy })

  expect(change(1)).toEqual(created)
  expect(change(9)).toEqual({ ...created, hierarchy: 9, updated_at: later })
})

test('what was filed under a deleted category has no category', () => {
  const { ask, idsOf, namesOf } = withEverythingFiled()

  expect(ask('DELETE /v1/categories/cat_1', 204)).toBeUndefined()
  expect(namesOf()).toEqual({ vouchers: [null, null, 'A bare name'], campaign: null, tier: null })
  expect(idsOf()).toEqual({ campaign: null, tier: null, other: null, stack: null })
  ask('GET /v1/vouchers/A', { category_id: null, categories: [] })
  ask('POST /v1/categories', { name: 'First Class', hierarchy: 1 }, 200)
})

test('a category that the service shows can be loaded as it is, an invalid one is refused', () => {
  const shown = withCategory().created
  const load = (...categories: object[]) => testSandbox({ fixture: { categories } })

  expect(load(shown).ask(`GET /v1/categories/${shown.id}`)).toEqual(shown)
  expect(() => load({ name: 'A' })).toThrow("categories[0]: Payload must have required property 'hierarchy'")
  expect(() => load(shown, { ...shown, id: 'cat_x' })).toThrow('categories[1]: its id or name is taken')
})
