import { afterEach, expect, test } from 'vitest'
import { type RunningSandbox, startSandbox } from '../../../../../src/sandbox/embedded.ts'
import { eventually } from '../../../../support/eventually.ts'
import { type Receiver, startReceiver } from '../../../../support/receiver.ts'

const open: Array<{ close: () => Promise<void> }> = []
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

async function receiving(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...args)
  open.push(receiver)
  return receiver
}

async function started(options: Partial<Parameters<typeof startSandbox>[0]> = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ file: ':memory:', port: 0, demo: false, ...options })
  open.unshift(sandbox)
  return sandbox
}

async function addWebhook({ url, credentials }: RunningSandbox, target_url: string): Promise<void> {
  const { project_id, management_id, management_token } = credentials
  await fetch(`${url}/management/v1/projects/${project_id}/webhooks`, {
    method: 'POST',
    headers: {
      'x-management-id': management_id,
      'x-management-token': management_token,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ target_url, events: ['voucher.created'] }),
  })
}

async function createVoucher({ url, credentials }: RunningSandbox, code: string): Promise<void> {
  const { app_id, app_token } = credentials
  await fetch(`${url}/v1/vouchers/${code}`, {
    method: 'POST',
    headers: { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }),
  })
}

const codes = (receiver: Receiver) => receiver.received.map((delivery): string => delivery.body.data.voucher.code)

test('a serving sandbox delivers by itself', async () => {
  const receiver = await receiving()
  const sandbox = await started()
  await addWebhook(sandbox, receiver.url)

  await createVoucher(sandbox, 'A')

  expect(
    await eventually(
      () => codes(receiver),
      ({ length }) => length > 0,
    ),
  ).toEqual(['A'])
})

test('closing delivers what is due first', async () => {
  const receiver = await receiving()
  const sandbox = await started()
  await addWebhook(sandbox, receiver.url)

  await Promise.all(['A', 'B', 'C', 'D', 'E'].map((code) => createVoucher(sandbox, code)))
  await sandbox.close()

  expect(codes(receiver).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E'])
})

test('the time scale shortens minutes of waiting', async () => {
  let failures = 2
  const receiver = await receiving((response) => {
    failures -= 1
    response.statusCode = failures >= 0 ? 500 : 200
    response.end()
  })
  const sandbox = await started({ timeScale: 6_000 })
  await addWebhook(sandbox, receiver.url)

  await createVoucher(sandbox, 'A')

  expect(
    await eventually(
      () => codes(receiver),
      ({ length }) => length > 2,
    ),
  ).toEqual(['A', 'A', 'A'])
})

test('a webhook that points at the sandbox itself is never called', async () => {
  const reports: string[] = []
  const sandbox = await started({ report: (error) => reports.push((error as Error).message) })
  await addWebhook(sandbox, `${sandbox.url}/v1/vouchers/B`)

  await createVoucher(sandbox, 'A')
  await sandbox.close()

  expect(reports).toEqual([`webhook not sent: ${new URL(sandbox.url).host} is the sandbox itself`])
})
