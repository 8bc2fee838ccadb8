// What SQLite reads for calls on a large project: it has no statistics, and between two indexes it guesses.
import { expect, test, vi } from 'vitest'
import { endpoints } from '../../../../src/contract/catalogue.ts'
import { resources } from '../../../../src/sandbox/resources.ts'
import type { Declaration } from '../../../../src/sandbox/storage/collection.ts'
import { type Condition, comparable, is, isIn } from '../../../../src/sandbox/storage/conditions.ts'
import type { Bound } from '../../../../src/sandbox/storage/database.ts'
import { compileFilters } from '../../../../src/sandbox/storage/filters.ts'
import { club, coupons } from '../../../support/campaigns.ts'
import { testNow, testSandbox } from '../../../support/sandbox.ts'
import { sampled } from '../../../support/size.ts'
import { bodyOf, fullShop, senderOf } from '../../../support/write-calls.ts'

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
  const { ask } = sandbox
  for (const [n, name] of counted.entries()) {
    const rules = { 1: { name, conditions: { $less_than: [9] } }, logic: '1' }
    const { id } = ask('POST /v1/validation-rules', { name, rules })
    ask(`POST /v1/validation-rules/${id}/assignments`, { voucher: ['X', 'Y'][n] })
  }
  ask('POST /v1/publications', { customer: 'ada', campaign: 'Once' })
  // Where nothing is held, nothing is looked for.
  ask('POST /v1/validations', { ...validated('Y'), session: { type: 'LOCK' } })
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
const served = new Set(resources.flatMap(({ routes = [] }) => routes).map(({ endpoint }) => endpoint.id))

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

/** What reads or counts a whole table, and why that is no matter. */
const walks: Record<string, RegExp> = {
  'whether there is any': /^SELECT 1 AS one .* LIMIT 1$/,
  'the first job that is due': /^SELECT .* FROM jobs WHERE .* ORDER BY due_at, n LIMIT 1$/,
  'an export has all rows, and reads a slice at a time': / ORDER BY 2 (?:ASC|DESC), 3 (?:ASC|DESC) LIMIT \?$/,
  'the cards of a project that gets another time zone, a slice at a time':
    /^SELECT doc FROM "vouchers" WHERE .*'\$\.type'\) IS \?\) ORDER BY id ASC LIMIT \?$/,
  'what is in a category, which is deleted once':
    /^SELECT doc FROM "vouchers" WHERE .*'\$\.category_id'\) IS \?\) ORDER BY id$/,
}

/** The tables that a shop does not fill. What is cached is small. */
const small = ['segments', 'sqlite_schema', ...declarations.flatMap(({ name, cached }) => (cached ? [name] : []))]

/** What is refused in the shop below, so that it shows nothing. */
const refused =
  'oauth.token oauth.introspect oauth.revoke projects.delete promotions.tiers.delete rewards.delete stacking-rules.delete exports.delete ' +
  'validation-rules.unassign segments.delete trash-bin.delete vouchers.sessions.release referrals.holders.remove ' +
  'referrals.campaign-holders.remove customers.import products.import skus.import vouchers.import-csv campaigns.vouchers.import-csv'

test('what calls read and change, and the work after them, is found by a key', async () => {
  const wide = new Set<string>()
  const failed: string[] = []
  const writing = sampled(
    endpoints.filter(({ id, method }) => served.has(id) && method !== 'GET'),
    2,
  )
  for (const endpoint of writing) {
    const shop = fullShop()
    const send = senderOf(shop, endpoint)
    const { all } = shop.store.db
    const spied = (sql: string, values: Bound[]) => {
      const text = sql.replaceAll(/\s+/g, ' ').trim()
      if (!/^(?:INSERT|UPDATE|DELETE|SELECT) /.test(text)) return
      if (Object.values(walks).some((walk) => walk.test(text))) return
      for (const { detail } of all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)) {
        const [, table = ''] =
          /^SEARCH (\w+) .*\(project_id=\?(?: AND binned=\?)?\)$|^SCAN (\w+)/.exec(detail)?.filter(Boolean) ?? []
        if (table !== '' && !/^(?:json_each|each|one|own)$/.test(table) && !small.includes(table))
          wide.add(`${endpoint.id}: ${detail}: ${text}`)
      }
    }
    for (const method of ['all', 'get', 'run', 'insert'] as const) {
      const real = shop.store.db[method] as (sql: string, ...values: Bound[]) => never
      vi.spyOn(shop.store.db, method).mockImplementation((sql: string, ...values: Bound[]) => {
        spied(sql, values)
        return real(sql, ...values)
      })
    }
    const hasBody = endpoint.body !== undefined && endpoint.encoding === 'json'
    if (send(hasBody ? bodyOf(endpoint) : undefined).status >= 300) failed.push(endpoint.id)
    await shop.settled()
    vi.restoreAllMocks()
    shop.store.close()
  }

  expect([...wide]).toEqual([])
  const expected = refused.split(' ').filter((name) => writing.some(({ id }) => id === name))
  expect(failed.toSorted()).toEqual(expected.toSorted())
})
