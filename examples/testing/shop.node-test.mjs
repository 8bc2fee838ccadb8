// node:test: a snapshot before the tests, and back to it before each.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startSandbox } from 'promo/sandbox'

const fixture = { vouchers: [{ code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 1000 } }] }
let sandbox
let filled

before(async () => {
  sandbox = await startSandbox({ fixture })
  filled = await sandbox.snapshot()
})
beforeEach(() => filled.load())
after(() => sandbox.close())

async function redeem(credits) {
  const { app_id, app_token } = sandbox.keys
  const answer = await fetch(`${sandbox.url}/v1/redemptions`, {
    method: 'POST',
    headers: { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' },
    body: JSON.stringify({
      redeemables: [{ object: 'voucher', id: 'GIFT', gift: { credits } }],
      order: { amount: credits },
    }),
  })
  return answer.status
}

test('a gift card pays as much as is on it', async () => {
  assert.equal(await redeem(1000), 200)
  assert.equal(await redeem(1), 400)
})

test('each test begins with the full amount', async () => {
  assert.equal(await redeem(1000), 200)
})
