import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/sandbox.ts'

interface Used {
  code: string
  redemption: { redeemed_quantity: number; redeemed_amount?: number; redeemed_points?: number }
}

interface Redeemed {
  voucher: { code: string }
  amount?: number
  order: { id: string }
}

test('every use that a voucher of the demo shop counts has a redemption with its order', () => {
  const { get } = testSandbox({ demo: true })

  const { redemptions } = get('/v1/redemptions', 'limit=100').body
  const query = 'limit=100&filters[redemption.redeemed_quantity][conditions][$more_than]=0&order=created_at'
  const { vouchers } = get('/v1/vouchers', query).body

  const used = vouchers.map(({ code, redemption }: Used) => [
    code,
    redemption.redeemed_quantity,
    redemption.redeemed_amount || redemption.redeemed_points || undefined,
  ])
  const told = redemptions.map(({ voucher, amount }: Redeemed) => [voucher.code, 1, amount])
  expect(redemptions).toHaveLength(9)
  expect(told.toSorted()).toEqual(used.toSorted())
  expect(new Set(redemptions.map(({ order }: Redeemed) => order.id)).size).toBe(9)
})

test('the gift cards of the demo shop have paid what their transactions show', () => {
  expect(testSandbox({ demo: true }).get('/v1/vouchers/GIFT-004/transactions').body.data).toMatchObject([
    { type: 'CREDITS_REDEMPTION', details: { balance: { total: 5000, amount: -3800, balance: 1200 } } },
  ])
})

test('a redemption of the demo shop less than three months ago can be rolled back', () => {
  const { get, post } = testSandbox({ demo: true })
  const query = 'filters[voucher_code][conditions][$is]=GIFT-008'
  const [redemption] = get('/v1/redemptions', query).body.redemptions

  const { status, body } = post(`/v1/redemptions/${redemption.id}/rollback`)

  expect(status).toBe(200)
  expect(body).toMatchObject({
    gift: { amount: -6300 },
    order: { status: 'CANCELED', total_amount: redemption.order.amount },
    voucher: { gift: { amount: 7500, balance: 7500 } },
  })
})
