import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../../../src/contract/endpoint.ts'
import { noContent, type Resource, route } from '../../../../../src/sandbox/http/route.ts'
import { earnForPaidOrder } from '../../../../../src/sandbox/resources/loyalty/paid-order.ts'
import { programs } from '../../../../support/loyalty.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const pay = endpoint('test.pay', 'Pay', {
  call: 'POST /test/pay',
  response: z.undefined(),
  repeat: 'once',
  source: 'test',
})
/** Represents any call that pays an order first. */
const paying: Resource = {
  routes: [
    route(pay, (_, context) => {
      earnForPaidOrder(context, { id: 'ord_1' }, { id: 'cust_ada' })
      return noContent()
    }),
  ],
}

const order = {
  id: 'ord_1',
  source_id: 'shop-1',
  status: 'PAID',
  amount: 5550,
  discount_amount: 1000,
  items: [
    { product_id: 'prod_beans', quantity: 3, price: 1500, amount: 4500 },
    { product_id: 'prod_mug', quantity: 1, price: 1050, amount: 1050, discount_amount: 50 },
  ],
  metadata: { stamps: 4 },
}

const card = { type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 0 }, holder_id: 'cust_ada' }

async function paid(loyalty: unknown, rule: Record<string, unknown> = {}) {
  const sandbox = testSandbox({
    added: [paying],
    fixture: {
      campaigns: programs,
      customers: [{ id: 'cust_ada', source_id: 'ada', metadata: { level: 3 } }],
      vouchers: [{ code: 'ADA', ...card }],
      orders: [order],
      earning_rules: [{ campaign_id: 'camp_club', event: 'order.paid', loyalty, ...rule }],
      validation_rules: [3000, 9000].map((amount) => ({
        id: `val_${amount}`,
        name: `Above ${amount}`,
        rules: { '1': { name: 'order.total_amount', conditions: { $more_than: [amount] }, rules: {} }, logic: '1' },
      })),
    },
  })
  sandbox.post('/test/pay')
  await sandbox.settled()
  expect(sandbox.reports).toEqual([])
  return sandbox.get('/v1/loyalties/members/ADA/transactions').body.data
}

const per = (
  calculation_type: string,
  group: string,
  of: string,
  every: number,
  more: Record<string, unknown> = {},
) => ({ type: 'PROPORTIONAL', calculation_type, [group]: { [of]: { every, points: 1, ...more } } })
const beans = { object: 'product', id: 'prod_beans' }

test.each<[unknown, number]>([
  [{ type: 'FIXED', points: 7 }, 7],
  [per('ORDER_AMOUNT', 'order', 'amount', 100), 55],
  [per('ORDER_TOTAL_AMOUNT', 'order', 'total_amount', 100), 45],
  [per('ORDER_METADATA', 'order', 'metadata', 2, { property: 'stamps' }), 2],
  [per('ORDER_ITEMS_QUANTITY', 'order_items', 'quantity', 1, beans), 3],
  [per('ORDER_ITEMS_AMOUNT', 'order_items', 'amount', 1000, beans), 4],
  [per('ORDER_ITEMS_SUBTOTAL_AMOUNT', 'order_items', 'subtotal_amount', 500), 11],
  [per('CUSTOMER_METADATA', 'customer', 'metadata', 1, { property: 'level' }), 3],
])('a paid order earns by %o', async (loyalty, points) => {
  const [transaction, ...others] = await paid(loyalty)

  expect(others).toEqual([])
  expect(transaction).toMatchObject({
    type: 'POINTS_ACCRUAL',
    details: {
      order: { id: 'ord_1', source_id: 'shop-1' },
      event: { id: 'ord_1', type: 'order.paid' },
      balance: { points, balance: points },
    },
  })
})

test('the validation rule of an earning rule sees the order', async () => {
  const seven = { type: 'FIXED', points: 7 }

  expect(await paid(seven, { validation_rule_id: 'val_3000' })).toHaveLength(1)
  expect(await paid(seven, { validation_rule_id: 'val_9000' })).toEqual([])
})
