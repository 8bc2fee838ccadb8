// What happened to vouchers, campaigns and cards; the activity of customers is tested beside their deletion.
import { expect, test } from 'vitest'
import { openShop } from '../../../support/redemptions.ts'

const typesOf = (list: { data: Array<{ type: string }> }) => list.data.map(({ type }) => type)

/** Code A was redeemed, disabled and enabled, code B was redeemed; Ada's card got points. */
function busyShop() {
  const shop = openShop()
  shop.redeem(['A'])
  for (const act of ['disable', 'enable']) shop.post(`/v1/vouchers/A/${act}`)
  shop.redeem(['B/ 1'])
  shop.post('/v1/loyalties/members/C/balance', { points: 5 })
  const activity = (path: string, query = '') => shop.get(`/v1/${path}/activity`, query).body
  return { ...shop, activity }
}

test('the activity of a voucher lists the events about it, newest first, and no others', () => {
  const { activity } = busyShop()

  const { data, ...list } = activity('vouchers/A')

  expect(list).toEqual({ object: 'list', data_ref: 'data', has_more: false })
  expect(typesOf({ data })).toEqual(['voucher.enabled', 'voucher.disabled', 'redemption.succeeded'])
  expect(data[0].data).toMatchObject({ voucher: { code: 'A', active: true }, campaign: { id: 'camp_codes' } })
  expect(typesOf(activity('vouchers/B%2F%201'))).toEqual(['redemption.succeeded'])
})

test('the activity of a campaign has what happened to its codes', () => {
  const { activity, ask } = busyShop()
  ask('PUT /v1/campaigns/Codes', { description: 'Spring' })

  const types = ['campaign.updated', 'voucher.enabled', 'voucher.disabled', 'redemption.succeeded']
  expect(typesOf(activity('campaigns/Codes'))).toEqual(types)
})

test.each(['members/C', 'camp_club/members/C'])('the activity of a card is listed under %s', (path) => {
  const { activity, ask } = busyShop()

  const first = activity(`loyalties/${path}`, 'limit=1')
  const rest = activity(`loyalties/${path}`, `starting_after_id=${first.more_starting_after}`)

  expect(ask(`GET /v1/loyalties/${path}/activities?limit=1`)).toEqual(first)
  expect(first).toMatchObject({ has_more: true, more_starting_after: first.data[0].id })
  const types = ['points_added', 'transaction.created'].map((name) => `voucher.loyalty_card.${name}`)
  expect([...typesOf(first), ...typesOf(rest)].toSorted()).toEqual(types)
})

test.each([
  ['loyalties/members/A', 'voucher'],
  ['loyalties/camp_codes/members/C', 'campaign'],
])('the activity of %s, which is not there, is a 404', (path, resource_type) => {
  expect(busyShop().activity(path)).toMatchObject({ code: 404, resource_type })
})

test('a customer who is deleted for good leaves no activity, not even of the code they redeemed', () => {
  const { activity, post, redeem } = busyShop()
  redeem(['B/ 1'], { customer: { source_id: 'ada' } })

  post('/v1/customers/ada/permanent-deletion')

  expect(typesOf(activity('vouchers/B%2F%201'))).toEqual(['redemption.succeeded'])
})
