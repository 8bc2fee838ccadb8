import { expect, test } from 'vitest'
import { clubWith, emptyCard, freeCard, programs } from '../../../../support/loyalty.ts'

const path = '/v1/loyalties/camp_club/members'
const code_config = { length: 6, prefix: 'NEW-' }
const growing = programs.map((program) =>
  program.id === 'camp_club'
    ? { ...program, type: 'AUTO_UPDATE', voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 5 }, code_config } }
    : program,
)

test('a new customer gets a free card of a program, which publishes it', () => {
  const { post, get, events } = clubWith([], { vouchers: ['A', 'B'].map((code) => freeCard(code)) })

  const { status, body } = post(path, { customer: { source_id: 'nia', name: 'Nia' } })
  const nia = get('/v1/customers/nia').body

  expect(status).toBe(200)
  expect(body).toMatchObject({ code: 'A', type: 'LOYALTY_CARD', holder_id: nia.id, publish: { count: 1 } })
  expect(nia.name).toBe('Nia')
  expect(events().map(([type]) => type)).toEqual(['customer.created', 'publication.succeeded', 'voucher.published'])
})

test('a card is requested by its code, and a customer by source id alone', () => {
  const { post, get } = clubWith([], { vouchers: ['A', 'B/1'].map((code) => freeCard(code)) })

  expect(post(path, { customer: 'nia', voucher: 'B/1', channel: 'till' }).body.code).toBe('B/1')
  expect(get('/v1/publications').body.publications[0]).toMatchObject({ channel: 'till' })
})

test('a program that generates its own cards generates one more for a new member', () => {
  const { body } = clubWith([], { campaigns: growing }).post(path, { customer: { source_id: 'nia' } })

  expect(body).toMatchObject({ code: expect.stringMatching(/^NEW-.{6}$/), loyalty_card: { points: 5, balance: 5 } })
})

test.each<[string, string, unknown, number, string]>([
  ['a program without free cards', path, { customer: 'x' }, 400, 'no_voucher_suitable_for_publication'],
  ['a card that is already held', path, { customer: 'x', voucher: 'HELD' }, 400, 'voucher_already_published'],
  ['a card of another program', path, { customer: 'x', voucher: 'T' }, 404, 'not_found'],
  ['an unknown program', '/v1/loyalties/Nope/members', { customer: 'x' }, 404, 'not_found'],
  ['a campaign that is not a program', '/v1/loyalties/Codes/members', { customer: 'x' }, 404, 'not_found'],
  ['no customer', path, {}, 400, 'invalid_payload'],
])('membership of %s is refused', (_, asked, body, status, key) => {
  const { post, get, events } = clubWith([], {
    customers: [{ id: 'cust_1', source_id: 'ada', metadata: {} }],
    vouchers: [
      emptyCard('HELD', 'camp_club', { holder_id: 'cust_1', publish: { count: 1 } }),
      emptyCard('T', 'camp_other'),
    ],
  })

  const answer = post(asked, body)

  expect(answer.status).toBe(status)
  expect(answer.body.key).toBe(key)
  expect(get('/v1/customers/x').status).toBe(404)
  expect(events()).toEqual([])
})
