// Tries what the demo project is meant to show.
import { expect, test } from 'vitest'
import { demoFixture } from '../../../../src/sandbox/seed/demo/demo.ts'
import { leakedCodes } from '../../../../src/sandbox/seed/demo/vouchers.ts'
import { type TestSandbox, testSandbox } from '../../../support/sandbox.ts'

const [spring = ''] = leakedCodes()

/** Shared by the tests of this file, which only read it. */
const { call, post, get, ask } = testSandbox({ demo: true })

test('it is stored as if it had been loaded object by object, by whatever clock and ids', () => {
  const loaded = testSandbox({ fixture: demoFixture(), idsFrom: 5000 })
  const put = testSandbox({ demo: true })
  const tables = put.store.db
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('meta', 'projects')")
    .map(({ name }) => name)

  const rowsOf = ({ store, project }: TestSandbox) =>
    tables.map((name) => ({
      name,
      rows: store.db
        .all<Record<string, unknown>>(`SELECT * FROM "${name}"`)
        .map((row) => ({ ...row, ...('project_id' in row && { project_id: row.project_id === project.id }) })),
    }))

  expect(tables.length).toBeGreaterThan(40)
  expect(rowsOf(put)).toEqual(rowsOf(loaded))
})

const validate = (redeemables: object[], more: object) => post('/v1/validations', { redeemables, ...more }).body
const reader = { customer: { source_id: 'shop-1001' } }
const other = { customer: { source_id: 'shop-1002' } }

test('a spring code is for orders of 30 euros and more', () => {
  const redeemables = [{ object: 'voucher', id: spring }]
  const message = 'Spring codes are for orders of 30 euros and more'
  const result = { error: { key: 'order_rules_violated', error: { message } } }

  ask('POST /v1/validations', { redeemables, order: { amount: 2999 } }, { valid: false, redeemables: [{ result }] })
  const valid = { valid: true, order: { total_amount: 2400 } }
  ask('POST /v1/validations', { redeemables, order: { amount: 3000 } }, valid)
})

test('a spring code shows the rule of its campaign', () => {
  const assignments = { total: 1, data: [{ related_object_type: 'campaign' }] }
  ask(`GET /v1/vouchers/${spring}`, { validation_rules_assignments: assignments })
})

test('the two promotions apply to a big order of a reader, one to that of another customer, none to a small order', () => {
  const names = (body: object) => promotionsFor(call, body).map(({ name, discount_amount }) => [name, discount_amount])

  expect(names({ order: { amount: 5000 }, ...reader })).toEqual([
    ['Three euros for readers', 300],
    ['Ten percent from 40 euros', 500],
  ])
  expect(names({ order: { amount: 5000 }, ...other })).toEqual([['Ten percent from 40 euros', 500]])
  expect(names({ order: { amount: 1000 }, ...other })).toEqual([])
})

test('the stack takes the percentage first, then the three euros', () => {
  const [{ id }] = ask('GET /v1/promotions/stacks').data
  const asked = { redeemables: [{ object: 'promotion_stack', id }], order: { amount: 5000 }, ...reader }

  ask('POST /v1/validations', asked, { valid: true, order: { total_discount_amount: 800, total_amount: 4200 } })
})

test('a spring code and BEANS10 apply together, with the same result in either order', () => {
  const ids = [spring, 'BEANS10'].map((id) => ({ object: 'voucher', id }))

  expect(validate(ids, { order: { amount: 5000 } }).order.total_amount).toBe(3600)
  expect(validate(ids.toReversed(), { order: { amount: 5000 } }).order.total_amount).toBe(3600)
})

test('after a spring code an order of 30 euros is still above the 20 of BEANS10, but not the other way round', () => {
  const ids = [spring, 'BEANS10'].map((id) => ({ object: 'voucher', id }))

  expect(validate(ids, { order: { amount: 3000 } }).valid).toBe(true)
  expect(validate(ids.toReversed(), { order: { amount: 3000 } }).valid).toBe(false)
})

test.each([
  [3000, [{ name: 'Spring mailing' }]],
  [2999, []],
])('an order of %d cents qualifies for %j', (amount, data) => {
  ask('POST /v1/campaigns/qualification', { order: { amount }, ...reader }, { data })
})

function promotionsFor(ask: TestSandbox['call'], body: object): Array<{ name: string; discount_amount: number }> {
  return ask('POST', '/v1/promotions/validation', { body }).body.promotions
}

test('every code with a holder was published to that holder', () => {
  const { publications, total } = get('/v1/publications', 'limit=100').body

  expect(total).toBe(10)
  expect(publications.every((one: { voucher: object; customer_id: string }) => 'holder_id' in one.voucher)).toBe(true)
  expect(publications.map(({ voucher }: { voucher: { code: string } }) => voucher.code)).toContain('FRIEND-001')
})

test('the template creates another campaign of welcome codes', () => {
  const own = testSandbox({ demo: true })
  const [{ id, name }] = own.ask('GET /v1/templates/campaigns').campaign_templates

  expect(name).toBe('Five euros for newcomers')
  const campaign = { name: 'Welcome in winter', vouchers_count: 1 }
  own.ask(`POST /v1/templates/campaigns/${id}/campaign-setup`, campaign, { campaign })
})
