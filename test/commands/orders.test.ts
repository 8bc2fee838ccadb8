import { expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const promo = promoIn(temporaryFolder())
const read = async (...argv: string[]) =>
  JSON.parse((await promo(['orders', ...argv, '--json', '--profile', 'sandbox'])).stdout)

test('orders are listed newest first, and limited to a state and a customer', async () => {
  const all = await read('list')
  const paid = await read('list', '--status', 'PAID')
  const [{ customer_id }] = paid
  const ofOne = await read('list', '--status', 'PAID', '--customer', customer_id)

  const times = all.map(({ created_at }: { created_at: string }) => created_at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(paid).toEqual(all.filter(({ status }: { status: string }) => status === 'PAID'))
  expect(ofOne).toEqual(paid.filter((order: { customer_id: string }) => order.customer_id === customer_id))
})

test('an order is shown by its id and by its source id', async () => {
  const [order] = await read('list', '--limit', '1')

  expect(await read('get', order.id)).toEqual(await read('get', order.source_id))
})
