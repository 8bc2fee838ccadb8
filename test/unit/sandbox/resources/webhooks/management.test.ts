import { expect, test } from 'vitest'
import { type TestSandbox, testNow, testSandbox } from '../../../../support/sandbox.ts'

/** Calls with the management pair. */
function manage(sandbox: TestSandbox, method: string, path: string, body?: unknown) {
  const { management_id, management_token, project_id } = sandbox.credentials
  const headers = {
    'x-app-id': undefined,
    'x-app-token': undefined,
    'x-management-id': management_id,
    'x-management-token': management_token,
  }
  return sandbox.call(method, `/management/v1/projects/${project_id}${path}`, { body, headers })
}

test('a webhook is created active, and shown as it was created', () => {
  const sandbox = testSandbox()

  const body = { target_url: 'https://shop.example/hooks', events: ['voucher.created', 'voucher.deleted'] }
  const answer = manage(sandbox, 'POST', '/webhooks', body)

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^wh_[0-9a-f]{18}$/),
      object: 'webhook',
      created_at: testNow,
      target_url: 'https://shop.example/hooks',
      events: ['voucher.created', 'voucher.deleted'],
      active: true,
    },
  ])
  expect(manage(sandbox, 'GET', `/webhooks/${answer.body.id}`).body).toEqual(answer.body)
})

test('all webhooks of a project are listed at once, and without any the list is empty', () => {
  const sandbox = testSandbox()
  const none = manage(sandbox, 'GET', '/webhooks').body
  const body = { target_url: 'http://127.0.0.1:1', events: ['voucher.created'], active: false }
  for (let n = 0; n < 25; n += 1) manage(sandbox, 'POST', '/webhooks', body)

  const many = manage(sandbox, 'GET', '/webhooks').body

  expect(none).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 })
  expect(many).toMatchObject({ object: 'list', data_ref: 'data', total: 25 })
  expect(many.data.length).toBe(25)
})

test('both spellings of a misspelt event name are accepted, and shown as they were sent', () => {
  const sandbox = testSandbox()
  const target_url = 'http://127.0.0.1:1'

  const misspelt = ['voucher.gift.balance_aded', 'campaign.vouchers.aded']
  const first = manage(sandbox, 'POST', '/webhooks', { target_url, events: misspelt })
  const second = manage(sandbox, 'POST', '/webhooks', { target_url, events: ['voucher.loyalty_card.points_added'] })

  expect(first.body.events).toEqual(misspelt)
  expect(second.body.events).toEqual(['voucher.loyalty_card.points_added'])
})

test.each([
  ["Payload must have required property 'target_url'", { events: ['voucher.created'] }],
  ["Payload must have required property 'events'", { target_url: 'http://a.example' }],
  [
    /^Property \.events\[0\] must be equal to one of the allowed values: redemption\.succeeded, .*voucher\.disabled/,
    { target_url: 'http://a.example', events: ['voucher.invented'] },
  ],
  [
    'Property .events must NOT have duplicate items',
    { target_url: 'http://a.example', events: ['campaign.vouchers.aded', 'campaign.vouchers.added'] },
  ],
  [
    'Property .target_url must be an http or https address',
    { target_url: 'ftp://a.example', events: ['voucher.created'] },
  ],
])('an invalid configuration is refused: %s', (details, body) => {
  expect(manage(testSandbox(), 'POST', '/webhooks', body)).toMatchObject({
    status: 400,
    body: { key: 'invalid_payload', details: expect.stringMatching(details) },
  })
})

test('an update replaces all events, and activates a webhook when active is omitted', () => {
  const sandbox = testSandbox()
  const before = { target_url: 'http://127.0.0.1:1', events: ['voucher.created', 'voucher.deleted'], active: false }
  const { id, created_at } = manage(sandbox, 'POST', '/webhooks', before).body

  const after = { target_url: 'http://127.0.0.1:2', events: ['voucher.gift.balance_aded'] }
  expect(manage(sandbox, 'PUT', `/webhooks/${id}`, after).body).toEqual({
    id,
    created_at,
    object: 'webhook',
    active: true,
    target_url: 'http://127.0.0.1:2',
    events: ['voucher.gift.balance_aded'],
  })
})

test('a deleted webhook is a 404', () => {
  const sandbox = testSandbox()
  const body = { target_url: 'http://127.0.0.1:1', events: ['voucher.created'] }
  const { id } = manage(sandbox, 'POST', '/webhooks', body).body

  expect(manage(sandbox, 'DELETE', `/webhooks/${id}`)).toMatchObject({ status: 204, body: undefined })
  for (const method of ['GET', 'DELETE'])
    expect(manage(sandbox, method, `/webhooks/${id}`)).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_type: 'webhook', resource_id: id },
    })
})
