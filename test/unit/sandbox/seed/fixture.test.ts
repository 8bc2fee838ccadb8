import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { demoFixture } from '../../../../src/sandbox/seed/demo/demo.ts'
import { leakedCodes } from '../../../../src/sandbox/seed/demo/vouchers.ts'
import { testSandbox } from '../../../support/sandbox.ts'

const example = (name: string) =>
  readFileSync(new URL(`../../../../examples/${name}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))

test('ids, dates and counters of a fixture are kept, and missing ones are created', () => {
  const dates = { created_at: '2020-01-01T00:00:00.000Z', updated_at: '2020-02-01T00:00:00.000Z' }
  const given = {
    code: 'A',
    gift: { amount: 100, balance: 40 },
    redemption: { redeemed_quantity: 1, redeemed_amount: 60 },
    publish: { count: 2 },
    ...dates,
  }
  const loaded = { ...given, id: 'v_mine', type: 'GIFT_VOUCHER', discount: null }
  const redemption = { ...given.redemption, quantity: null }
  const publish = { ...given.publish, object: 'list', url: '/x' }
  const bare = { code: 'B', discount: { type: 'AMOUNT', amount_off: 1 } }
  const { ask, events } = testSandbox({ fixture: { vouchers: [{ ...loaded, redemption, publish }, bare] } })

  ask('GET /v1/vouchers/v_mine', given)
  const id = expect.stringMatching(/^v_[0-9a-f]{18}$/)
  ask('GET /v1/vouchers/B', { id, created_at: '2026-05-06T07:08:09.123Z' })
  expect(events()).toEqual([])
})

test('a voucher as the service returns it can be loaded unchanged', () => {
  const shown = testSandbox({ demo: true }).get('/v1/vouchers/SORRY5').body

  const { get } = testSandbox({ fixture: { categories: demoFixture().categories, vouchers: [shown] } })

  // The addresses of its pictures contain a secret of the data file they come from.
  expect(get('/v1/vouchers/SORRY5').body).toEqual({ ...shown, assets: expect.any(Object) })
})

test.each<[string, unknown, string]>([
  ['is an array', [], 'the fixture must be one JSON object'],
  ['has an unknown member', { coupons: [] }, '"coupons" is not a member of a fixture; the members are '],
  ['has a member that is not an array', { vouchers: {} }, '"vouchers" must be an array'],
  ['has an item that is not an object', { vouchers: ['A'] }, 'vouchers[0] must be an object'],
  [
    'has a code with half of a surrogate pair',
    { vouchers: [{ code: 'A\ud83d', discount: { type: 'AMOUNT', amount_off: 1 } }] },
    'vouchers[0]: Property .code must be Unicode without half of a surrogate pair',
  ],
  ['has a voucher without code', { vouchers: [{}] }, "vouchers[0]: Payload must have required property 'code'"],
  [
    'names an unknown campaign',
    { vouchers: [{ code: 'A', gift: { amount: 1 }, campaign: 'X' }] },
    'vouchers[0]: Cannot find campaign with id X',
  ],
  [
    'contains a code twice',
    { vouchers: ['A', 'A'].map((code) => ({ code, gift: { amount: 1 } })) },
    'vouchers[1]: its id or code is taken',
  ],
  ['has settings that are not an object', { settings: [] }, '"settings" must be an object'],
])('a fixture that %s is refused with the position of the problem', (_, fixture, message) => {
  expect(() => testSandbox({ fixture })).toThrow(message)
})

test('settings and stacking rules belong to the project', () => {
  const { store, project } = testSandbox({ fixture: { settings: { currency: 'EUR' }, stacking_rules: { b: 2 } } })

  const row = store.db.get<{ doc: string }>('SELECT doc FROM projects WHERE id = ?', project.id)

  expect(JSON.parse(row?.doc ?? '')).toMatchObject({ settings: { currency: 'EUR' }, stacking_rules: { b: 2 } })
})

test('the demo is the same every time', () => {
  expect(JSON.stringify(demoFixture())).toBe(JSON.stringify(demoFixture()))
})

test('the codes of examples/leaked-codes.csv are exactly the codes of the demo campaign', () => {
  const { get } = testSandbox({ demo: true })
  const [header, ...rows] = example('leaked-codes.csv')
  const codes = rows.map(([code]) => code)

  const listed = Array.from(
    { length: 10 },
    (_, page) => get('/v1/vouchers', `campaign=Spring+mailing&limit=100&order=code&page=${page + 1}`).body.vouchers,
  )

  expect(header).toEqual(['code', 'reason'])
  expect(codes).toEqual(leakedCodes())
  expect(listed.flat().map((voucher: { code: string }) => voucher.code)).toEqual(leakedCodes().toSorted())
})

test('the three codes of examples/unknown-codes.csv are not in the demo', () => {
  const { get } = testSandbox({ demo: true })
  const [header, ...rows] = example('unknown-codes.csv')

  expect(header).toEqual(['code', 'reason'])
  expect(rows.map(([code]) => get(`/v1/vouchers/${code}`).status)).toEqual([404, 404, 404])
})

test('the demo shows every type of voucher, and codes that need care', () => {
  const { get } = testSandbox({ demo: true })
  const total = (type: string) => get('/v1/vouchers', `filters[type][conditions][%24is]=${type}`).body.total

  expect([total('DISCOUNT_VOUCHER'), total('GIFT_VOUCHER'), total('LOYALTY_CARD')]).toEqual([1026, 8, 6])
  expect(get('/v1/vouchers/LATTE%20ART%2F2026').status).toBe(200)
  expect(get('/v1/vouchers/CAF%C3%89%E2%98%95').status).toBe(200)
  expect(get('/v1/vouchers/BEANS10').body.validation_rules_assignments.total).toBe(1)
})

test('the points of every demo card are the sum of its transactions', () => {
  // biome-ignore lint/suspicious/noExplicitAny: wire objects of several kinds, read here by name.
  const fixture = demoFixture() as Record<string, Array<Record<string, any>>>
  const cards = fixture.vouchers?.filter((voucher) => voucher.type === 'LOYALTY_CARD') ?? []

  for (const card of cards) {
    const own = fixture.loyalty_transactions?.filter((transaction) => transaction.voucher_id === card.id) ?? []
    const sum = own.reduce((total, transaction) => total + transaction.details.balance.points, 0)
    expect(sum).toBe(card.loyalty_card.balance)
    expect(own.at(-1)?.details.balance.balance).toBe(card.loyalty_card.balance)
  }
  expect(cards).toHaveLength(6)
})
