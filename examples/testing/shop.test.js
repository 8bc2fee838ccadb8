// vitest: one service for the file, one project for each test.
import { startSandbox } from 'promo/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'

let sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ time: '2027-01-01T00:00:00Z' })
})
afterAll(() => sandbox.close())

/** Calls the service as a shop does. */
async function call({ app_id, app_token }, method, path, body) {
  const headers = { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' }
  return await fetch(`${sandbox.url}${path}`, { method, headers, body: body && JSON.stringify(body) })
}

const gift = { type: 'GIFT_VOUCHER', gift: { amount: 1000 } }
const redemption = { redeemables: [{ object: 'voucher', id: 'GIFT', gift: { credits: 400 } }], order: { amount: 400 } }

test('a code expires at its day', async () => {
  const project = await sandbox.project()
  await call(project, 'POST', '/v1/vouchers/GIFT', { ...gift, expiration_date: '2027-01-31T00:00:00Z' })
  const before = await call(project, 'POST', '/v1/redemptions', redemption)
  await sandbox.clock.advance('31d')

  const after = await call(project, 'POST', '/v1/redemptions', redemption)

  expect([before.status, after.status]).toEqual([200, 400])
})

test('an answer that is lost after the commit has redeemed the code', async () => {
  const project = await sandbox.project()
  await call(project, 'POST', '/v1/vouchers/GIFT', gift)
  await sandbox.faults.add({ call: 'POST /v1/redemptions', reset: true, after_commit: true, times: 1 })

  await expect(call(project, 'POST', '/v1/redemptions', redemption)).rejects.toThrow()

  const voucher = await (await call(project, 'GET', '/v1/vouchers/GIFT')).json()
  expect(voucher.gift.balance).toBe(600)
  expect(await sandbox.requests.list({ status: 'lost' })).toHaveLength(1)
})
