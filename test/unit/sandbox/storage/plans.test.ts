// What SQLite reads for calls on a large project: it has no statistics, and between two indexes it guesses.
import { expect, test, vi } from 'vitest'
import type { Bound } from '../../../../src/sandbox/storage/database.ts'
import { club, coupons } from '../../../support/campaigns.ts'
import { testSandbox } from '../../../support/sandbox.ts'

const discount = { type: 'AMOUNT', amount_off: 100 }
const counted = ['redemption.count.per_customer', 'redemption.count.per_customer.monthly']

function shop() {
  const sandbox = testSandbox({
    fixture: {
      campaigns: [
        { ...coupons('Once', { join_once: true }), id: 'camp_once' },
        { ...club('Club'), id: 'camp_club' },
      ],
      vouchers: [
        ...['A', 'B', 'C'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_once', discount })),
        ...['X', 'Y', 'Z', 'ZZ'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER', discount })),
      ],
    },
  })
  for (const [n, name] of counted.entries()) {
    const rule = sandbox.call('POST', '/v1/validation-rules', {
      body: { name, rules: { 1: { name, conditions: { $less_than: [9] } }, logic: '1' } },
    })
    sandbox.call('POST', `/v1/validation-rules/${rule.body.id}/assignments`, { body: { voucher: ['X', 'Y'][n] } })
  }
  sandbox.call('POST', '/v1/publications', { body: { customer: 'ada', campaign: 'Once' } })
  // Where nothing is held, nothing is looked for.
  sandbox.call('POST', '/v1/validations', { body: { ...validated('Y'), session: { type: 'LOCK' } } })
  return sandbox
}

/** Calls once, and returns how each SELECT on one of the tables was read: its index, and what it seeks in it. */
function plansOf({ store, call }: ReturnType<typeof shop>, path: string, body: unknown, tables: string): string[] {
  const read = new Set<string>()
  const { all } = store.db
  const spied =
    (method: 'all' | 'get') =>
    <Row>(sql: string, ...values: Bound[]) => {
      for (const { detail } of all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)) {
        const seek = /^SEARCH (\S+) USING INDEX (\S+) \((.*)\)$/.exec(detail)
        if (seek && tables.split('|').includes(seek[1] ?? '')) read.add(`${seek[2]} ${seek[3]?.split(' AND ').at(-1)}`)
        expect(detail).not.toMatch(new RegExp(`^SCAN (${tables})\\b`))
      }
      return original[method](sql, ...values) as Row & Row[]
    }
  const original = { all, get: store.db.get }
  vi.spyOn(store.db, 'all').mockImplementation(spied('all'))
  vi.spyOn(store.db, 'get').mockImplementation(spied('get'))
  const { status } = call('POST', path, { body })
  vi.restoreAllMocks()
  expect(status).toBe(200)
  return [...read].filter((plan) => !/ (id|code)=\?$/.test(plan)).sort()
}

const order = { amount: 1000 }
const validated = (id: string) => ({
  redeemables: [{ object: 'voucher', id }],
  customer: { source_id: 'ada' },
  order,
})

test.each([
  [
    'a customer who joins again receives the earlier publication',
    '/v1/publications',
    { customer: 'ada', campaign: 'Once' },
    'vouchers|publications',
    ['publications.customer_id customer_id=?', 'vouchers.holder_id holder_id=?'],
  ],
  [
    'a free code of one campaign of several is found',
    '/v1/publications',
    { customer: 'bob', campaign: 'Once' },
    'vouchers|publications',
    ['vouchers.campaign_id campaign_id=?', 'vouchers.holder_id holder_id=?'],
  ],
  [
    'a validation reads the rules and the locks of its redeemables only',
    '/v1/validations',
    { ...validated('Z'), session: { type: 'LOCK' } },
    'validation_rules_assignments|session_locks',
    [
      'session_locks.expires_at expires_at<?',
      'session_locks.voucher_id voucher_id=?',
      'validation_rules_assignments.related_object_id related_object_id=?',
    ],
  ],
  [
    'a validation of several codes reads those only',
    '/v1/validations',
    { redeemables: ['X', 'Z', 'ZZ'].map((id) => ({ object: 'voucher', id })), customer: { source_id: 'ada' }, order },
    'vouchers',
    [],
  ],
  [
    'a rule about the redemptions of a customer reads those of the customer',
    '/v1/validations',
    validated('X'),
    'redemptions',
    ['redemptions.customer_id customer_id=?'],
  ],
  [
    'a rule about the redemptions of a customer this month reads those of the customer',
    '/v1/validations',
    validated('Y'),
    'redemptions',
    ['redemptions.customer_id customer_id=?'],
  ],
])('%s', (_, path, body, tables, plans) => {
  expect(plansOf(shop(), path, body, tables)).toEqual(plans)
})

test('where nearly all codes belong to the campaign, those that are published are not walked past', () => {
  const sandbox = shop()
  for (const code of ['D', 'E', 'F']) sandbox.call('POST', '/v1/campaigns/Once/vouchers', { body: { code } })

  const plans = plansOf(sandbox, '/v1/publications', { customer: 'bob', campaign: 'Once' }, 'vouchers')

  expect(plans).toEqual(['vouchers.holder_id holder_id=?'])
})
