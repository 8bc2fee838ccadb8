// An object is shown alike wherever it is shown: read alone, in a list, inside another object and in an event.
import { expect, test } from 'vitest'
import { openShop } from '../../../support/redemptions.ts'

type Json = Record<string, unknown>

async function busyShop() {
  const shop = openShop()
  const { post, get, redeem, settled, store } = shop
  const { body: redeemed } = redeem(
    [
      { object: 'voucher', id: 'A' },
      { object: 'promotion_tier', id: 'promo_1' },
      { object: 'voucher', id: 'C', reward: { id: 'rew_1', points: 10 } },
    ],
    { order: { items: [{ product_id: 'prod_beans', quantity: 2 }] }, customer: { source_id: 'ada' } },
  )
  post('/v1/publications', { voucher: 'B/ 1', customer: { source_id: 'ada' } })
  await settled()
  const read = (path: string) => get(`/v1/${path}`).body
  const told = (type: string) =>
    store.outbox
      .after(0, 1000)
      .filter((event) => event.type === type)
      .map(({ data }) => data as Json)
  return { ...shop, redeemed, read, told }
}

test('a voucher and a tier inside a redemption are what reading them answers', async () => {
  const { redeemed, read } = await busyShop()
  const listed: Json[] = read('redemptions').redemptions

  for (const { id, voucher, promotion_tier } of redeemed.redemptions) {
    const alone = read(`redemptions/${id}`)
    if (voucher) expect(alone.voucher).toEqual(read(`vouchers/${voucher.id}`))
    if (promotion_tier) expect(alone.promotion_tier).toEqual(read(`promotions/tiers/${promotion_tier.id}`))
    expect(listed.find((one) => one.id === id)).toEqual(alone)
  }
})

test('events of redemptions have the voucher, the tier, the customer and the order of the answer', async () => {
  const { redeemed, read, told } = await busyShop()
  const events = told('redemption.succeeded')

  for (const { id, customer } of redeemed.redemptions) {
    const { voucher, promotion_tier, customer: _, ...facts } = read(`redemptions/${id}`)
    const event = events.find(({ redemption }) => (redemption as Json).id === id) as Json
    expect(event.redemption).toEqual(facts)
    expect(event.customer).toEqual(customer)
    expect(event.order).toEqual(facts.order)
    if (promotion_tier) expect(event.promotion_tier).toEqual(promotion_tier)
    else expect(Object.keys(event.voucher as Json)).toEqual(Object.keys(voucher))
  }
})

test('a transaction is told in an event as lists show it', async () => {
  const { read, told } = await busyShop()

  const [transaction] = read('loyalties/camp_club/transactions').data
  const [event] = told('voucher.loyalty_card.transaction.created') as [Json]

  expect(event.transaction).toEqual(transaction)
  expect(event.voucher).toEqual(read('loyalties/members/C'))
})

test('a publication is told in its events as lists show it', async () => {
  const { read, told } = await busyShop()
  const [publication] = read('publications').publications

  for (const type of ['publication.succeeded', 'voucher.published'])
    expect(told(type).map((event) => event.publication)).toEqual([publication])
})

test('tiers inside a campaign, members of a program and rewards of a card are what reading them answers', async () => {
  const { read } = await busyShop()

  expect(read('campaigns/camp_promo').promotion.tiers).toEqual(read('promotions/camp_promo/tiers').tiers)
  expect(read('promotions/camp_promo/tiers').tiers[0]).toEqual(read('promotions/tiers/promo_1'))
  expect(read('loyalties/camp_club/members').vouchers).toEqual([read('vouchers/C')])
  expect(read('loyalties/members/C/rewards').data[0].reward).toEqual(read('rewards/rew_1'))
  expect(read('loyalties/members/C/rewards').data[0].assignment).toEqual(read('loyalties/camp_club/rewards').data[0])
  expect(read('campaigns').campaigns.find(({ id }: Json) => id === 'camp_promo')).toEqual(read('campaigns/camp_promo'))
  expect(read('customers').customers).toEqual([read('customers/ada')])
})
