// What the rules see of the stored state, observed through validations.
import { expect, test } from 'vitest'
import { manage } from '../../../../support/manage.ts'
import { assigned, ruleOn } from '../../../../support/rules.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const code = (more: object = {}) => ({ id: 'v_A', code: 'A', discount: { type: 'AMOUNT', amount_off: 500 }, ...more })

const on = (rule_id: string, id = 'v_A', type = 'voucher', more: object = {}) => assigned(rule_id, id, type, more)

const campaign = {
  id: 'camp_1',
  name: 'C',
  campaign_type: 'DISCOUNT_COUPONS',
  type: 'STANDALONE',
  active: true,
  metadata: {},
}
const vip = ruleOn('val_vip', 'customer.metadata', { $is: [true] }, { property: 'vip' })
const jo = { id: 'cust_1', source_id: 'jo', metadata: { vip: true } }

const redemption = (n: number, customer_id: string, more: object = {}) => ({
  id: `r_${n}`,
  object: 'redemption',
  result: 'SUCCESS',
  status: 'SUCCEEDED',
  related_object_type: 'voucher',
  related_object_id: 'v_A',
  campaign_id: 'camp_1',
  customer_id,
  order: { amount: 1000, total_applied_discount_amount: 300 },
  created_at: '2026-05-06T00:00:00.000Z',
  ...more,
})

function validating(fixture: object) {
  const sandbox = testSandbox({ fixture: { vouchers: [code()], ...fixture } })
  const redeemables = [{ object: 'voucher', id: 'A' }]
  const validate = (more: object = {}, valid?: boolean) =>
    sandbox.ask(
      'POST /v1/validations',
      { redeemables, order: { amount: 2000 }, ...more },
      valid === undefined ? {} : { valid },
    )
  return { ...sandbox, validate }
}

const forVips = { customers: [jo], validation_rules: [vip], validation_rules_assignments: [on('val_vip')] }

test('a source id equal to the id of another customer is a new customer', () => {
  const { validate } = validating(forVips)

  validate({ customer: { source_id: 'jo' } }, true)
  validate({ customer: { id: 'cust_1' } }, true)
  validate({ customer: { source_id: 'cust_1' } }, false)
})

test('the customer may be named in the order, as an object or an id, or be a tracking id', () => {
  const { validate } = validating(forVips)
  const inside = { order: { amount: 2000, customer: { source_id: 'jo' } } }

  validate(inside, true)
  validate({ order: { amount: 2000, customer_id: 'cust_1' } }, true)
  validate({ tracking_id: 'jo' }, true)
  validate({ ...inside, customer: { source_id: 'al' } }, false)
})

test('the referrer named in the order is echoed', () => {
  expect(validating({}).validate({ order: { amount: 2000, referrer: { id: 'cust_7' } } }).order).toMatchObject({
    referrer_id: 'cust_7',
    referrer: { id: 'cust_7', object: 'customer' },
  })
})

test('a rule on a campaign is not a rule on a voucher with the same id', () => {
  const assignments = [on('val_vip', 'v_A', 'campaign')]
  const fixture = { ...forVips, campaigns: [{ ...campaign, id: 'v_A' }], validation_rules_assignments: assignments }

  validating(fixture).validate({}, true)
})

test('violated rules are named in the order in which they were assigned, those of the campaign last', () => {
  const { validate } = validating({
    campaigns: [campaign],
    vouchers: [code({ campaign_id: 'camp_1' })],
    validation_rules: ['a', 'b', 'c'].map((name) => ruleOn(`val_${name}`, 'order.amount', { $more_than: [9000] })),
    validation_rules_assignments: [
      on('val_c', 'camp_1', 'campaign', { id: 'asgm_0', created_at: '2026-01-01T00:00:00.000Z' }),
      on('val_a', 'v_A', 'voucher', { id: 'asgm_1', created_at: '2026-01-03T00:00:00.000Z' }),
      on('val_b', 'v_A', 'voucher', { id: 'asgm_2', created_at: '2026-01-02T00:00:00.000Z' }),
    ],
  })

  expect(validate().redeemables[0].result.error.details).toBe(
    'Discount Coupon cannot be redeemed because of violated validation rules: val_b, val_a, val_c',
  )
})

test('the referrer of a code holds it', () => {
  const { validate } = validating({
    customers: [jo],
    vouchers: [code({ referrer_id: 'cust_1' })],
    validation_rules: [ruleOn('val_h', 'publication.redeemable_by_linked_customer', { $is: [true] })],
    validation_rules_assignments: [on('val_h')],
  })

  validate({ customer: { source_id: 'jo' } }, true)
  validate({ customer: { source_id: 'al' } }, false)
})

test('days and hours are counted in the time zone of the project', () => {
  const validity_hours = { daily: [{ start_time: '09:00', expiration_time: '10:00', days_of_week: [3] }] }
  const vouchers = [code({ validity_hours })]

  // It is seven in the morning in UTC, nine in Berlin.
  validating({ vouchers }).validate({}, false)
  validating({ vouchers, settings: { timezone: 'Europe/Berlin' } }).validate({}, true)
})

test('stacking rules set through the management API apply at once', () => {
  const sandbox = validating({})
  const rules = { redeemables_application_mode: 'PARTIAL', redeemables_no_effect_rule: 'SKIP' }

  manage(sandbox, 'POST', `/${sandbox.project.id}/stacking-rules`, rules)

  const { stacking_rules } = sandbox.validate()
  expect(stacking_rules).toMatchObject({ ...rules, applicable_redeemables_limit: 5 })
  expect(stacking_rules).not.toHaveProperty('id')
})

test.each([
  ['redemption.count.per_customer', [3, 4]],
  ['redemption.count.per_customer.daily', [2, 3]],
  ['redemption.count.daily', [4, 5]],
  ['campaign.redemptions.count', [5, 6]],
  ['campaign.redemptions.customers_count', [2, 3]],
  ['campaign.orders.amount', [6000, 6001]],
  ['campaign.orders.amount_discounted', [1700, 1701]],
])('%s counts successful redemptions that were not rolled back, and this one', (name, [exact, tooMany]) => {
  const counted = (least: unknown) =>
    validating({
      campaigns: [campaign, { ...campaign, id: 'camp_2', name: 'D' }],
      customers: [jo, { id: 'cust_2', source_id: 'al', metadata: {} }],
      vouchers: [code({ campaign_id: 'camp_1' })],
      redemptions: [
        redemption(1, 'cust_1', { created_at: '2026-05-05T23:59:59.999Z' }),
        redemption(2, 'cust_1'),
        redemption(3, 'cust_2'),
        redemption(4, 'cust_2'),
        redemption(5, 'cust_1', { status: 'ROLLED_BACK' }),
        redemption(6, 'cust_1', { result: 'FAILURE', status: 'FAILED' }),
        redemption(7, 'cust_1', { object: 'redemption_rollback' }),
        redemption(8, 'cust_1', { campaign_id: 'camp_2', related_object_id: 'v_B' }),
        redemption(9, 'cust_1', { campaign_id: 'camp_2', related_object_type: 'promotion_tier' }),
      ],
      validation_rules: [ruleOn('val_1', name, { $more_than_or_equal: [least] })],
      validation_rules_assignments: [on('val_1')],
    }).validate({ customer: { source_id: 'jo' } }).redeemables[0].status

  expect([counted(exact), counted(tooMany)]).toEqual(['APPLICABLE', 'INAPPLICABLE'])
})
