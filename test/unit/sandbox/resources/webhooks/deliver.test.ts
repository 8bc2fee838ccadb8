import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../../../src/contract/endpoint.ts'
import { signatureOf } from '../../../../../src/sandbox/http/envelope.ts'
import { noContent, route } from '../../../../../src/sandbox/http/route.ts'
import { webhooks } from '../../../../../src/sandbox/stores/webhooks.ts'
import { type Received, type Receiver, startReceiver } from '../../../../support/receiver.ts'
import { type TestSandbox, testNow, testSandbox } from '../../../../support/sandbox.ts'

const receivers: Receiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})

async function receiving(answer?: (response: ServerResponse, delivery: Received) => void): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  receivers.push(receiver)
  return receiver
}

/** A sandbox with one voucher to enable and disable, and webhooks `wh_0`, `wh_1` …. */
function withWebhooks(...configured: Array<{ target_url: string; events?: string[]; active?: boolean }>): TestSandbox {
  const given = configured.map((one, n) => ({ id: `wh_${n}`, events: ['voucher.disabled'], ...one }))
  const vouchers = [{ id: 'v_1', code: 'A', discount: { type: 'AMOUNT', amount_off: 100 } }]
  return testSandbox({ fixture: { vouchers, webhooks: given } })
}

const active = (sandbox: TestSandbox, id = 'wh_0') => sandbox.store.in(webhooks, sandbox.project.id).get(id)?.active

/** Lets time pass step by step, from the first instant on, and does what is due at each. */
async function passing(sandbox: TestSandbox, steps: number, ms: number, seen: (step: number) => void = () => {}) {
  for (let step = 0; step <= steps; step += 1) {
    sandbox.clock.now = new Date(Date.parse(testNow) + step * ms).toISOString()
    await sandbox.settled()
    seen(step)
  }
}

const statuses =
  (...codes: number[]) =>
  (response: ServerResponse) => {
    response.statusCode = codes.shift() ?? 200
    response.end()
  }

test('a change is delivered as the published envelope, signed over the bytes sent', async () => {
  const receiver = await receiving()
  const sandbox = withWebhooks({ target_url: `${receiver.url}/hooks?shop=1` })

  const { body: voucher } = sandbox.post('/v1/vouchers/A/disable')
  await sandbox.settled()

  const [delivery] = receiver.received as [Received]
  expect(receiver.received.length).toBe(1)
  expect([delivery.method, delivery.path, delivery.headers['content-type']]).toEqual([
    'POST',
    '/hooks?shop=1',
    'application/json',
  ])
  expect(delivery.headers['x-voucherify-signature']).toBe(signatureOf(delivery.raw, sandbox.project.webhook_secret))
  expect(delivery.raw).toBe(JSON.stringify(delivery.body))
  expect(delivery.body).toEqual({
    id: expect.stringMatching(/^whs_/),
    project_id: sandbox.project.id,
    created_at: testNow,
    type: 'voucher.disabled',
    data: { voucher },
    source: { id: 'wh_0', object: 'webhook', target_url: `${receiver.url}/hooks?shop=1` },
    event: {
      id: expect.stringMatching(/^evvou_/),
      type: 'voucher.disabled',
      created_at: testNow,
      entity_id: 'v_1',
      group_id: expect.stringMatching(/^v-/),
      event_source: { channel: 'API', api_key: { name: 'Sandbox', app_id: sandbox.project.app_id } },
    },
  })
})

test('only active webhooks subscribed to the event get it, each as its own delivery of the same event', async () => {
  const receiver = await receiving()
  const sandbox = withWebhooks(
    { target_url: `${receiver.url}/first` },
    { target_url: `${receiver.url}/second` },
    { target_url: `${receiver.url}/off`, active: false },
    { target_url: `${receiver.url}/other`, events: ['voucher.enabled'] },
  )

  sandbox.post('/v1/vouchers/A/disable')
  const asked = sandbox.store.db.all('SELECT n FROM jobs').length
  await sandbox.settled()

  expect(asked).toBe(2)
  expect(receiver.received.map((delivery) => delivery.path).toSorted()).toEqual(['/first', '/second'])
  expect(new Set(receiver.received.map((delivery) => delivery.body.id)).size).toBe(2)
  expect(new Set(receiver.received.map((delivery) => delivery.body.event.id)).size).toBe(1)
})

test('a refused request delivers nothing', async () => {
  const receiver = await receiving()
  const sandbox = withWebhooks({ target_url: receiver.url, events: ['voucher.created'] })

  const taken = { discount: { type: 'AMOUNT', amount_off: 1 }, type: 'DISCOUNT_VOUCHER' }
  const answer = sandbox.post('/v1/vouchers/A', taken)
  await sandbox.settled()

  expect(answer.status).toBe(409)
  expect(receiver.received).toEqual([])
})

test('a failed delivery is retried on the published schedule with one id, then the webhook is disabled', async () => {
  const times: number[] = []
  const receiver = await receiving((response) => {
    times.push((Date.parse(sandbox.clock.now) - Date.parse(testNow)) / 60_000)
    response.statusCode = 500
    response.end('no')
  })
  const sandbox = withWebhooks({ target_url: receiver.url })

  sandbox.post('/v1/vouchers/A/disable')
  const activeMeanwhile: unknown[] = []
  await passing(sandbox, 1500, 60_000, (minute) => minute === 1439 && activeMeanwhile.push(active(sandbox)))

  expect(times).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440])
  expect(new Set(receiver.received.map((delivery) => delivery.raw)).size).toBe(1)
  expect([...activeMeanwhile, active(sandbox)]).toEqual([true, false])
})

test('a time scale of 60 turns the minutes of the schedule into seconds', async () => {
  const times: number[] = []
  const receiver = await receiving((response) => {
    times.push((Date.parse(sandbox.clock.now) - Date.parse(testNow)) / 1_000)
    response.statusCode = 500
    response.end()
  })
  const webhook = { id: 'wh_0', target_url: receiver.url, events: ['voucher.created'] }
  const sandbox = testSandbox({ fixture: { webhooks: [webhook] }, timeScale: 60 })

  sandbox.post('/v1/vouchers/A', { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } })
  await passing(sandbox, 70, 1_000)

  expect(times).toEqual([0, 1, 2, 4, 8, 16, 32, 64])
})

test.each(['voucher.gift.balance_aded', 'voucher.gift.balance_added'])(
  'an event that is asked for as %s is sent in its correct spelling, however it was recorded',
  async (asked) => {
    const receiver = await receiving()
    const webhooks = [{ target_url: receiver.url, events: [asked] }]
    const tell = endpoint('test.tell', 'Record an event', {
      call: 'POST /v1/test/tell',
      response: z.unknown(),
      repeat: 'once',
      source: 'this test',
    })
    const telling = route(tell, (_, context) => {
      const told = context.store.outbox.after(0, 10).find(({ type }) => type === 'voucher.gift.balance_added')
      context.emit('voucher.gift.balance_aded', 'v_1', told?.data as Record<string, unknown>)
      return noContent()
    })
    const vouchers = [{ code: 'G', type: 'GIFT_VOUCHER', gift: { amount: 100 } }]
    const sandbox = testSandbox({ fixture: { webhooks, vouchers }, added: [{ routes: [telling] }] })

    sandbox.post('/v1/vouchers/G/balance', { amount: 1 })
    sandbox.post('/v1/test/tell')
    await sandbox.settled()

    expect(receiver.received.map(({ body }) => [body.type, body.event.type])).toEqual([
      ['voucher.gift.balance_added', 'voucher.gift.balance_added'],
      ['voucher.gift.balance_added', 'voucher.gift.balance_added'],
    ])
  },
)

test('a delivery that finally succeeds is not repeated, and the webhook stays active', async () => {
  const receiver = await receiving(statuses(503, 404, 204))
  const sandbox = withWebhooks({ target_url: receiver.url })

  sandbox.post('/v1/vouchers/A/disable')
  await passing(sandbox, 10, 60_000)

  expect([receiver.received.length, active(sandbox)]).toEqual([3, true])
})

test('a redirect is a failure and is not followed, and one is a refused connection', async () => {
  const elsewhere = await receiving()
  const receiver = await receiving((response) => {
    response.writeHead(307, { location: elsewhere.url }).end()
  })
  const closed = await receiving()
  await closed.close()

  for (const target_url of [receiver.url, closed.url]) {
    const sandbox = withWebhooks({ target_url })
    sandbox.post('/v1/vouchers/A/disable')
    await sandbox.settled()
    expect(sandbox.store.jobs.nextDue(['webhook.deliver'])).toBe(Date.parse(testNow) + 60_000)
    expect(sandbox.reports).toEqual([])
  }

  expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 0])
})

test('an endless answer is cut off, and counts by its status', async () => {
  const receiver = await receiving((response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    }
    response.on('drain', more)
    more()
  })
  const sandbox = withWebhooks({ target_url: receiver.url })

  sandbox.post('/v1/vouchers/A/disable')
  await sandbox.settled()

  expect(sandbox.store.jobs.nextDue(['webhook.deliver'])).toBe(undefined)
})

test('a target outside this computer is never called; that is reported, and the webhook stays active', async () => {
  const sandbox = withWebhooks({ target_url: 'https://shop.example/hooks' })

  sandbox.post('/v1/vouchers/A/disable')
  await sandbox.settled()

  expect(sandbox.reports.map((report) => (report as Error).message)).toEqual([
    'webhook not sent: shop.example is not on this computer; --webhook-allow shop.example allows it',
  ])
  expect(active(sandbox)).toBe(true)
  expect(sandbox.store.jobs.nextDue(['webhook.deliver'])).toBe(undefined)
})

test('pending deliveries of a webhook that was disabled in the meantime are dropped', async () => {
  const receiver = await receiving()
  const sandbox = withWebhooks({ target_url: receiver.url })

  sandbox.post('/v1/vouchers/A/disable')
  const table = sandbox.store.in(webhooks, sandbox.project.id)
  const webhook = table.get('wh_0')
  if (webhook) table.update({ ...webhook, active: false })
  await sandbox.settled()

  expect(receiver.received).toEqual([])
  expect(sandbox.store.jobs.nextDue(['webhook.deliver'])).toBe(undefined)
})
