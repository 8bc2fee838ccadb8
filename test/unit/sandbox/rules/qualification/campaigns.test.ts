import { expect, test } from 'vitest'
import type { RuleTree } from '../../../../../src/sandbox/rules/conditions/rule.ts'
import { qualifyCampaigns } from '../../../../../src/sandbox/rules/qualification/campaigns.ts'
import type { Campaign } from '../../../../../src/sandbox/rules/redeemable.ts'
import { type State, snapshotOf } from '../state.ts'

const call = { id: 'qfl_1', now: '2026-06-10T12:00:00.000Z' }

test('a campaign that qualifies is listed in full, in the documented envelope', () => {
  const state: State = { campaigns: [campaign('A', { vouchers_count: 3, metadata: { a: 1 } })] }

  expect(qualifyCampaigns(snapshotOf(state), { customer: { source_id: 'jo' } }, call)).toEqual({
    body: {
      object: 'list',
      data_ref: 'data',
      data: [
        {
          id: 'camp_A',
          name: 'A',
          campaign_type: 'DISCOUNT_COUPONS',
          type: 'AUTO_UPDATE',
          active: true,
          creation_status: 'DONE',
          created_at: '2026-01-01T00:00:00.000Z',
          vouchers_count: 3,
          metadata: { a: 1 },
        },
      ],
      total: 1,
      id: 'qfl_1',
      created_at: '2026-06-10T12:00:00.000Z',
      tracking_id: 'track_jo',
    },
  })
})

test('without campaigns the list is empty', () => {
  expect(qualifyCampaigns(snapshotOf(), {}, call)).toMatchObject({ body: { data: [], total: 0 } })
})

test.each<[string, Partial<Campaign> & { vouchers_count?: number }]>([
  ['is a promotion', { campaign_type: 'PROMOTION' }],
  ['is a loyalty program', { campaign_type: 'LOYALTY_PROGRAM' }],
  ['has one standalone code', { type: 'STANDALONE' }],
  ['is disabled', { active: false }],
  ['is not created yet', { creation_status: 'IN_PROGRESS' }],
  ['has ended', { expiration_date: '2026-06-01T00:00:00.000Z' }],
  ['has not begun', { start_date: '2026-07-01T00:00:00.000Z' }],
  ['works on Sundays', { validity_day_of_week: [0] }],
])('a campaign that %s is not listed', (_, fields) => {
  expect(qualified({ campaigns: [campaign('A', fields), campaign('B')] })).toEqual(['B'])
})

test.each([
  [undefined, []],
  [{ metadata: { level: 'tin' } }, []],
  [{ metadata: { level: 'gold' } }, ['A']],
])('a rule on the customer with %j lists %j', (customer, expected) => {
  const state = ruled('customer.metadata', { $is: ['gold'] }, 'level')

  expect(qualified(state, customer ? { customer } : {})).toEqual(expected)
})

test('with audience rules only a rule on the order does not count', () => {
  const state = ruled('order.amount', { $more_than: [10000] })

  const all = qualified(state, { order: { amount: 5000 } })
  const audience = qualified(state, { order: { amount: 5000 } }, { audienceRulesOnly: true })

  expect(all).toEqual([])
  expect(audience).toEqual(['A'])
})

test('a rule on the total sees the order with the discount of the campaign', () => {
  const state = ruled('order.total_amount', { $less_than: [5000] })
  state.campaigns = [
    campaign('A', { voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1000 } } }),
  ]

  expect(qualified(state, { order: { amount: 5500 } })).toEqual(['A'])
})

test('without a discount the total is the unchanged order', () => {
  expect(qualified(ruled('order.total_amount', { $less_than: [5000] }), { order: { amount: 5500 } })).toEqual([])
})

test('a campaign for the holders of its vouchers is not listed', () => {
  const state = ruled('publication.redeemable_by_linked_customer', { $is: [true] })

  const names = qualified(state, { customer: { name: 'Jo' } })
  const audience = qualified(state, { customer: { name: 'Jo' } }, { audienceRulesOnly: true })

  expect(names).toEqual([])
  expect(audience).toEqual([])
})

test.each([
  [undefined, ['C', 'B', 'A']],
  ['created_at', ['A', 'B', 'C']],
  ['-campaign', ['C', 'B', 'A']],
  ['code', ['A', 'B', 'C']],
  ['category', ['B', 'C', 'A']],
  ['-category', ['C', 'B', 'A']],
])('the order %s lists %j', (order, expected) => {
  const campaigns = [
    campaign('B', { created_at: '2026-01-02T00:00:00.000Z', category: 'food' }),
    campaign('A', { category: null }),
    campaign('C', { created_at: '2026-01-03T00:00:00.000Z', category: 'wine' }),
  ]

  expect(qualified({ campaigns }, {}, order === undefined ? {} : { order })).toEqual(expected)
})

test('the limit cuts the list, and the total is what is returned', () => {
  const result = qualifyCampaigns(snapshotOf({ campaigns: [campaign('A'), campaign('B')] }), {}, call, { limit: 1 })

  expect(result).toMatchObject({ body: { total: 1 } })
})

test('an unknown customer id is refused', () => {
  const result = qualifyCampaigns(snapshotOf(), { customer: { id: 'cust_x' } }, call)

  expect(result).toMatchObject({ refusal: { code: 404, resource_type: 'customer' } })
})

function campaign(name: string, more: Partial<Campaign> & { vouchers_count?: number } = {}): Campaign {
  return {
    id: `camp_${name}`,
    name,
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'AUTO_UPDATE',
    active: true,
    creation_status: 'DONE',
    created_at: '2026-01-01T00:00:00.000Z',
    ...more,
  }
}

function ruled(name: string, conditions: Record<string, unknown[]>, property?: string): State {
  const rules: RuleTree = { '1': { name, conditions, ...(property !== undefined && { property }) }, logic: '1' }
  return { campaigns: [campaign('A')], rules: [{ owner: 'campaign', id: 'camp_A', rule: { id: 'val_1', rules } }] }
}

function qualified(
  state: State,
  request: Parameters<typeof qualifyCampaigns>[1] = {},
  query: Parameters<typeof qualifyCampaigns>[3] = {},
) {
  const result = qualifyCampaigns(snapshotOf(state), request, call, query)
  if ('refusal' in result) throw new Error(`refused: ${result.refusal.details}`)
  return (result.body.data as Campaign[]).map(({ name }) => name)
}
