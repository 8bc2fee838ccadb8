import { expect, test } from 'vitest'
import { openShop as open, shop } from '../../../../support/redemptions.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const codesOf = (list: { redemptions: Array<{ voucher?: { code: string }; object: string }> }) =>
  list.redemptions.map(({ voucher, object }) => `${object} ${voucher?.code}`)

/** A: redeemed by Ada, B: redeemed by Bob and rolled back a day later, OFF: failed. */
function busy() {
  const sandbox = open()
  sandbox.redeem(['A'], { customer: { source_id: 'ada' } })
  sandbox.clock.now = '2026-05-07T00:00:00.000Z'
  const { id } = sandbox.redeem(['B/ 1'], { customer: { source_id: 'bob' } }).body.redemptions[0]
  sandbox.clock.now = '2026-05-08T00:00:00.000Z'
  sandbox.redeem(['OFF'])
  sandbox.clock.now = '2026-05-09T00:00:00.000Z'
  sandbox.rollBack(id)
  return { ...sandbox, redeemedB: id }
}

test('without redemptions the list is empty', () => {
  expect(open().list()).toEqual({ object: 'list', data_ref: 'redemptions', redemptions: [], total: 0 })
})

test('redemptions, rollbacks and failed attempts are listed newest first, page by page', () => {
  const { list } = busy()

  expect(codesOf(list())).toEqual(['redemption_rollback B/ 1', 'redemption OFF', 'redemption B/ 1', 'redemption A'])
  expect(codesOf(list('limit=3&page=2'))).toEqual(['redemption A'])
  expect(codesOf(list('order=created_at&limit=1'))).toEqual(['redemption A'])
  expect(list('limit=1').total).toBe(4)
})

test.each([
  ['result=FAILURE', ['redemption OFF']],
  ['result=Anything', []],
  ['campaign=Codes', ['redemption A']],
  ['campaign=nope', []],
  ['customer=ada', ['redemption A']],
  ['customer=cust_ada', ['redemption A']],
  ['customer=nobody', []],
  ['created_at[after]=2026-05-08T12:00:00Z', ['redemption_rollback B/ 1']],
  ['created_at[before]=2026-05-07', ['redemption A']],
  ['filters[voucher_code][conditions][$is]=OFF', ['redemption OFF']],
  ['filters[status][conditions][$is]=ROLLED_BACK', ['redemption B/ 1']],
  ['filters[failure_code][conditions][$is]=voucher_disabled', ['redemption OFF']],
])('a listing can be restricted by %s', (query, found) => {
  expect(codesOf(busy().list(query))).toEqual(found)
})

test.each(['page=100', 'limit=101', 'filters[nope][conditions][$is]=1'])('%s is refused', (query) => {
  expect(open().get('/v1/redemptions', query)).toMatchObject({ status: 400, body: { key: 'invalid_query_params' } })
})

test('a voucher shows how often it was redeemed, and each redemption', () => {
  const { ask } = busy()

  ask('GET /v1/vouchers/A/redemption', {
    object: 'list',
    data_ref: 'redemption_entries',
    quantity: 1,
    redeemed_quantity: 1,
    redemption_entries: [{ object: 'redemption', voucher: { code: 'A' } }],
    total: 1,
  })
  const undone = [{ object: 'redemption', status: 'ROLLED_BACK' }, { object: 'redemption_rollback' }]
  ask('GET /v1/vouchers/B%2F%201/redemption', { redemption_entries: undone })
  ask('GET /v1/vouchers/G/redemption', { redeemed_quantity: 0, redemption_entries: [], total: 0 })
  ask('GET /v1/vouchers/nope/redemption', { code: 404, resource_type: 'voucher' })
})

test('deleted things are omitted from a redemption, which itself stays listed', () => {
  const { del, list } = busy()
  del('/v1/vouchers/A')
  del('/v1/customers/ada')

  const [redemption] = list('order=created_at').redemptions

  expect(redemption).toMatchObject({ related_object_id: 'v_A', customer_id: 'cust_ada' })
  expect(redemption).not.toHaveProperty('voucher')
  expect(redemption).not.toHaveProperty('customer')
})

test('a voucher that is deleted for good removes its redemptions, at once or from the bin', () => {
  const { ask, list } = busy()

  ask('DELETE /v1/vouchers/A?force=true')
  expect(codesOf(list())).toEqual(['redemption_rollback B/ 1', 'redemption OFF', 'redemption B/ 1'])
  ask('DELETE /v1/vouchers/OFF')
  expect(list().total).toBe(3)
  ask(`DELETE /v1/trash-bin/${ask('GET /v1/trash-bin').data[0].id}`)
  expect(codesOf(list())).toEqual(['redemption_rollback B/ 1', 'redemption B/ 1'])
})

const loaded = { voucher: { code: 'A' }, customer: { id: 'ada' }, date: '2026-05-01T00:00:00Z' }

test('redemptions of a fixture are listed, and can be rolled back', () => {
  const { list, rollBack, voucher } = open({
    redemptions: [
      { id: 'r_1', ...loaded },
      { id: 'rf_2', voucher: { id: 'v_OFF' }, result: 'FAILURE', failure_code: 'voucher_disabled' },
      { id: 'r_3', promotion_tier: { id: 'promo_1' } },
      { id: 'r_4', related_object_type: 'voucher', related_object_id: 'v_gone' },
    ],
    vouchers: [
      { id: 'v_A', code: 'A', type: 'GIFT_VOUCHER', gift: { amount: 9 }, redemption: { redeemed_quantity: 1 } },
      { id: 'v_OFF', code: 'OFF', type: 'GIFT_VOUCHER', gift: { amount: 9 } },
    ],
  })

  expect(list('order=created_at').redemptions).toMatchObject([
    {
      id: 'r_1',
      object: 'redemption',
      result: 'SUCCESS',
      status: 'SUCCEEDED',
      date: '2026-05-01T00:00:00.000Z',
      related_object_type: 'voucher',
      related_object_id: 'v_A',
      customer: { id: 'cust_ada' },
      voucher: { code: 'A' },
    },
    { id: 'r_3', related_object_type: 'promotion_tier', campaign_id: 'camp_promo' },
    { id: 'r_4', related_object_id: 'v_gone' },
    { id: 'rf_2', status: 'FAILED' },
  ])
  expect(rollBack('r_1').status).toBe(200)
  expect(voucher('A').redemption.redeemed_quantity).toBe(0)
})

test.each([
  ['names nothing', {}, "Payload must have required property 'related_object_id'"],
  ['names an unknown code', { voucher: { code: 'Z' } }, 'Cannot find voucher with id Z'],
  ['names an unknown customer', { ...loaded, customer: { id: 'eve' } }, 'Cannot find customer with id eve'],
  ['contradicts itself', { ...loaded, status: 'FAILED' }, 'Property .status must fit the result SUCCESS'],
  ['has another result', { ...loaded, result: 'MAYBE' }, 'Property .result must be equal to one of the allowed values'],
  ['has no day', { ...loaded, date: 'yesterday' }, 'Property .date'],
])('a redemption of a fixture that %s is refused', (_, redemption, reason) => {
  const loading = () => testSandbox({ fixture: { ...shop, redemptions: [redemption] } })

  expect(loading).toThrow(`redemptions[0]: ${reason}`)
})
