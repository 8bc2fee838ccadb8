import { expect, test } from 'vitest'
import { off, openShop as open } from '../../../../support/redemptions.ts'

test('the older validation of one voucher answers with what it takes off', () => {
  const { status, body } = open().post('/v1/vouchers/A/validate', {
    order: { amount: 5000 },
    customer: { source_id: 'ada' },
    metadata: { till: 3 },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    valid: true,
    code: 'A',
    campaign: 'Codes',
    campaign_id: 'camp_codes',
    discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' },
    order: { amount: 5000, total_amount: 4500 },
    tracking_id: expect.stringMatching(/^track_/),
    metadata: { till: 3 },
    applicable_to: { object: 'list', total: 0 },
  })
})

test.each([
  ['OFF', {}, 'voucher is disabled', 'voucher_disabled'],
  ['NOPE', {}, 'Resource not found', 'not_found'],
  ['OFF', { stacking_rules: { redeemables_application_mode: 'PARTIAL' } }, 'voucher is disabled', 'voucher_disabled'],
])('the older validation of %s says why it is not valid: %j', (code, more, reason, key) => {
  const { status, body } = open(more).post(`/v1/vouchers/${code}/validate`, { order: { amount: 5000 } })

  expect(status).toBe(200)
  expect(body).toMatchObject({ valid: false, code, reason, error: { key, resource_type: 'voucher' } })
  expect(body).not.toHaveProperty('order')
})

test('the older calls take gift credits and rewards, and a session locks', () => {
  const { post } = open()
  const session = { type: 'LOCK', key: 'till-1' }

  const gift = post('/v1/vouchers/G/validate', { order: { amount: 5000 }, gift: { credits: 300 } })
  const card = post('/v1/vouchers/C/validate', { order: { amount: 5000 }, reward: { id: 'rew_1', points: 2 } })
  const locked = post('/v1/vouchers/A/validate', { order: { amount: 5000 }, session })
  const foreign = post('/v1/vouchers/A/validate', { order: { amount: 5000 } })

  expect(gift.body).toMatchObject({
    valid: true,
    gift: { amount: 1000, balance: 1000, credits: 300, effect: 'APPLY_TO_ORDER' },
  })
  expect(card.body).toMatchObject({ valid: true, loyalty_card: { points: 2 }, loyalty: { points_cost: 2 } })
  expect(card.body.reward).toEqual({ id: 'rew_1', assignment_id: 'rewa_1', points: 2 })
  expect(locked.body).toMatchObject({ valid: true, session: { key: 'till-1' } })
  expect(foreign.body).toMatchObject({ valid: false, error: { key: 'quantity_exceeded' } })
})

test('the older redemption of one voucher answers with the redemption', () => {
  const { post, voucher, stored } = open()

  const { status, body } = post('/v1/vouchers/A/redemption', {
    order: { amount: 5000 },
    customer: { name: 'Bob', email: 'bob@example.com' },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: expect.stringMatching(/^r_/),
    object: 'redemption',
    result: 'SUCCESS',
    voucher: { code: 'A', discount: { amount_off: 500 } },
    order: { total_amount: 4500, status: 'PAID' },
    customer: { name: 'Bob' },
  })
  expect(stored(body.id).status).toBe('SUCCEEDED')
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
  expect(post('/v1/vouchers/A/redemption')).toMatchObject({
    status: 400,
    body: { key: 'quantity_exceeded', resource_type: 'redemption' },
  })
})

test('the older redemption takes the tracking id in the query, too', () => {
  const { body } = open().call('POST', '/v1/vouchers/A/redemption', { query: 'tracking_id=ada', body: {} })

  expect(body).toMatchObject({ result: 'SUCCESS', customer: { source_id: 'ada' }, order: null })
})

test('the older redemption of one promotion tier answers with the redemption', () => {
  const { post, stored } = open()
  const path = '/v1/promotions/tiers/promo_1/redemption'

  const { status, body } = post(path, {
    order: { amount: 5000 },
    customer: { source_id: 'ada' },
    metadata: { till: 3 },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: expect.stringMatching(/^r_/),
    result: 'SUCCESS',
    promotion_tier: { id: 'promo_1', summary: { redemptions: { total_redeemed: 1 } } },
    order: { amount: 5000, status: 'PAID' },
    customer: { source_id: 'ada' },
    metadata: { till: 3 },
  })
  expect(body.order.total_amount).toBeLessThan(5000)
  expect(stored(body.id).status).toBe('SUCCEEDED')
  expect(post(path.replace('promo_1', 'promo_x'), {})).toMatchObject({
    status: 404,
    body: { key: 'not_found', resource_type: 'redemption' },
  })
})

test('voucher qualification lists the standalone vouchers that fit, in full', () => {
  const rules = { 1: { name: 'order.amount', conditions: { $more_than: [3000] } }, logic: '1' }
  const { call, post } = open({
    vouchers: [
      { id: 'v_1', code: 'OPEN', ...off(100), created_at: '2026-01-01T00:00:00.000Z' },
      { id: 'v_2', code: 'BIG', ...off(100), created_at: '2026-01-02T00:00:00.000Z' },
      { id: 'v_3', code: 'HELD', ...off(100), holder_id: 'cust_ada' },
      { id: 'v_4', code: 'CAMPAIGN', ...off(100), campaign_id: 'camp_codes' },
    ],
    validation_rules: [{ id: 'val_1', name: 'R', rules }],
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'v_2', related_object_type: 'voucher' }],
  })
  const codes = (body: object, query = '') =>
    call('POST', '/v1/vouchers/qualification', { body, query }).body.data.map(({ code }: { code: string }) => code)
  const asked = { order: { amount: 5000 }, customer: { source_id: 'ada' } }

  expect(post('/v1/vouchers/qualification', asked)).toMatchObject({
    status: 200,
    body: {
      object: 'list',
      data_ref: 'data',
      total: 2,
      id: expect.stringMatching(/^qfl_/),
      created_at: '2026-05-06T07:08:09.123Z',
      tracking_id: expect.stringMatching(/^track_/),
      data: [
        { code: 'BIG', object: 'voucher', active: true },
        { code: 'OPEN', object: 'voucher' },
      ],
    },
  })
  expect(codes({ order: { amount: 1000 } })).toEqual(['OPEN'])
  expect(codes({}, 'audienceRulesOnly=true&limit=1&order=-code')).toEqual(['OPEN'])
})
