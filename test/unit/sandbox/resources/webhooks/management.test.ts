import { expect, test } from 'vitest'
import { manage } from '../../../../support/manage.ts'
import { type TestSandbox, testNow, testSandbox } from '../../../../support/sandbox.ts'

/** Calls with the management pair. */
/** Calls the webhooks of the main project. */
const webhooks = (sandbox: TestSandbox, method: string, tail = '', body?: unknown) =>
  manage(sandbox, method, `/${sandbox.project.id}/webhooks${tail}`, body)

test('a webhook is created active, and shown as it was created', () => {
  const sandbox = testSandbox()
  const given = { target_url: 'https://shop.example/hooks', events: ['voucher.created', 'voucher.deleted'] }

  const { status, body } = webhooks(sandbox, 'POST', '', given)

  const id = expect.stringMatching(/^wh_[0-9a-f]{18}$/)
  expect([status, body]).toEqual([200, { ...given, id, object: 'webhook', created_at: testNow, active: true }])
  expect(webhooks(sandbox, 'GET', `/${body.id}`).body).toEqual(body)
})

test('all webhooks of a project are listed at once, and without any the list is empty', () => {
  const sandbox = testSandbox()
  const list = (...data: object[]) => ({ object: 'list', data_ref: 'data', data, total: data.length })
  expect(webhooks(sandbox, 'GET').body).toEqual(list())

  const given = { target_url: 'http://127.0.0.1:1', events: ['voucher.created'], active: false }
  for (let n = 0; n < 25; n += 1) webhooks(sandbox, 'POST', '', given)

  expect(webhooks(sandbox, 'GET').body).toMatchObject(list(...Array(25).fill(given)))
})

test.each([['voucher.gift.balance_aded', 'campaign.vouchers.aded'], ['voucher.loyalty_card.points_added']])(
  'both spellings of a misspelt event name are accepted, and shown as they were sent: %s',
  (...events) => {
    const answer = webhooks(testSandbox(), 'POST', '', { target_url: 'http://127.0.0.1:1', events })

    expect(answer.body.events).toEqual(events)
  },
)

const target_url = 'http://a.example'

test.each([
  ["Payload must have required property 'target_url'", { events: ['voucher.created'] }],
  ["Payload must have required property 'events'", { target_url }],
  [
    /^Property \.events\[0\] must be equal to one of the allowed values: redemption\.succeeded, .*voucher\.disabled/,
    { target_url, events: ['voucher.invented'] },
  ],
  [
    'Property .events must NOT have duplicate items',
    { target_url, events: ['campaign.vouchers.aded', 'campaign.vouchers.added'] },
  ],
  ['Property .target_url must be an http or https address', { target_url: 'ftp://a', events: ['voucher.created'] }],
])('an invalid configuration is refused: %s', (details, asked) => {
  const body = { key: 'invalid_payload', details: expect.stringMatching(details) }
  expect(webhooks(testSandbox(), 'POST', '', asked)).toMatchObject({ status: 400, body })
})

test('an update replaces all events, and activates a webhook when active is omitted', () => {
  const sandbox = testSandbox()
  const before = { target_url: 'http://127.0.0.1:1', events: ['voucher.created', 'voucher.deleted'], active: false }
  const created = webhooks(sandbox, 'POST', '', before).body

  const after = { target_url: 'http://127.0.0.1:2', events: ['voucher.gift.balance_aded'] }
  const changed = webhooks(sandbox, 'PUT', `/${created.id}`, after).body
  expect(changed).toEqual({ ...created, ...after, active: true })
})

test('a deleted webhook is a 404', () => {
  const sandbox = testSandbox()
  const { id } = webhooks(sandbox, 'POST', '', { target_url, events: ['voucher.created'] }).body

  expect(webhooks(sandbox, 'DELETE', `/${id}`)).toMatchObject({ status: 204, body: undefined })
  const body = { key: 'not_found', resource_type: 'webhook', resource_id: id }
  for (const method of ['GET', 'DELETE'])
    expect(webhooks(sandbox, method, `/${id}`)).toMatchObject({ status: 404, body })
})
