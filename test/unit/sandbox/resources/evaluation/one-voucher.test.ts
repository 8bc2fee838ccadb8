import { expect, test } from 'vitest'
import { off, openShop as open } from '../../../../support/redemptions.ts'

test('the older validation of one voucher answers with what it takes off', () => {
  const metadata = { till: 3 }
  open().ask(
    'POST /v1/vouchers/A/validate',
    { order: { amount: 5000 }, customer: { source_id: 'ada' }, metadata },
    {
      valid: true,
      code: 'A',
      campaign: 'Codes',
      campaign_id: 'camp_codes',
      discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' },
      order: { amount: 5000, total_amount: 4500 },
      tracking_id: expect.stringMatching(/^track_/),
      metadata,
      applicable_to: { object: 'list', total: 0 },
    },
  )
})

test.each([
  ['OFF', {}, 'voucher is disabled', 'voucher_disabled'],
  ['NOPE', {}, 'Resource not found', 'not_found'],
  ['OFF', { stacking_rules: { redeemables_application_mode: 'PARTIAL' } }, 'voucher is disabled', 'voucher_disabled'],
])('the older validation of %s says why it is not valid: %j', (code, more, reason, key) => {
  const { post } = open(more)
  const { status, body } = post(`/v1/vouchers/${code}/validate`, { order: { amount: 5000 } })

  expect(status).toBe(200)
  expect(body).toMatchObject({ valid: false, code, reason, error: { key, resource_type: 'voucher' } })
  expect(body).not.toHaveProperty('order')
})

test('the older calls take gift credits and rewards, and a session locks', () => {
  const { ask } = open()
  const validate = (code: string, more: object, answer: object) =>
    ask(`POST /v1/vouchers/${code}/validate`, { order: { amount: 5000 }, ...more }, answer)

  const gift = { amount: 1000, balance: 1000, credits: 300, effect: 'APPLY_TO_ORDER' }
  validate('G', { gift: { credits: 300 } }, { valid: true, gift })
  const paid = { valid: true, loyalty_card: { points: 2 }, loyalty: { points_cost: 2 } }
  const { reward } = validate('C', { reward: { id: 'rew_1', points: 2 } }, paid)
  expect(reward).toEqual({ id: 'rew_1', assignment_id: 'rewa_1', points: 2 })
  validate('A', { session: { type: 'LOCK', key: 'till-1' } }, { valid: true, session: { key: 'till-1' } })
  validate('A', {}, { valid: false, error: { key: 'quantity_exceeded' } })
})

test('the older redemption of one voucher answers with the redemption', () => {
  const { ask, voucher, stored } = open()
  const customer = { name: 'Bob', email: 'bob@example.com' }

  const { id } = ask(
    'POST /v1/vouchers/A/redemption',
    { order: { amount: 5000 }, customer },
    {
      id: expect.stringMatching(/^r_/),
      object: 'redemption',
      result: 'SUCCESS',
      voucher: { code: 'A', discount: { amount_off: 500 } },
      order: { total_amount: 4500, status: 'PAID' },
      customer: { name: 'Bob' },
    },
  )

  expect(stored(id).status).toBe('SUCCEEDED')
  expect(voucher('A').redemption.redeemed_quantity).toBe(1)
  const error = { key: 'quantity_exceeded', resource_type: 'redemption' }
  ask('POST /v1/vouchers/A/redemption', undefined, error)
})

test('the older redemption takes the tracking id in the query, too', () => {
  const redemption = { result: 'SUCCESS', customer: { source_id: 'ada' }, order: null }
  open().ask('POST /v1/vouchers/A/redemption?tracking_id=ada', {}, redemption)
})

test('the older redemption of one promotion tier answers with the redemption', () => {
  const { ask, stored } = open()
  const path = (id: string) => `POST /v1/promotions/tiers/${id}/redemption`
  const given = { customer: { source_id: 'ada' }, metadata: { till: 3 } }

  const { id } = ask(
    path('promo_1'),
    { ...given, order: { amount: 5000 } },
    {
      ...given,
      id: expect.stringMatching(/^r_/),
      result: 'SUCCESS',
      promotion_tier: { id: 'promo_1', summary: { redemptions: { total_redeemed: 1 } } },
      order: { amount: 5000, total_amount: 4900, status: 'PAID' },
    },
  )

  expect(stored(id).status).toBe('SUCCEEDED')
  ask(path('promo_x'), {}, { key: 'not_found', resource_type: 'redemption' })
})

test('voucher qualification lists the standalone vouchers that fit, in full', () => {
  const rules = { 1: { name: 'order.amount', conditions: { $more_than: [3000] } }, logic: '1' }
  const { ask } = open({
    vouchers: [
      { id: 'v_1', code: 'OPEN', ...off(100), created_at: '2026-01-01T00:00:00.000Z' },
      { id: 'v_2', code: 'BIG', ...off(100), created_at: '2026-01-02T00:00:00.000Z' },
      { id: 'v_3', code: 'HELD', ...off(100), holder_id: 'cust_ada' },
      { id: 'v_4', code: 'CAMPAIGN', ...off(100), campaign_id: 'camp_codes' },
    ],
    validation_rules: [{ id: 'val_1', name: 'R', rules }],
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id: 'v_2', related_object_type: 'voucher' }],
  })
  const path = 'POST /v1/vouchers/qualification'
  const opened = { code: 'OPEN', object: 'voucher' }

  ask(
    path,
    { order: { amount: 5000 }, customer: { source_id: 'ada' } },
    {
      object: 'list',
      data_ref: 'data',
      total: 2,
      id: expect.stringMatching(/^qfl_/),
      created_at: '2026-05-06T07:08:09.123Z',
      tracking_id: expect.stringMatching(/^track_/),
      data: [{ code: 'BIG', object: 'voucher', active: true }, opened],
    },
  )
  ask(path, { order: { amount: 1000 } }, { data: [opened] })
  ask(`${path}?audienceRulesOnly=true&limit=1&order=-code`, {}, { data: [opened] })
})
