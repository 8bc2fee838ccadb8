// The sandbox accepts what the published JavaScript SDK sends, in each of its methods; the SDK reads what the sandbox answers.
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VoucherifyClientSide, VoucherifyServerSide } from '@voucherify/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/promo.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestSandbox } from '../support/sandbox.ts'
import { type StartedSandbox, startedSandbox } from '../support/started-sandbox.ts'
import { listenForClientAnswers } from '../support/strict-answers.ts'
import { methodsOf, noting } from './sdk-methods.ts'

let sandbox: StartedSandbox
let sdk: ReturnType<typeof VoucherifyServerSide>
let deaf: () => void
const called = new Set<string>()

beforeAll(async () => {
  sandbox = await startedSandbox()
  deaf = listenForClientAnswers(() => sandbox.url)
  sdk = noting(sdkWith(sandbox.credentials.app_token), called)
})

afterAll(async () => {
  deaf()
  await sandbox.close()
})

describe('vouchers', () => {
  test('a voucher is created, read, changed, disabled, enabled and deleted', async () => {
    const created = await sdk.vouchers.create(coupon('SDK 1/ü', { metadata: { shelf: 'a' } }))
    const updated = await sdk.vouchers.update({ code: 'SDK 1/ü', metadata: { lang: 'de' } })
    const disabled = await sdk.vouchers.disable('SDK 1/ü')
    const enabled = await sdk.vouchers.enable('SDK 1/ü')
    const read = await sdk.vouchers.get('SDK 1/ü')
    await sdk.vouchers.delete('SDK 1/ü', { force: true })

    expect(created).toMatchObject({ code: 'SDK 1/ü', object: 'voucher', active: true, discount: { percent_off: 10 } })
    expect(updated.metadata).toEqual({ shelf: 'a', lang: 'de' })
    expect([disabled.active, enabled.active, read.active]).toEqual([false, true, true])
    await expect(sdk.vouchers.get('SDK 1/ü')).rejects.toMatchObject({ code: 404, key: 'not_found' })
  })

  test('a code that is not named is drawn', async () => {
    const { code } = await sdk.vouchers.create(giftCard(undefined))

    expect(code).toMatch(/^\w{8}$/)
    expect(await sdk.vouchers.get(code)).toMatchObject({ gift: { amount: 1000 } })
  })

  test('a listing accepts a page, an order and a filter in brackets', async () => {
    await sdk.vouchers.create(coupon('LISTED', { category: 'Rare' }))

    const page = await sdk.vouchers.list({ limit: 2, page: 1, order: '-created_at' } as never)
    const filtered = await sdk.vouchers.list({ category: 'Rare' })

    expect(page).toMatchObject({ object: 'list', data_ref: 'vouchers' })
    expect(page.vouchers).toHaveLength(2)
    expect(page.total).toBeGreaterThan(1000)
    expect(filtered.vouchers.map(({ code }) => code)).toEqual(['LISTED'])
  })

  test('a refusal arrives with its code, key, details and request id', async () => {
    const refused = sdk.vouchers.create(coupon('BEANS10'))

    await expect(refused).rejects.toMatchObject({ code: 409, key: 'duplicate_found', request_id: expect.any(String) })
    await expect(refused).rejects.toThrow('Duplicated resource found')
  })

  test('a wrong token is refused as unauthorized', async () => {
    const stranger = sdkWith('00000000-0000-0000-0000-000000000000')

    await expect(stranger.vouchers.get('BEANS10')).rejects.toMatchObject({ code: 401, key: 'unauthorized' })
  })

  test('a gift card accepts a balance and shows it in its transactions, which can be exported', async () => {
    const added = await sdk.vouchers.balance.create('GIFT-001', { amount: 1500 })
    const { data } = await sdk.vouchers.listTransactions('GIFT-001', { limit: 1 })
    const ordered = await sdk.vouchers.exportTransactions('GIFT-001', { order: '-created_at' } as never)

    expect(added).toMatchObject({ amount: 1500, type: 'gift_voucher', object: 'balance' })
    expect(data[0]).toMatchObject({ type: 'CREDITS_ADDITION', details: { balance: { amount: 1500 } } })
    expect(ordered).toMatchObject({ status: 'SCHEDULED', exported_object: 'voucher_transactions' })
  })
})

describe('validations, promotions and qualifications', () => {
  test('several redeemables are validated together, with the discount of each', async () => {
    const answer = await sdk.validations.validateStackable({
      redeemables: [
        { object: 'voucher', id: 'BEANS10' },
        { object: 'voucher', id: 'GIFT-001', gift: { credits: 100 } },
      ],
      order: { amount: 10_000 },
      customer: { source_id: 'shop-1001' },
    })

    expect(answer).toMatchObject({ valid: true, order: { total_discount_amount: 1100, total_amount: 8900 } })
    expect(answer.redeemables?.map(({ id, status }) => [id, status])).toEqual([
      ['BEANS10', 'APPLICABLE'],
      ['GIFT-001', 'APPLICABLE'],
    ])
  })

  test('a code that does not apply comes with its reason', async () => {
    const answer = await sdk.validations.validateStackable({
      redeemables: [{ object: 'voucher', id: 'XMAS2025' }],
      order: { amount: 10_000 },
    })

    expect(answer).toMatchObject({ valid: false })
    expect(answer.redeemables?.[0]).toMatchObject({
      status: 'INAPPLICABLE',
      result: { error: { key: 'voucher_expired' } },
    })
  })

  test('a session holds a use of a code until it is released', async () => {
    await sdk.vouchers.create(coupon('ONLY-ONE', { redemption: { quantity: 1 } }))
    const held = await sdk.validations.validateStackable({
      ...cartWith('ONLY-ONE'),
      session: { type: 'LOCK', key: 'till-1' } as never,
    })

    const during = await sdk.validations.validateStackable(cartWith('ONLY-ONE'))
    await sdk.vouchers.releaseValidationSession('ONLY-ONE', 'till-1')
    const after = await sdk.validations.validateStackable(cartWith('ONLY-ONE'))

    expect(held.session).toMatchObject({ key: 'till-1', type: 'LOCK' })
    expect([during.valid, after.valid]).toEqual([false, true])
  })

  test('promotions that apply to a cart are found without a code', async () => {
    const answer = await sdk.promotions.validate({
      customer: { source_id: 'shop-1001' },
      order: { amount: 5000 },
    })

    expect(answer.valid).toBe(true)
    expect(answer.promotions?.map(({ name }) => name)).toEqual(['Three euros for readers', 'Ten percent from 40 euros'])
  })

  test('the tiers of a promotion are created, listed, changed, read and deleted', async () => {
    const promotion = await sdk.promotions.create({
      name: 'SDK promotion',
      campaign_type: 'PROMOTION',
      promotion: {
        tiers: [
          { name: 'First', banner: '5 off', action: { discount: { type: 'AMOUNT', amount_off: 500 } }, metadata: {} },
        ],
      },
    } as never)
    const second = await sdk.promotions.tiers.create(promotion.id, {
      name: 'Second',
      banner: '1 off',
      action: { discount: { type: 'AMOUNT', amount_off: 100 } },
    } as never)
    const changed = await sdk.promotions.tiers.update({ ...second, banner: 'one off' } as never)
    const { tiers } = await sdk.promotions.tiers.list(promotion.id)
    await sdk.promotions.tiers.delete(second.id)

    expect(changed.banner).toBe('one off')
    expect(tiers.map(({ name }) => name).toSorted()).toEqual(['First', 'Second'])
    await expect(sdk.promotions.tiers.get(second.id)).rejects.toMatchObject({ code: 404 })
  })

  test('campaigns are qualified for a customer and a cart', async () => {
    const answer = await sdk.campaigns.qualifications.examine({
      customer: { source_id: 'shop-1001' },
      order: { amount: 10_000 },
    } as never)

    expect(answer).toMatchObject({ object: 'list', data_ref: 'data', data: expect.any(Array) })
    expect(answer.total).toBeGreaterThan(0)
  })

  test('redeemables are qualified for a customer and a cart', async () => {
    const answer = await sdk.qualifications.checkEligibility({
      customer: { source_id: 'shop-1001' },
      order: { amount: 10_000 },
      mode: 'BASIC',
      scenario: 'ALL',
    } as never)

    expect(answer.redeemables).toMatchObject({ object: 'list', data: expect.any(Array) })
  })

  test('a page of the shop validates and sends events with the client-side keys', async () => {
    const { client_app_id, client_token } = sandbox.credentials
    const page = noting(
      VoucherifyClientSide({
        apiUrl: sandbox.url,
        clientApplicationId: client_app_id,
        clientSecretKey: client_token,
        origin: sandbox.url,
      }),
      called,
      'client.',
    )

    page.setIdentity('shop-1003')
    const answer = await page.validateStackable(cartWith('BEANS10'))
    const { redeemables } = await page.qualifications({ order: { amount: 10_000 }, scenario: 'ALL' } as never)
    const told = await page.track('newsletter_subscribed', { source_id: 'shop-1003' })

    expect(told).toMatchObject({ object: 'event', type: 'newsletter_subscribed' })
    expect(redeemables).toMatchObject({ object: 'list', data: expect.any(Array) })
    expect(answer).toMatchObject({ valid: true, order: { total_discount_amount: 1000 } })
  })
})

describe('the pages of a shop', () => {
  /** A page of a shop of its own, that may do everything; one page may make five calls in five seconds. */
  async function openedPage() {
    const campaigns = [{ ...anyCampaign, id: 'camp_1', name: 'Cards', campaign_type: 'GIFT_VOUCHERS' }]
    const vouchers = [
      { code: 'FIVE', discount: { type: 'AMOUNT', amount_off: 500 } },
      { code: 'CARD', campaign: 'Cards', type: 'GIFT_VOUCHER', gift: { amount: 100 } },
    ]
    const settings = {
      client_redeem_enabled: true,
      client_publish_enabled: true,
      client_list_vouchers_enabled: true,
      client_create_customer_enabled: true,
    }
    const shop = await startTestSandbox({ demo: false, fixture: { campaigns, vouchers, settings } })
    opened.push(shop)
    const { client_app_id: clientApplicationId, client_token: clientSecretKey } = shop.credentials
    return noting(
      VoucherifyClientSide({ apiUrl: shop.url, clientApplicationId, clientSecretKey, origin: shop.url }),
      called,
      'client.',
    )
  }

  const opened: Array<{ close: () => Promise<void> }> = []
  afterEach(async () => {
    for (const shop of opened.splice(0)) await shop.close()
  })

  test('an older page validates, redeems, publishes and lists codes', async () => {
    const page = await openedPage()
    page.setIdentity('visitor-1')

    const items = [{ product_id: 'beans', quantity: 2, amount: 5000 }]
    const valid = await page.validate({ code: 'FIVE', amount: 5000, items, session_type: 'LOCK' })
    const promotions = await page.validate({ amount: 5000 })
    const redeemed = await page.redeem('FIVE', { order: { amount: 5000 } })
    const published = await page.publish('Cards')
    const listed = await page.listVouchers({ campaign: 'Cards' })

    expect(valid).toMatchObject({ valid: true, code: 'FIVE', order: { total_amount: 4500, items: [{ quantity: 2 }] } })
    expect(promotions).toMatchObject({ valid: false, promotions: [] })
    expect(redeemed).toMatchObject({ object: 'redemption', result: 'SUCCESS', order: { total_amount: 4500 } })
    expect(published).toMatchObject({ object: 'publication', customer: { source_id: 'visitor-1' } })
    expect(listed).toMatchObject({ total: 1, vouchers: [{ code: 'CARD', active: true }] })
  })

  test('a page creates a customer and redeems several codes', async () => {
    const page = await openedPage()

    const customer = await page.createCustomer({ source_id: 'visitor-2', name: 'Ada' })
    const { redemptions } = await page.redeemStackable(cartWith('FIVE'))

    expect(customer).toMatchObject({ source_id: 'visitor-2', name: 'Ada' })
    expect(redemptions).toHaveLength(1)
  })
})

describe('redemptions and rollbacks', () => {
  test('codes are redeemed together, read, and rolled back with their order', async () => {
    await sdk.vouchers.create(coupon('REDEEMED-1', { redemption: { quantity: 1 } }))
    const gift = await sdk.vouchers.create(giftCard('REDEEMED-GIFT'))

    const { redemptions, order, parent_redemption } = await sdk.redemptions.redeemStackable({
      redeemables: [
        { object: 'voucher', id: 'REDEEMED-1' },
        { object: 'voucher', id: 'REDEEMED-GIFT', gift: { credits: 400 } },
      ],
      order: { source_id: 'sdk-order', amount: 10_000 },
      customer: { source_id: 'shop-1004' },
    })
    const again = await sdk.validations.validateStackable(cartWith('REDEEMED-1'))
    const read = await sdk.redemptions.get(String(redemptions[0]?.id))
    const spent = await sdk.vouchers.get('REDEEMED-GIFT')
    const undone = await sdk.redemptions.rollbackStackable(String(parent_redemption?.id), { reason: 'returned' })
    const restored = await sdk.vouchers.get('REDEEMED-GIFT')

    expect(gift).toMatchObject({ gift: { amount: 1000, balance: 1000 } })
    expect(redemptions.map(({ result }) => result)).toEqual(['SUCCESS', 'SUCCESS'])
    expect(order).toMatchObject({ total_discount_amount: 1400, total_amount: 8600 })
    expect(again.valid).toBe(false)
    expect(read).toMatchObject({ object: 'redemption', result: 'SUCCESS', voucher: { code: 'REDEEMED-1' } })
    expect([spent.gift, restored.gift]).toMatchObject([{ balance: 600 }, { balance: 1000 }])
    expect(undone.rollbacks?.map(({ result }) => result)).toEqual(['SUCCESS', 'SUCCESS'])
    expect((await sdk.validations.validateStackable(cartWith('REDEEMED-1'))).valid).toBe(true)
  })

  test('one redemption is listed under its code and rolled back alone', async () => {
    await sdk.vouchers.create(coupon('REDEEMED-2'))
    const { redemptions } = await sdk.redemptions.redeemStackable(cartWith('REDEEMED-2'))
    const listed = await sdk.redemptions.list({ limit: 1 })
    const ofCode = await sdk.redemptions.getForVoucher('REDEEMED-2')

    const undone = await sdk.redemptions.rollback(String(redemptions[0]?.id), { reason: 'changed their mind' })

    expect(listed.redemptions.map(({ id }) => id)).toEqual([redemptions[0]?.id])
    expect(ofCode).toMatchObject({
      quantity: null,
      redeemed_quantity: 1,
      redemption_entries: [{ id: redemptions[0]?.id }],
    })
    expect(undone).toMatchObject({ object: 'redemption_rollback', result: 'SUCCESS', reason: 'changed their mind' })
    expect((await sdk.redemptions.getForVoucher('REDEEMED-2')).redeemed_quantity).toBe(0)
  })

  test('a code that cannot be redeemed is refused with its reason', async () => {
    const refused = sdk.redemptions.redeemStackable(cartWith('XMAS2025'))

    await expect(refused).rejects.toMatchObject({ code: 400, key: 'voucher_expired' })
  })
})

describe('campaigns and publications', () => {
  test('a campaign generates codes, publishes one to a customer, is disabled and deleted', async () => {
    const campaign = await sdk.campaigns.create({
      name: 'SDK campaign',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STATIC',
      voucher: { ...tenPercent, redemption: { quantity: 1 }, code_config: { prefix: 'SDK-' } },
    } as never)
    await sdk.campaigns.addVoucher('SDK campaign', {}, { vouchers_count: 1 })
    await sdk.campaigns.addCertainVoucher('SDK campaign', 'SDK-CERTAIN')
    const published = await sdk.distributions.publications.create({
      campaign: { name: 'SDK campaign', count: 1 },
      customer: { source_id: 'sdk-customer' },
    } as never)
    const { publications } = await sdk.distributions.publications.list({ customer: published.customer_id } as never)
    await sdk.campaigns.disable(campaign.id)
    const disabled = await sdk.campaigns.get('SDK campaign')
    await sdk.campaigns.delete(campaign.id, { force: true })

    expect(published).toMatchObject({ object: 'publication', result: 'SUCCESS', channel: 'API' })
    expect(publications?.map(({ id }) => id)).toEqual([published.id])
    expect((disabled as { active?: boolean }).active).toBe(false)
    await expect(sdk.campaigns.get('SDK campaign')).rejects.toMatchObject({ code: 404 })
  })

  test('campaigns are listed', async () => {
    const { campaigns } = await sdk.campaigns.list({ limit: 100 })

    expect(campaigns.map(({ name }) => name)).toEqual(expect.arrayContaining(['Bean Club', 'Welcome']))
  })

  test('campaigns are listed with what is to be expanded as a list', async () => {
    const { campaigns } = await sdk.campaigns.list({ expand: ['category'], limit: 1 } as never)

    expect(campaigns).toHaveLength(1)
  })
})

describe('customers and segments', () => {
  test('a customer is created, read, changed, put in a segment and deleted', async () => {
    const created = await sdk.customers.create({ source_id: 'sdk/1', name: 'Ida', metadata: { vip: true } })
    const changed = await sdk.customers.update({ source_id: 'sdk/1', city: 'Oslo' } as never)
    const segment = await sdk.segments.create({
      type: 'static',
      name: 'SDK segment',
      customers: [idOf(created)],
    } as never)
    const read = await sdk.customers.get('sdk/1')
    const { customers } = await sdk.customers.list({ limit: 1, page: 1 })
    await sdk.segments.delete(segment.id)
    await sdk.customers.delete('sdk/1')

    expect(created).toMatchObject({ object: 'customer', source_id: 'sdk/1', metadata: { vip: true } })
    expect(changed).toMatchObject({ id: idOf(created), name: 'Ida' })
    expect(idOf(read)).toBe(idOf(created))
    expect(customers).toHaveLength(1)
    await expect(sdk.customers.get('sdk/1')).rejects.toMatchObject({ code: 404 })
  })

  test('all customers are listed page by page with the scroll', async () => {
    const seen: string[] = []
    const customers: AsyncIterable<{ id: string }> = sdk.customers.scroll({ limit: 3 } as never) as never
    for await (const { id } of customers) seen.push(id)

    expect(seen.length).toBeGreaterThanOrEqual(8)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('the redeemables of a customer are listed', async () => {
    const answer = await sdk.customers.listRedeemables(await idOfCustomer('shop-1001'))

    expect(answer).toMatchObject({ object: 'list', data: expect.any(Array) })
    expect(JSON.stringify(answer)).toContain('CLUB-001')
  })
})

describe('products, SKUs, collections and categories', () => {
  test('a product and its SKU are created, listed, changed and deleted', async () => {
    const product = await sdk.products.create({ source_id: 'sdk-mug', name: 'Mug', price: 1200, attributes: ['size'] })
    const sku = await sdk.products.createSku(product.id, {
      source_id: 'sdk-mug-l',
      sku: 'Mug L',
      attributes: { size: 'L' },
    } as never)
    const changed = await sdk.products.updateSku('sdk-mug', { id: sku.id, price: 1500 } as never)
    const { skus } = await sdk.products.listSkus('sdk-mug')
    const renamed = await sdk.products.update({ id: product.id, name: 'Enamel mug' } as never)
    const { products } = await sdk.products.list({ limit: 100 })
    await sdk.products.deleteSku(product.id, sku.id, { force: true })
    await sdk.products.delete(product.id, { force: true })

    expect(product).toMatchObject({ object: 'product', price: 1200 })
    expect(changed).toMatchObject({ id: sku.id, price: 1500 })
    expect(skus.map(({ source_id }) => source_id)).toEqual(['sdk-mug-l'])
    expect(renamed.name).toBe('Enamel mug')
    expect(products.map(({ id }) => id)).toContain(product.id)
    await expect(sdk.products.get(product.id)).rejects.toMatchObject({ code: 404 })
  })

  test('a product collection is created, read with its products and deleted', async () => {
    const { products } = await sdk.products.list({ limit: 1 })
    const collection = await sdk.productCollections.create({
      name: 'SDK shelf',
      type: 'STATIC',
      products: [{ id: products[0]?.id ?? '', object: 'product' }],
    } as never)
    const { data } = await sdk.productCollections.listProducts(collection.id)
    const { data: all } = await sdk.productCollections.list({ limit: 100 })
    await sdk.productCollections.delete(collection.id)

    expect(data.map(({ id }) => id)).toEqual([products[0]?.id])
    expect(all.map(({ id }) => id)).toContain(collection.id)
    await expect(sdk.productCollections.get(collection.id)).rejects.toMatchObject({ code: 404 })
  })

  test('a category is created, renamed, listed and deleted', async () => {
    const category = await sdk.categories.create({ name: 'SDK category', hierarchy: 7 })
    const renamed = await sdk.categories.update(category.id, { name: 'Renamed', hierarchy: 7 })
    const { data } = await sdk.categories.list({} as never)
    await sdk.categories.delete(category.id)

    expect(renamed.name).toBe('Renamed')
    expect(data.map(({ id }) => id)).toContain(category.id)
  })
})

describe('loyalty', () => {
  test('a member is enrolled, receives points, and transfers some of them', async () => {
    const club = await sdk.campaigns.create({
      name: 'SDK club',
      campaign_type: 'LOYALTY_PROGRAM',
      type: 'AUTO_UPDATE',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
    } as never)
    const member = await sdk.loyalties.createMember(club.id, { customer: { source_id: 'sdk-giver' } } as never)
    const friend = await sdk.loyalties.createMember(club.id, { customer: { source_id: 'sdk-taker' } } as never)

    const added = await sdk.loyalties.addPoints(club.id, member.code, { points: 80 } as never)
    await sdk.loyalties.transferPoints(club.id, friend.code, [
      { code: member.code, points: 30, reason: 'A present', source_id: 'sdk-transfer' },
    ] as never)
    const cards = [member, friend].map(({ code }) => sdk.loyalties.getMember(null, code))
    const balances = (await Promise.all(cards)).map(({ loyalty_card }) => loyalty_card?.balance)

    expect(added).toMatchObject({ points: 80, balance: 80, object: 'balance' })
    expect(balances).toEqual([50, 30])
  })

  test('the transactions of a card are listed with and without its program, page by page', async () => {
    const first = await sdk.loyalties.listCardTransactions('CLUB-001', null, { limit: 2 })
    const whole = await sdk.loyalties.listCardTransactions('CLUB-001', await beanClub())
    const rest = await sdk.loyalties.listCardTransactions('CLUB-001', null, {
      starting_after_id: first.data.at(-1)?.id,
    } as never)

    expect(first).toMatchObject({ object: 'list', data_ref: 'data', has_more: true })
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(whole.data.map(({ id }) => id))
    expect(whole.data).toHaveLength(3)
  })

  test('an export of a card is created and polled until it is done', async () => {
    const ordered = await sdk.loyalties.exportCardTransactions('CLUB-001', null, { order: '-created_at' } as never)
    const done = await eventually(
      () => sdk.distributions.exports.get(ordered.id),
      ({ status }) => String(status) === 'DONE',
    )

    const csv = await (await fetch(String(done.result?.url))).text()

    expect(ordered).toMatchObject({ status: 'SCHEDULED' })
    expect(csv.trimEnd().split('\n')).toHaveLength(4)
  })

  test('programs, members, earning rules and rewards are listed', async () => {
    const programs = await sdk.loyalties.list({ limit: 10 })
    const members = await sdk.loyalties.listMembers(await beanClub(), { limit: 3 })
    const rules = await sdk.loyalties.listEarningRules(await beanClub())
    const assignments = await sdk.loyalties.listRewardAssignments(await beanClub())
    const rewards = await sdk.rewards.list()

    expect(programs.campaigns?.map(({ name }) => name)).toContain('Bean Club')
    expect(members.vouchers).toHaveLength(3)
    expect([rules.data.length, assignments.data.length, rewards.data.length]).toEqual([2, 2, 2])
  })

  test('an earning rule is created, disabled, enabled and deleted', async () => {
    const [rule] = await sdk.loyalties.createEarningRule(await beanClub(), [
      { event: 'cupping_attended', loyalty: { type: 'FIXED', points: 5 }, source: { banner: 'Five more' } } as never,
    ])
    const off = await sdk.loyalties.disableEarningRule(await beanClub(), String(rule?.id))
    const on = await sdk.loyalties.enableEarningRule(await beanClub(), String(rule?.id))
    await sdk.loyalties.deleteEarningRule(await beanClub(), String(rule?.id))

    expect([off.active, on.active]).toEqual([false, true])
    await expect(sdk.loyalties.getEarningRule(await beanClub(), String(rule?.id))).rejects.toMatchObject({ code: 404 })
  })
})

describe('events, exports, rules and schemas', () => {
  test('a custom event is accepted for a customer', async () => {
    const answer = await sdk.events.create('cupping_attended', {
      customer: { source_id: 'shop-1002' },
      metadata: { cups: 3 },
    } as never)

    expect(answer).toMatchObject({ object: 'event', type: 'cupping_attended', customer: { object: 'customer' } })
  })

  test('an export of vouchers is created, listed and deleted', async () => {
    const ordered = await sdk.distributions.exports.create({
      exported_object: 'voucher',
      parameters: { order: '-created_at', fields: ['code', 'active'] },
    } as never)
    const { exports } = await sdk.distributions.exports.list({ limit: 10 })
    await sdk.distributions.exports.delete(ordered.id)

    expect(exports.map(({ id }) => id)).toContain(ordered.id)
    await expect(sdk.distributions.exports.get(ordered.id)).rejects.toMatchObject({ code: 404 })
  })

  test('a validation rule is created, assigned, listed, unassigned and deleted', async () => {
    const rule = await sdk.validationRules.create({
      name: 'SDK rule',
      rules: { '1': { name: 'order.amount', conditions: { $more_than: [100] } }, logic: '1' },
    } as never)
    const assignment = await sdk.validationRules.createAssignment(rule.id, { voucher: 'MORNING' } as never)
    const { data } = await sdk.validationRules.listAssignments(rule.id)
    await sdk.validationRules.deleteAssignment(rule.id, assignment.id)
    await sdk.validationRules.delete(rule.id)

    expect(data.map(({ id }) => id)).toEqual([assignment.id])
    await expect(sdk.validationRules.get(rule.id)).rejects.toMatchObject({ code: 404 })
  })

  test('metadata schemas and asynchronous actions are listed', async () => {
    const schemas = await sdk.metadataSchemas.list()
    const actions = await sdk.asyncActions.list({ limit: 10 } as never)

    expect(schemas).toMatchObject({ object: 'list', schemas: expect.any(Array) })
    expect(actions).toMatchObject({ object: 'list', async_actions: expect.any(Array) })
  })
})

test('a delivery of a webhook carries the HMAC-SHA256 of its body under the secret of the project', async () => {
  const receiver = await startReceiver()
  const { management_id, management_token, project_id, webhook_secret } = sandbox.credentials
  await fetch(`${sandbox.url}/management/v1/projects/${project_id}/webhooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-management-id': management_id,
      'x-management-token': management_token,
    },
    body: JSON.stringify({ target_url: `${receiver.url}/hook`, events: ['voucher.disabled'] }),
  })

  await sdk.vouchers.disable('BEANS10')
  const delivery = await eventually(
    async () => receiver.received[0],
    (received) => received !== undefined,
  )
  await receiver.close()

  expect(delivery?.body).toMatchObject({ type: 'voucher.disabled', data: { voucher: { code: 'BEANS10' } } })
  expect(delivery?.headers['x-voucherify-signature']).toBe(
    createHmac('sha256', webhook_secret).update(String(delivery?.raw)).digest('hex'),
  )
})

describe('what the methods above leave out', () => {
  test('a campaign is changed, enabled and read, and its codes are imported by number', async () => {
    const campaign = await sdk.campaigns.create({
      name: 'SDK further',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STATIC',
      voucher: tenPercent,
    } as never)
    await sdk.campaigns.disable(campaign.id)
    await sdk.campaigns.enable(campaign.id)
    const changed = await sdk.campaigns.update(campaign.id, { description: 'Further' } as never)

    expect(changed).toMatchObject({ id: campaign.id, description: 'Further', active: true })
  })

  test('the tiers and stacks of promotions are listed, and a stack is created, read, changed and deleted', async () => {
    const { tiers } = await sdk.promotions.tiers.listAll()
    const [tier] = tiers
    const campaignId = String((tier as unknown as { campaign_id: string }).campaign_id)
    const stack = await sdk.promotions.stack.createInCampaign(campaignId, {
      name: 'SDK stack',
      tiers: { ids: [String(tier?.id)] },
    } as never)
    const renamed = await sdk.promotions.stack.update(campaignId, stack.id, { name: 'SDK stack two' } as never)
    const read = await sdk.promotions.stack.get(campaignId, stack.id)
    const inCampaign = await sdk.promotions.stack.listInCampaign(campaignId)
    const everywhere = await sdk.promotions.stack.list()
    await sdk.promotions.stack.delete(campaignId, stack.id)

    expect([renamed.name, read.name]).toEqual(['SDK stack two', 'SDK stack two'])
    for (const { data } of [inCampaign, everywhere]) expect(data.map(({ id }) => id)).toContain(stack.id)
    await expect(sdk.promotions.stack.get(campaignId, stack.id)).rejects.toMatchObject({ code: 404 })
  })

  test('one validation of an object is the older validation of promotions', async () => {
    const answer = await sdk.validations.validate({ order: { amount: 5000 } } as never)

    expect(answer).toMatchObject({ valid: true, promotions: expect.any(Array) })
  })

  test('one SKU, one category, one export, one segment and one schema are read', async () => {
    const { skus } = await sdk.products.listSkus('house-blend')
    const sku = await sdk.products.getSku(String(skus[0]?.id))
    const { id } = await sdk.categories.create({ name: 'SDK read', hierarchy: 9 })
    const category = await sdk.categories.get(id)
    const segment = await sdk.segments.create({ type: 'static', name: 'SDK read', customers: [] } as never)
    const readSegment = await sdk.segments.get(segment.id)

    expect(sku).toMatchObject({ object: 'sku', id: skus[0]?.id })
    expect(category).toMatchObject({ object: 'category', name: 'SDK read' })
    expect(readSegment).toMatchObject({ object: 'segment', name: 'SDK read' })
    await expect(sdk.metadataSchemas.get('voucher')).rejects.toMatchObject({ code: 404, key: 'not_found' })
  })

  test('a reward is created, read, changed, offered by a program, and deleted', async () => {
    const reward = await sdk.rewards.create({
      name: 'SDK coins',
      type: 'COIN',
      parameters: { coin: { exchange_ratio: 2, points_ratio: 1 } },
    } as never)
    const changed = await sdk.rewards.update({ id: reward.id, name: 'SDK more coins' } as never)
    const [assigned] = await sdk.loyalties.createRewardAssignments(await beanClub(), [{ reward: reward.id }] as never)
    const { data } = await sdk.loyalties.listRewardAssignments(await beanClub())
    await sdk.loyalties.deleteRewardAssignment(await beanClub(), String(assigned?.id))
    const read = await sdk.rewards.get(reward.id)
    await sdk.rewards.delete(reward.id)

    expect([changed.name, read.name]).toEqual(['SDK more coins', 'SDK more coins'])
    expect(JSON.stringify(data)).toContain(String(assigned?.id))
    await expect(sdk.rewards.get(reward.id)).rejects.toMatchObject({ code: 404 })
  })

  test('an earning rule is changed and read', async () => {
    const { data } = await sdk.loyalties.listEarningRules(await beanClub())
    const id = String(data[0]?.id)
    const before = await sdk.loyalties.getEarningRule(await beanClub(), id)
    await sdk.loyalties.updateEarningRule(await beanClub(), {
      id,
      source: { banner: 'SDK banner' },
      loyalty: { points: 26 },
    })
    const after = await sdk.loyalties.getEarningRule(await beanClub(), id)

    expect(before.id).toBe(id)
    expect(after.source).toMatchObject({ banner: 'SDK banner' })
  })

  test('a program is read, a card accepts points, and its points that expire are listed', async () => {
    const program = await sdk.loyalties.get(await beanClub())
    const added = await sdk.loyalties.addOrRemoveCardBalance('CLUB-002', { points: 7 } as never, await beanClub())
    const buckets = await sdk.loyalties.getPointsExpiration(await beanClub(), 'CLUB-002')

    expect(program).toMatchObject({ name: 'Bean Club', campaign_type: 'LOYALTY_PROGRAM' })
    expect(added).toMatchObject({ points: 7, object: 'balance' })
    expect(buckets).toMatchObject({ object: 'list', data: expect.any(Array) })
  })

  test('a validation rule is judged for an order', async () => {
    const rules = { 1: { name: 'order.amount', conditions: { $more_than: [3000] } }, logic: '1' }
    const { id } = await sdk.validationRules.create({ name: 'Judged', rules })

    const [met, violated] = await Promise.all(
      [5000, 1000].map((amount) => sdk.validationRules.validate(id, { order: { amount } })),
    )

    expect(met).toEqual({
      valid: true,
      rule_id: id,
      applicable_to: { object: 'list', data_ref: 'data', data: [], total: 0 },
    })
    expect(violated).toMatchObject({ valid: false, rule_id: id })
  })

  test('a validation rule is read and changed, and rules and their assignments are listed', async () => {
    const rule = await sdk.validationRules.create({
      name: 'SDK second rule',
      rules: { '1': { name: 'order.amount', conditions: { $more_than: [100] } }, logic: '1' },
    } as never)
    const changed = await sdk.validationRules.update({ id: rule.id, name: 'SDK renamed rule' } as never)
    const { data: rules } = await sdk.validationRules.list({ limit: 100 } as never)
    const { data: assignments } = await sdk.validationRules.listRulesAssignments()

    expect(changed.name).toBe('SDK renamed rule')
    expect(rules.map(({ id }) => id)).toContain(rule.id)
    expect(assignments.length).toBeGreaterThan(0)
  })

  test('a background job is read until it is done', async () => {
    const campaign = await sdk.campaigns.create({
      name: 'SDK to delete',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STATIC',
      voucher: tenPercent,
    } as never)
    const { async_action_id } = (await sdk.campaigns.delete(campaign.id, { force: true })) as never
    const done = await eventually(
      () => sdk.asyncActions.get(async_action_id),
      ({ status }) => status === 'DONE',
    )

    expect(done).toMatchObject({ id: async_action_id, object: 'async_action' })
  })

  test('a loyalty program is created, changed and deleted', async () => {
    const created = await sdk.loyalties.create({
      name: 'SDK program',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 1 } },
    } as never)
    const changed = await sdk.loyalties.update({ id: created.id, description: 'Beans' } as never)
    await sdk.loyalties.delete(created.id, { force: true } as never)

    expect(created).toMatchObject({ object: 'campaign', campaign_type: 'LOYALTY_PROGRAM', name: 'SDK program' })
    expect(changed).toMatchObject({ id: created.id, description: 'Beans' })
    await expect(sdk.loyalties.get(created.id)).rejects.toMatchObject({ code: 404 })
  })

  test('the price of a reward is changed in its program', async () => {
    const reward = await sdk.rewards.create({ name: 'SDK ticket', type: 'MATERIAL', parameters: {} } as never)
    const [assigned] = await sdk.loyalties.createRewardAssignments(await beanClub(), [
      { reward: reward.id, parameters: { loyalty: { points: 5 } } },
    ] as never)
    const changed = await sdk.loyalties.updateRewardAssignment(await beanClub(), {
      id: assigned?.id,
      parameters: { loyalty: { points: 6 } },
    } as never)
    await sdk.loyalties.deleteRewardAssignment(await beanClub(), String(assigned?.id))

    expect(changed).toMatchObject({ id: assigned?.id, parameters: { loyalty: { points: 6 } } })
  })

  test('a reward is offered in a program, repriced and withdrawn, and a card shows it', async () => {
    const reward = await sdk.rewards.create({ name: 'SDK cup', type: 'MATERIAL', parameters: {} } as never)
    const assigned = await sdk.rewards.createAssignment(reward.id, {
      campaign: await beanClub(),
      parameters: { loyalty: { points: 5 } },
    })
    const changed = await sdk.rewards.updateAssignment(reward.id, {
      id: assigned.id,
      parameters: { loyalty: { points: 6 } },
    })
    const listed = await sdk.rewards.listAssignments(reward.id, { limit: 5 })
    const read = await sdk.rewards.getAssignment(reward.id, assigned.id)
    const ofProgram = await sdk.loyalties.getRewardAssignment(await beanClub(), assigned.id)
    const details = await sdk.loyalties.getRewardDetails(await beanClub(), assigned.id)
    const ofCard = await sdk.loyalties.listMemberRewards('CLUB-001', { affordable_only: true })
    await sdk.rewards.deleteAssignment(reward.id, assigned.id)

    expect(changed).toMatchObject({ id: assigned.id, reward_id: reward.id, parameters: { loyalty: { points: 6 } } })
    expect([listed.data[0], read, ofProgram]).toEqual([changed, changed, changed])
    expect(details).toMatchObject({ id: reward.id, name: 'SDK cup' })
    expect(ofCard.data[0]).toMatchObject({ reward: { id: reward.id }, assignment: { id: assigned.id } })
    await expect(sdk.rewards.getAssignment(reward.id, assigned.id)).rejects.toMatchObject({ code: 404 })
  })

  test('the activity of a customer is listed, and a customer is deleted for good', async () => {
    const created = await sdk.customers.create({ source_id: 'sdk-forgotten' })
    const activity = await sdk.customers.listActivity('sdk-forgotten')
    const older = await sdk.customers.listActivities('sdk-forgotten')
    const deletion = await sdk.customers.deletePermanently('sdk-forgotten')

    expect(activity).toMatchObject({ object: 'list', data: [{ type: 'customer.created' }] })
    expect(older).toEqual(activity)
    expect(deletion).toMatchObject({ related_object_id: idOf(created), status: 'DONE' })
    await expect(sdk.customers.get('sdk-forgotten')).rejects.toMatchObject({ code: 404 })
  })

  test('the activity of a card and the segments of a customer are listed', async () => {
    await sdk.loyalties.addPoints(await beanClub(), 'CLUB-001', { points: 3 } as never)
    const segment = await sdk.segments.create({
      name: 'SDK readers',
      type: 'static',
      customers: [await idOfCustomer('shop-1001')],
    } as never)

    const oldest = await sdk.loyalties.listMemberActivity(null, 'CLUB-001', { order: 'created_at', limit: 1 })
    const newest = await sdk.loyalties.listMemberActivity(await beanClub(), 'CLUB-001', {
      order: '-created_at',
      limit: 1,
    })
    const older = await sdk.loyalties.getMemberActivities(null, 'CLUB-001')
    const { data } = await sdk.segments.list('shop-1001')
    await sdk.segments.delete(segment.id)

    expect(oldest).toMatchObject({ has_more: true, data: [{ data: { voucher: { code: 'CLUB-001' } } }] })
    expect(newest.data[0]?.id).not.toBe(oldest.data[0]?.id)
    expect(JSON.stringify(older)).toContain(newest.data[0]?.id)
    expect(data).toContainEqual(expect.objectContaining({ id: segment.id, name: 'SDK readers' }))
  })

  test('the limits of the last answer are read from its headers', async () => {
    await sdk.vouchers.get('BEANS10')

    expect(sdk.apiLimitsHandler.areLimitsAvailable()).toBe(true)
    expect(sdk.apiLimitsHandler.getRateLimit()).toBe(0)
    expect(sdk.apiLimitsHandler.getRateLimitRemaining()).toBe(0)
    expect(sdk.apiLimitsHandler.getRetryAfter()).toBe(0)
  })
})

const inBackground = { async_action_id: expect.any(String) }

describe('what changes many objects, and the older calls', () => {
  test('orders are created, read, changed, listed and imported', async () => {
    const created = await sdk.orders.create({ source_id: 'sdk-1', amount: 100, status: 'CREATED' } as never)
    const changed = await sdk.orders.update({ source_id: 'sdk-1', status: 'PAID' } as never)
    const read = await sdk.orders.get('sdk-1')
    const { orders } = await sdk.orders.list({ limit: 10 })
    const imported = await sdk.orders.import([{ source_id: 'sdk-2', amount: 5 }] as never)

    expect(created).toMatchObject({ object: 'order', status: 'CREATED', amount: 100 })
    expect(changed).toMatchObject({ id: created.id, status: 'PAID', amount: 100 })
    expect(read.id).toBe(created.id)
    expect(orders.map(({ id }) => id)).toContain(created.id)
    expect(imported).toMatchObject(inBackground)
  })

  const started: readonly [name: string, act: () => Promise<unknown>][] = [
    ['products.bulkUpdate', () => sdk.products.bulkUpdate([{ source_id: 'sdk-bulk', name: 'Bulk' }] as never)],
    [
      'products.bulkUpdateMetadata',
      () => sdk.products.bulkUpdateMetadata({ source_ids: ['house-blend'], metadata: { a: 1 } } as never),
    ],
    ['products.importCSV', () => sdk.products.importCSV(csv('name,source_id,price\nCup,sdk-cup,21\n'))],
    [
      'products.importSkusCSV',
      () => sdk.products.importSkusCSV(csv('product_id,sku,source_id,price\nhouse-blend,XL,sdk-xl,21\n')),
    ],
    ['vouchers.bulkUpdate', () => sdk.vouchers.bulkUpdate([{ code: 'BEANS10', metadata: { a: 1 } }] as never)],
    [
      'vouchers.bulkUpdateMetadata',
      () => sdk.vouchers.bulkUpdateMetadata({ codes: ['BEANS10'], metadata: { a: 1 } } as never),
    ],
    ['vouchers.import', () => sdk.vouchers.import([{ code: 'SDK-IMPORTED', ...tenPercent }] as never)],
    [
      'vouchers.importCSV',
      () => sdk.vouchers.importCSV(csv('Code,Voucher Type,Discount Type,Value\nSDK-CSV,DISCOUNT_VOUCHER,PERCENT,5\n')),
    ],
    ['campaigns.importVouchers', () => sdk.campaigns.importVouchers('Welcome', [{ code: 'SDK-WELCOME' }] as never)],
    [
      'campaigns.importVouchersCSV',
      async () => sdk.campaigns.importVouchersCSV((await sdk.campaigns.get('Welcome')).id, csv('Code\nSDK-W-CSV\n')),
    ],
    ['customers.updateInBulk', () => sdk.customers.updateInBulk([{ source_id: 'shop-1001', city: 'Ulm' }] as never)],
    [
      'customers.updateMetadataInBulk',
      () => sdk.customers.updateMetadataInBulk({ source_ids: ['shop-1001'], metadata: { a: 1 } } as never),
    ],
    ['customers.importCSV', () => sdk.customers.importCSV(csv('name,source_id\nEda,sdk-eda\n'))],
  ]

  test.each(started)('%s starts a background job', async (_name, act) => {
    expect(await act()).toMatchObject(inBackground)
  })

  test('one code is qualified, validated and redeemed by the older calls', async () => {
    await sdk.vouchers.create(coupon('SDK-OLDER'))
    const order = { amount: 10_000 }
    const offered = await sdk.vouchers.qualifications.examine({ order } as never)
    const validated = await sdk.validations.validateVoucher('SDK-OLDER', { order } as never)
    const redeemed = await sdk.redemptions.redeem('SDK-OLDER', { order } as never)
    const { tiers } = await sdk.promotions.tiers.listAll({})
    const tier = tiers.find(({ name }) => name === 'Ten percent from 40 euros')
    const ofTier = await sdk.promotions.tiers.redeem(String(tier?.id), { order } as never)

    expect(offered).toMatchObject({ object: 'list', data: expect.any(Array) })
    expect(validated).toMatchObject({ valid: true, code: 'SDK-OLDER', order: { total_discount_amount: 1000 } })
    expect(redeemed).toMatchObject({ object: 'redemption', result: 'SUCCESS', voucher: { code: 'SDK-OLDER' } })
    expect(ofTier).toMatchObject({ object: 'redemption', result: 'SUCCESS', promotion_tier: { id: tier?.id } })
  })

  test('a member redeems a reward of the program', async () => {
    const { data } = await sdk.rewards.list()
    const { data: offered } = await sdk.loyalties.listRewardAssignments(await beanClub())
    const mug = data.find(({ id, type }) => type === 'MATERIAL' && JSON.stringify(offered).includes(id))
    await sdk.loyalties.addPoints(await beanClub(), 'CLUB-002', { points: 400 } as never)

    const answer = await sdk.loyalties.redeemReward(await beanClub(), 'CLUB-002', { reward: { id: mug?.id } } as never)

    expect(answer).toMatchObject({ object: 'redemption', result: 'SUCCESS', reward: { id: mug?.id } })
  })
})

describe('loyalty tiers', () => {
  test('are created, listed and read, with their rules and rewards, and a member is in one', async () => {
    const club = await beanClub()
    const made = (await sdk.loyalties.createTiers(club, [{ name: 'Roaster', points: { from: 9000 } }])) as {
      id: string
    }[]
    const id = String(made[0]?.id)
    const { data } = await sdk.loyalties.listTiers(club)
    const { data: rules } = await sdk.loyalties.listLoyaltyTierEarningRules(club, id)
    const { data: offers } = await sdk.loyalties.listLoyaltyTierRewards(club, id)
    const { data: held } = await sdk.loyalties.listMemberLoyaltyTiers('CLUB-001')

    expect(data.map(({ name }) => name)).toEqual(['Roaster', 'Taster', 'Regular', 'Connoisseur'])
    expect(await sdk.loyalties.getTier(club, id)).toMatchObject({ name: 'Roaster', points: { from: 9000 } })
    expect([rules.length, offers.length, held.length]).toEqual([2, 2, 1])
  })
})

/** What the SDK can call and the sandbox refuses, with the reason. */
const refused: readonly [name: string, why: string, act: () => Promise<unknown>][] = [
  ['consents.list', 'consents are withdrawn', () => sdk.consents.list()],
  ['customers.updateConsents', 'consents are withdrawn', () => sdk.customers.updateConsents('shop-1001', {})],
]

describe('what the sandbox refuses', () => {
  test.each(refused)('%s is refused as not served: %s', async (_name, _why, act) => {
    await expect(act()).rejects.toMatchObject({ code: expect.any(Number), details: expect.stringMatching(notServed) })
  })
})

// Last: it counts the calls of all tests above.
test('every method of the SDK is called, or listed with a reason', () => {
  const listed = refused.map(([name]) => name)
  const all = [...methodsOf(sdkWith('')), ...clientMethods()]

  expect(all.filter((name) => !called.has(name) && !listed.includes(name))).toEqual([])
  expect(listed.filter((name) => !all.includes(name))).toEqual([])
  expect(all.length).toBeGreaterThan(150)
})

// A path of another method is a 405.
const notServed = /^(The sandbox does not serve|Allowed methods: )/

/** The methods of a page, with `client.` before each; those of the older calls are not served. */
function clientMethods(): string[] {
  const { url } = sandbox
  const page = VoucherifyClientSide({ apiUrl: url, clientApplicationId: 'a', clientSecretKey: 'b', origin: url })
  return methodsOf(page)
    .map((name) => `client.${name}`)
    .filter((name) => !pageMethodsNotServed.includes(name))
}

// Consents are withdrawn.
const pageMethodsNotServed = ['client.listConsents', 'client.updateConsents']

/** Writes a file of CSV and returns its path. */
function csv(text: string): string {
  const path = join(temporaryFolder(), 'import.csv')
  writeFileSync(path, text)
  return path
}

const tenPercent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } }

/** A voucher to create; the SDK's types ask for members that its own examples leave out. */
function coupon(code: string, more: object = {}) {
  return { ...tenPercent, code, ...more } as never
}

const anyCampaign = { type: 'STATIC', active: true, metadata: {} }

function giftCard(code: string | undefined) {
  return { type: 'GIFT_VOUCHER', gift: { amount: 1000 }, code } as never
}

function sdkWith(secretKey: string) {
  return VoucherifyServerSide({ apiUrl: sandbox.url, applicationId: sandbox.credentials.app_id, secretKey })
}

function cartWith(code: string) {
  return { redeemables: [{ object: 'voucher' as const, id: code }], order: { amount: 10_000 } }
}

async function beanClub(): Promise<string> {
  return String((await sdk.campaigns.get('Bean Club')).id)
}

/** The SDK's types know only some fields of a customer; the answer has an id. */
function idOf(customer: object): string {
  return (customer as { id: string }).id
}

async function idOfCustomer(sourceId: string): Promise<string> {
  return idOf(await sdk.customers.get(sourceId))
}
