// Many projects of one sandbox, each used by a published client of its own at the same time: nothing leaks between them.
import { VoucherifyServerSide } from '@voucherify/sdk'
import { expect, test } from 'vitest'
import { startTestSandbox } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'

const projects = sized({ quick: 40, slow: 200 })

test('many projects are used in parallel, and each sees its own objects alone', async () => {
  const { url, credentials, close } = await startTestSandbox({ demo: false })
  try {
    const management = {
      'content-type': 'application/json',
      'x-management-id': credentials.management_id,
      'x-management-token': credentials.management_token,
    }
    const keys: { app_id: string; app_token: string }[] = []
    for (let at = 0; at < projects; at += 1) {
      const body = JSON.stringify({ name: `Project ${at}` })
      const made = await fetch(`${url}/management/v1/projects`, { method: 'POST', headers: management, body })
      keys.push(((await made.json()) as { server_side_key: (typeof keys)[number] }).server_side_key)
    }
    const seen = await Promise.all(
      keys.map(async ({ app_id, app_token }, at) => {
        const sdk = VoucherifyServerSide({ apiUrl: url, applicationId: app_id, secretKey: app_token })
        const gift = { type: 'GIFT_VOUCHER' as const, gift: { amount: 1_000 + at, balance: 1_000 + at } }
        await sdk.vouchers.create({ code: 'SAME', ...gift })
        await sdk.customers.create({ source_id: 'same', name: `Customer ${at}` })
        await sdk.redemptions.redeemStackable({
          redeemables: [{ object: 'voucher', id: 'SAME', gift: { credits: at + 1 } }],
          order: { amount: 10_000 },
          customer: { source_id: 'same' },
        })
        const { vouchers, total } = await sdk.vouchers.list({})
        const { customers } = await sdk.customers.list({})
        const { redemptions } = await sdk.redemptions.list({})
        return [total, vouchers[0]?.gift?.balance, customers.map(({ name }) => name), redemptions.length]
      }),
    )

    expect(seen).toEqual(Array.from({ length: projects }, (_, at) => [1, 999, [`Customer ${at}`], 1]))
  } finally {
    await close()
  }
})
