// What SQLite reads for calls on a large project: it has no statistics, and between two indexes it guesses.
import { expect, test, vi } from 'vitest'
import { resources } from '../../../../src/sandbox/resources.ts'
import type { Declaration } from '../../../../src/sandbox/storage/collection.ts'
import { type Condition, comparable, is, isIn } from '../../../../src/sandbox/storage/conditions.ts'
import type { Bound } from '../../../../src/sandbox/storage/database.ts'
import { compileFilters } from '../../../../src/sandbox/storage/filters.ts'
import { club, coupons } from '../../../support/campaigns.ts'
import { testNow, testSandbox } from '../../../support/sandbox.ts'

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
    const rule = sandbox.post('/v1/validation-rules', {
      name,
      rules: { 1: { name, conditions: { $less_than: [9] } }, logic: '1' },
    })
    sandbox.post(`/v1/validation-rules/${rule.body.id}/assignments`, { voucher: ['X', 'Y'][n] })
  }
  sandbox.post('/v1/publications', { customer: 'ada', campaign: 'Once' })
  // Where nothing is held, nothing is looked for.
  sandbox.post('/v1/validations', { ...validated('Y'), session: { type: 'LOCK' } })
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
const validated = (id: string) => ({ redeemables: [{ object: 'voucher', id }], customer: { source_id: 'ada' }, order })

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
    'a rule about the redemptions of a customer reads none of them',
    '/v1/validations',
    validated('X'),
    'redemptions',
    [],
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
  for (const code of ['D', 'E', 'F']) sandbox.post('/v1/campaigns/Once/vouchers', { code })

  const plans = plansOf(sandbox, '/v1/publications', { customer: 'bob', campaign: 'Once' }, 'vouchers')

  expect(plans).toEqual(['vouchers.holder_id holder_id=?'])
})

const declarations = resources.flatMap(({ collections }) => collections ?? [])

/** The index that a list by page reads, and what it seeks there. */
function indexRead(declared: Declaration, where: readonly Condition[], order: string): string {
  const { store } = testSandbox()
  const spy = vi.spyOn(store.db, 'all')
  store.in(declared, 'proj_1').page(where, order, 10, 1)
  const [sql = '', ...values] = spy.mock.lastCall ?? []
  vi.restoreAllMocks()
  const [step] = store.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
  store.close()
  return step?.detail ?? ''
}

test.each(
  declarations.flatMap((declared) =>
    Object.keys(declared.indexed ?? {}).flatMap((field) =>
      ['-created_at', 'updated_at', 'id'].map((order) => [declared.name, field, order, declared] as const),
    ),
  ),
)('a page of %s with one %s, ordered by %s, reads no others', (name, field, order, declared) => {
  for (const where of [is(declared, field, 'x'), isIn(declared, field, ['x', 'y']), filtered(declared, field)])
    expect(indexRead(declared, [where], order)).toMatch(
      new RegExp(`^SEARCH ${name} USING INDEX ${name}\\.${field}(\\.created_at)? \\(.* AND ${field}=\\?\\)`),
    )
})

test.each(
  declarations.flatMap((declared) =>
    (declared.many ?? []).flatMap((many) =>
      Object.keys(declared.indexed ?? {})
        .filter((few) => !declared.many?.includes(few))
        .map((few) => [declared.name, few, many, declared] as const),
    ),
  ),
)('a page of %s with one %s and one %s finds those of the first', (name, few, many, declared) => {
  const where = [is(declared, many, 'x'), is(declared, few, 'y')]

  expect(indexRead(declared, where, '-created_at')).toContain(`USING INDEX ${name}.${few} (`)
})

test.each(
  declarations.flatMap((declared) => (declared.many ?? []).map((field) => [declared.name, field, declared] as const)),
)('the newest %s with one %s are not sorted', (name, field, declared) => {
  expect(indexRead(declared, [is(declared, field, 'x')], '-created_at')).toContain(`${name}.${field}.created_at (`)
})

test.each(
  declarations
    .filter(({ many }) => many?.includes('campaign_id'))
    .map((declared) => [declared.name, declared] as const),
)('the %s of a campaign are not counted for its list', (_, declared) => {
  const { store } = testSandbox()
  const spy = vi.spyOn(store.db, 'get')

  store.in(declared, 'proj_1').count([is(declared, 'campaign_id', 'x')])

  expect(spy.mock.lastCall?.[0]).not.toContain('count(*)')
  vi.restoreAllMocks()
  store.close()
})

/** The condition of a filter that a call has in its query. */
function filtered(declared: Declaration, field: string): Condition {
  const { kind } = comparable(declared, field) ?? {}
  const operand = kind === 'number' ? '1' : kind === 'date' ? testNow : 'x'
  return compileFilters(declared, { [field]: { conditions: { $is: [operand] } } }, testNow)
}

test('what a redemption and its rollback change is found by its key', () => {
  const { store, post } = shop()
  const { all, run } = store.db
  const wide = new Set<string>()
  vi.spyOn(store.db, 'run').mockImplementation((sql, ...values) => {
    if (/^(?:INSERT|UPDATE|DELETE)/.test(sql))
      for (const { detail } of all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values))
        if (/^SEARCH .*\(project_id=\?\)$|^SCAN (?!json_each|each|one|own|\()/.test(detail))
          wide.add(`${detail}: ${sql}`)
    return run(sql, ...values)
  })

  const made = post('/v1/redemptions', validated('Z'))
  const { status } = post(`/v1/redemptions/${made.body.redemptions[0].id}/rollback`, {})
  vi.restoreAllMocks()

  expect([made.status, status]).toEqual([200, 200])
  expect([...wide]).toEqual([])
})
