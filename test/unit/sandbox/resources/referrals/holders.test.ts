import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const campaign = { type: 'STANDALONE', active: true, metadata: {} }
const off = { discount: { type: 'PERCENT', percent_off: 15 } }
const code = "ADA'S FRIENDS/☕"
const members = `/v1/referrals/members/${encodeURIComponent(code)}/holders`

/** A referral code of Ada's with a name that needs escaping, and a referee of it, Bob. */
function referrals(more: Record<string, unknown> = {}) {
  return testSandbox({
    fixture: {
      campaigns: [
        { ...campaign, id: 'camp_friends', name: 'Bring a friend', campaign_type: 'REFERRAL_PROGRAM' },
        { ...campaign, id: 'camp_other', name: 'Other friends', campaign_type: 'REFERRAL_PROGRAM' },
      ],
      customers: ['ada', 'bob', 'eve'].map((name) => ({
        id: `cust_${name}`,
        source_id: name,
        name: null,
        email: null,
        metadata: {},
        object: 'customer',
      })),
      vouchers: [
        { id: 'v_1', code, ...off, campaign_id: 'camp_friends', holder_id: 'cust_ada', publish: { count: 1 } },
        { id: 'v_2', code: 'FREE', ...off, campaign_id: 'camp_friends' },
        { id: 'v_3', code: 'PLAIN', ...off },
      ],
      redeemable_holders: [
        {
          id: 'rh_1',
          created_at: '2026-01-01T00:00:00.000Z',
          redeemable_id: 'v_1',
          redeemable_object: 'voucher',
          campaign_id: 'camp_friends',
          campaign_type: 'REFERRAL_PROGRAM',
          voucher_type: 'DISCOUNT_VOUCHER',
          customer_id: 'cust_ada',
          holder_role: 'REFERRER',
          metadata: {},
          object: 'redeemable_holder',
        },
      ],
      ...more,
    },
  })
}

test('customers become referees of a code, known ones and new ones, in the order of the request', () => {
  const { ask, events } = referrals()
  const people = [{ source_id: 'new', name: 'Nia' }, { id: 'cust_bob' }, { source_id: 'eve' }]

  const { holders } = ask(`POST ${members}`, { holders: people, metadata: { wave: 1 } }, 200)

  const { id, name } = ask('GET /v1/customers/new')
  expect(name).toBe('Nia')
  expect(holders[0]).toEqual({
    id: expect.stringMatching(/^rh_/),
    created_at: '2026-05-06T07:08:09.123Z',
    redeemable_id: 'v_1',
    redeemable_object: 'voucher',
    campaign_id: 'camp_friends',
    campaign_type: 'REFERRAL_PROGRAM',
    voucher_type: 'DISCOUNT_VOUCHER',
    customer_id: id,
    holder_role: 'REFEREE',
    metadata: { wave: 1 },
    object: 'redeemable_holder',
  })
  expect(holders).toMatchObject([id, 'cust_bob', 'cust_eve'].map((customer_id) => ({ customer_id })))
  expect(events()).toEqual([['customer.created', id]])
})

test('the form with the campaign takes its id and its name, and the code or its id', () => {
  const { ask } = referrals()

  for (const path of [`camp_friends/members/${encodeURIComponent(code)}`, 'Bring%20a%20friend/members/v_1'])
    ask(`POST /v1/referrals/${path}/holders`, { holders: [{ source_id: path }] }, 200)
  ask(`GET ${members}`, { total: 3 })
})

test('a hundred holders may be added at once, one more may not', () => {
  const { post } = referrals()
  const people = (count: number) => Array.from({ length: count }, (_, n) => ({ source_id: `p${n}` }))

  expect(post(members, { holders: people(101) }).body.details).toBe(
    'Property .holders must NOT have more than 100 items',
  )
  expect(post(members, { holders: people(100) }).body.holders).toHaveLength(100)
})

test.each<[string, unknown, number, string, string]>([
  ['no holders', [], 400, 'invalid_payload', 'Property .holders must NOT have fewer than 1 items'],
  ['an empty id', [{ source_id: 'x' }, { source_id: '' }], 400, 'invalid_payload', 'Property .holders[1]'],
  ['an empty id first', [{ source_id: '' }], 400, 'invalid_payload', 'Property .holders[0]'],
  ['a holder without an id', [{ name: 'X' }], 400, 'invalid_payload', 'Property .holders[0]'],
  ['an unknown id', [{ source_id: 'x' }, { id: 'cust_x' }], 404, 'not_found', 'Cannot find customer with id cust_x'],
  [
    'a source id twice',
    [{ source_id: 'x' }, { source_id: 'x' }],
    409,
    'duplicate_found',
    'Duplicated customer exists with id x',
  ],
  ['an id twice', [{ id: 'cust_bob' }, { id: 'cust_bob' }], 409, 'duplicate_found', 'cust_bob'],
  ['one customer under both ids', [{ id: 'cust_bob' }, { source_id: 'bob' }], 409, 'duplicate_found', 'cust_bob'],
  ['the referrer', [{ source_id: 'x' }, { source_id: 'ada' }], 409, 'holder_assignement_duplication', 'ada'],
])('a request with %s is refused, and adds no holder', (_, holders, status, key, details) => {
  const { post, get, events } = referrals()

  const answer = post(members, { holders })

  expect(answer.status).toBe(status)
  expect(answer.body.key).toBe(key)
  expect(answer.body.details).toContain(details)
  expect(get(members).body.total).toBe(1)
  expect(get('/v1/customers/x').status).toBe(404)
  expect(events()).toEqual([])
})

test('a referee cannot be added a second time', () => {
  const { ask } = referrals()
  ask(`POST ${members}`, { holders: [{ source_id: 'bob' }] })

  ask(
    `POST ${members}`,
    { holders: [{ source_id: 'eve' }, { source_id: 'bob' }] },
    {
      code: 409,
      key: 'holder_assignement_duplication',
      message: 'Customer is already assigned to given redeemable',
      resource_id: 'cust_bob',
      resource_type: 'customer',
    },
  )
  ask(`GET ${members}`, { total: 2 })
})

test.each<[string, string]>([
  ['members/NOPE', 'not_found'],
  ['camp_nope/members/FREE', 'not_found'],
  ['camp_other/members/FREE', 'not_found'],
  ['members/PLAIN', 'invalid_voucher'],
  ['members/FREE', 'not_published'],
])('adding holders to %s is refused as %s', (path, key) => {
  const { ask } = referrals()

  ask(`POST /v1/referrals/${path}/holders`, { holders: [{ source_id: 'x' }] }, key)
  ask('GET /v1/customers/x', 404)
})

test('the metadata of holders follows the schema of publications', () => {
  const schema = { related_object: 'publication', properties: { wave: { type: 'number' } } }
  const { ask } = referrals({ metadata_schemas: [schema] })
  const holders = [{ source_id: 'bob' }]

  for (const metadata of [{ wave: 'one' }, undefined])
    ask(`POST ${members}`, { holders, metadata }, 'metadata_validation_failed')
  ask(`POST ${members}`, { holders, metadata: { wave: 1 } }, 200)
})

test('holders are listed newest first, by cursor, with their total', () => {
  const { ask } = referrals()
  ask(`POST ${members}`, { holders: [{ source_id: 'bob' }, { source_id: 'eve' }] })
  const list = (query: string, ...names: string[]) =>
    ask(`GET ${members}?${query}`, { data: names.map((name) => ({ customer_id: `cust_${name}` })) })

  const first = list('limit=2', 'ada', 'eve')
  expect(first).toMatchObject({ object: 'list', data_ref: 'data', total: 3, has_more: true })
  list('', 'ada', 'eve', 'bob')
  list(`limit=2&starting_after_id=${first.more_starting_after}`, 'bob')
  list('order=id', 'bob', 'eve', 'ada')
  list('filters[holder_role][conditions][$is]=REFERRER', 'ada')
  list('filters[customer_id][conditions][$in][0]=cust_eve', 'eve')
  list('filters[created_at][conditions][$before]=2026-02-01', 'ada')
  ask('GET /v1/referrals/members/FREE/holders', { data: [], total: 0, has_more: false })
  ask('GET /v1/referrals/members/NOPE/holders', 404)
  ask(`GET ${members}?filters[colour][conditions][$is]=x`, 400)
})

test('a referee is removed and may be added again, the referrer stays', () => {
  const { ask } = referrals()
  const holders = [{ source_id: 'bob' }]
  const { id } = ask(`POST ${members}`, { holders }).holders[0]

  ask(`DELETE ${members}/rh_1`, { key: 'forbidden', details: 'You can not remove Referrer assignment' })
  ask(`DELETE /v1/referrals/camp_other/members/FREE/holders/${id}`, 404)
  const error = { key: 'not_found', resource_type: 'redeemable_holder', resource_id: id }
  ask(`DELETE /v1/referrals/members/FREE/holders/${id}`, error)
  ask(`DELETE ${members}/${id}`, 204)
  ask(`DELETE ${members}/${id}`, 404)
  ask(`POST ${members}`, { holders }, 200)
})

test.each<[string, Record<string, unknown>, string]>([
  ['of a plain code', { redeemable_id: 'v_3' }, 'redeemable_holders[0]: Cannot find voucher with id v_3'],
  ['of an unknown customer', { customer_id: 'cust_x' }, 'redeemable_holders[0]: Cannot find customer with id cust_x'],
  ['of another role', { holder_role: 'FRIEND' }, 'redeemable_holders[0]: Property .holder_role'],
])('a fixture with a holder %s is refused', (_, more, message) => {
  const holder = { redeemable_id: 'v_1', customer_id: 'cust_ada', holder_role: 'REFERRER' }

  expect(() => referrals({ redeemable_holders: [{ ...holder, ...more }] })).toThrow(message)
})

test('of the ids of two customers the id decides', () => {
  const answer = referrals().post(members, { holders: [{ id: 'cust_bob', source_id: 'eve' }] })

  expect(answer).toMatchObject({ status: 200, body: { holders: [{ customer_id: 'cust_bob' }] } })
})
