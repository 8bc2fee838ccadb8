// Two processes that redeem from one data file at the same time.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Keys } from '../../src/sandbox/in-code-types.ts'
import { bundled } from '../support/bundled.ts'
import { compileCache } from '../support/child.ts'

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'promo-race-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

type Served = Keys & { url: string }

async function serving(file: string): Promise<Served> {
  const child = spawn(process.execPath, [await bundled('test/support/serve-sandbox.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  children.push(child)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return JSON.parse(line) as Served
}

async function asked(served: Served, method: 'GET' | 'POST', path: string, body?: unknown) {
  const answer = await fetch(served.url + path, {
    method,
    headers: { 'x-app-id': served.app_id, 'x-app-token': served.app_token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as { redemption: { redeemed_quantity: number } } }
}

test('two processes on one file redeem no more uses and credits than exist', async () => {
  const file = join(folder, 'sandbox.db')
  const one = await serving(file)
  const two = await serving(file)
  await asked(one, 'POST', '/v1/vouchers/LAST', {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 100 },
    redemption: { quantity: 9 },
  })
  await asked(one, 'POST', '/v1/vouchers/GIFT', { type: 'GIFT_VOUCHER', gift: { amount: 1000 } })
  const redeem = (served: Served, redeemable: object) =>
    asked(served, 'POST', '/v1/redemptions', {
      redeemables: [{ object: 'voucher', ...redeemable }],
      order: { amount: 5000 },
    })

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => [one, two]).flatMap((both) =>
      both.flatMap((served) => [redeem(served, { id: 'LAST' }), redeem(served, { id: 'GIFT', gift: { credits: 90 } })]),
    ),
  )

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9 + 11)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(80 - 20)
  expect((await asked(two, 'GET', '/v1/vouchers/LAST')).body.redemption.redeemed_quantity).toBe(9)
  expect((await asked(one, 'GET', '/v1/vouchers/GIFT')).body).toMatchObject({
    gift: { amount: 1000, balance: 10 },
    redemption: { redeemed_quantity: 11, redeemed_amount: 990 },
  })
})
