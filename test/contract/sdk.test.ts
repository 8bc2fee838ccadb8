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

/** What earlier calls of a story answered, by the names that it gave them; and the ids of three things of the demo project. */
// biome-ignore lint/suspicious/noExplicitAny: a step reads any answer, and asserts what it expects.
type Made = Record<string, any>
type Of<Value> = Value | ((made: Made) => Value)
/** A method, its arguments, the answer (of an object, the members that are given) or the code of the refusal, and a name for it. */
type Step = readonly [method: string, args?: Of<unknown[]>, answer?: Of<object | number | undefined>, name?: string]

let sandbox: StartedSandbox
let sdk: ReturnType<typeof VoucherifyServerSide>
let deaf: () => void
let known: Made
const called = new Set<string>()

beforeAll(async () => {
  sandbox = await startedSandbox()
  deaf = listenForClientAnswers(() => sandbox.url)
  sdk = noting(sdkWith(sandbox.credentials.app_token), called)
  const [club, welcome] = await Promise.all(['Bean Club', 'Welcome'].map((name) => sdk.campaigns.get(name)))
  known = { club: club?.id, welcome: welcome?.id, ada: ((await sdk.customers.get('shop-1001')) as Made).id }
})

afterAll(async () => {
  deaf()
  await sandbox.close()
})

/** Makes the calls of a story one after the other. */
async function tell(steps: readonly Step[]): Promise<void> {
  const made = { ...known }
  const given = <Value>(one: Of<Value>) => (typeof one === 'function' ? (one as (made: Made) => Value)(made) : one)
  for (const [method, args = [], expected, name] of steps) {
    const path = method.split('.')
    const owner = path.slice(0, -1).reduce((group: Made, part) => group[part], sdk)
    const call = owner[path.at(-1) as string](...given(args))
    const answer = given(expected)
    if (typeof answer === 'number') {
      await expect(call, method).rejects.toMatchObject({ code: answer })
      continue
    }
    const answered = await call
    if (answer !== undefined) expect(answered, method).toMatchObject(answer)
    if (name !== undefined) made[name] = answered
  }
}

const tenPercent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } }
const coupon = (code: string, more: object = {}) => ({ ...tenPercent, code, ...more })
const giftCard = (code?: string) => ({ type: 'GIFT_VOUCHER', gift: { amount: 1000 }, code })
/** A gift card that pays with so many credits. */
const giftOf = (id: string, credits: number) => ({ object: 'voucher', id, gift: { credits } })
const cartWith = (...ids: string[]) => ({
  redeemables: ids.map((id) => ({ object: 'voucher' as const, id })),
  order: { amount: 10_000 },
})
const campaign = (name: string, more: object = {}) => {
  return { name, campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher: tenPercent, ...more }
}
const above = (amount: number) => ({
  1: { name: 'order.amount', conditions: { $more_than: [amount] } },
  logic: '1',
})
const amountOff = (amount_off: number) => ({ action: { discount: { type: 'AMOUNT', amount_off } } })
const part = (one: object) => expect.objectContaining(one)
/** A list that has one of these members among others. */
const has = (one: object) => expect.arrayContaining([part(one)])
const list = { object: 'list', data: expect.any(Array) }
const shopper = { customer: { source_id: 'shop-1001' }, order: { amount: 10_000 } }
const priced = (points: number) => ({ parameters: { loyalty: { points } } })

const stories: Record<string, readonly Step[]> = {
  'a voucher is created, read, changed, disabled, enabled and deleted': [
    ['vouchers.create', [coupon('SDK 1/ü', { metadata: { shelf: 'a' } })], { ...coupon('SDK 1/ü'), active: true }],
    ['vouchers.update', [{ code: 'SDK 1/ü', metadata: { lang: 'de' } }], { metadata: { shelf: 'a', lang: 'de' } }],
    ['vouchers.disable', ['SDK 1/ü'], { active: false }],
    ['vouchers.enable', ['SDK 1/ü'], { active: true }],
    ['vouchers.get', ['SDK 1/ü'], { active: true }],
    ['vouchers.delete', ['SDK 1/ü', { force: true }]],
    ['vouchers.get', ['SDK 1/ü'], 404],
  ],
  'a code that is not named is drawn': [
    ['vouchers.create', [giftCard()], { code: expect.stringMatching(/^\w{8}$/) }, 'card'],
    ['vouchers.get', ({ card }) => [card.code], { gift: { amount: 1000 } }],
  ],
  'a listing accepts a page, an order and a filter in brackets': [
    ['vouchers.create', [coupon('LISTED', { category: 'Rare' })]],
    ['vouchers.list', [{ limit: 2, page: 1, order: '-created_at' }], { data_ref: 'vouchers', vouchers: [{}, {}] }],
    ['vouchers.list', [{ category: 'Rare' }], { object: 'list', total: 1, vouchers: [{ code: 'LISTED' }] }],
  ],
  'a gift card accepts a balance and shows it in its transactions, which can be exported': [
    ['vouchers.balance.create', ['GIFT-001', { amount: 1500 }], { amount: 1500, type: 'gift_voucher' }],
    [
      'vouchers.listTransactions',
      ['GIFT-001', { limit: 1 }],
      { data: [{ type: 'CREDITS_ADDITION', details: { balance: { amount: 1500 } } }] },
    ],
    [
      'vouchers.exportTransactions',
      ['GIFT-001', { order: '-created_at' }],
      { exported_object: 'voucher_transactions' },
    ],
  ],
  'several redeemables are validated together, with the discount of each; one that does not apply comes with its reason':
    [
      [
        'validations.validateStackable',
        [{ ...shopper, redeemables: [...cartWith('BEANS10').redeemables, giftOf('GIFT-001', 100)] }],
        {
          valid: true,
          order: { total_discount_amount: 1100, total_amount: 8900 },
          redeemables: [
            { id: 'BEANS10', status: 'APPLICABLE' },
            { id: 'GIFT-001', status: 'APPLICABLE' },
          ],
        },
      ],
      [
        'validations.validateStackable',
        [cartWith('XMAS2025')],
        { valid: false, redeemables: [{ status: 'INAPPLICABLE', result: { error: { key: 'voucher_expired' } } }] },
      ],
    ],
  'a session holds a use of a code until it is released': [
    ['vouchers.create', [coupon('ONLY-ONE', { redemption: { quantity: 1 } })]],
    [
      'validations.validateStackable',
      [{ ...cartWith('ONLY-ONE'), session: { type: 'LOCK', key: 'till-1' } }],
      { session: { key: 'till-1', type: 'LOCK' } },
    ],
    ['validations.validateStackable', [cartWith('ONLY-ONE')], { valid: false }],
    ['vouchers.releaseValidationSession', ['ONLY-ONE', 'till-1']],
    ['validations.validateStackable', [cartWith('ONLY-ONE')], { valid: true }],
  ],
  'promotions that apply to a cart are found without a code; one object is the older validation of them': [
    [
      'promotions.validate',
      [{ ...shopper, order: { amount: 5000 } }],
      { valid: true, promotions: [{ name: 'Three euros for readers' }, { name: 'Ten percent from 40 euros' }] },
    ],
    ['validations.validate', [{ order: { amount: 5000 } }], { valid: true, promotions: expect.any(Array) }],
  ],
  'the tiers of a promotion are created, listed, changed, read and deleted': [
    [
      'promotions.create',
      [
        {
          name: 'SDK promotion',
          campaign_type: 'PROMOTION',
          promotion: { tiers: [{ name: 'First', banner: '5 off', metadata: {}, ...amountOff(500) }] },
        },
      ],
      { object: 'campaign' },
      'promotion',
    ],
    [
      'promotions.tiers.create',
      ({ promotion }) => [promotion.id, { name: 'Second', banner: '1 off', ...amountOff(100) }],
      { name: 'Second' },
      'second',
    ],
    ['promotions.tiers.update', ({ second }) => [{ ...second, banner: 'one off' }], { banner: 'one off' }],
    ['promotions.tiers.list', ({ promotion }) => [promotion.id], { tiers: has({ name: 'First' }), total: 2 }],
    ['promotions.tiers.delete', ({ second }) => [second.id]],
    ['promotions.tiers.get', ({ second }) => [second.id], 404],
  ],
  'campaigns and redeemables are qualified for a customer and a cart': [
    ['campaigns.qualifications.examine', [shopper], { ...list, data_ref: 'data' }],
    ['qualifications.checkEligibility', [{ ...shopper, mode: 'BASIC', scenario: 'ALL' }], { redeemables: list }],
  ],
  'codes are redeemed together, read, and rolled back with their order': [
    ['vouchers.create', [coupon('REDEEMED-1', { redemption: { quantity: 1 } })]],
    ['vouchers.create', [giftCard('REDEEMED-GIFT')], { gift: { amount: 1000, balance: 1000 } }],
    [
      'redemptions.redeemStackable',
      [
        {
          redeemables: [...cartWith('REDEEMED-1').redeemables, giftOf('REDEEMED-GIFT', 400)],
          order: { source_id: 'sdk-order', amount: 10_000 },
          customer: { source_id: 'shop-1004' },
        },
      ],
      {
        redemptions: [{ result: 'SUCCESS' }, { result: 'SUCCESS' }],
        order: { total_discount_amount: 1400, total_amount: 8600 },
      },
      'together',
    ],
    ['validations.validateStackable', [cartWith('REDEEMED-1')], { valid: false }],
    [
      'redemptions.get',
      ({ together }) => [together.redemptions[0].id],
      { object: 'redemption', result: 'SUCCESS', voucher: { code: 'REDEEMED-1' } },
    ],
    ['vouchers.get', ['REDEEMED-GIFT'], { gift: { balance: 600 } }],
    [
      'redemptions.rollbackStackable',
      ({ together }) => [together.parent_redemption.id, { reason: 'returned' }],
      { rollbacks: [{ result: 'SUCCESS' }, { result: 'SUCCESS' }] },
    ],
    ['vouchers.get', ['REDEEMED-GIFT'], { gift: { balance: 1000 } }],
    ['validations.validateStackable', [cartWith('REDEEMED-1')], { valid: true }],
  ],
  'one redemption is listed under its code and rolled back alone; a code that cannot be redeemed is refused': [
    ['vouchers.create', [coupon('REDEEMED-2')]],
    ['redemptions.redeemStackable', [cartWith('REDEEMED-2')], undefined, 'sale'],
    ['redemptions.list', [{ limit: 1 }], ({ sale }) => ({ redemptions: [{ id: sale.redemptions[0].id }] })],
    [
      'redemptions.getForVoucher',
      ['REDEEMED-2'],
      ({ sale }) => ({ quantity: null, redeemed_quantity: 1, redemption_entries: [{ id: sale.redemptions[0].id }] }),
    ],
    [
      'redemptions.rollback',
      ({ sale }) => [sale.redemptions[0].id, { reason: 'changed their mind' }],
      { object: 'redemption_rollback', result: 'SUCCESS', reason: 'changed their mind' },
    ],
    ['redemptions.getForVoucher', ['REDEEMED-2'], { redeemed_quantity: 0 }],
    ['redemptions.redeemStackable', [cartWith('XMAS2025')], 400],
  ],
  'a campaign generates codes, publishes one to a customer, is changed, disabled, enabled and deleted': [
    [
      'campaigns.create',
      [campaign('SDK', { voucher: { ...tenPercent, redemption: { quantity: 1 }, code_config: { prefix: 'SDK-' } } })],
      {},
      'made',
    ],
    ['campaigns.addVoucher', ['SDK', {}, { vouchers_count: 1 }]],
    ['campaigns.addCertainVoucher', ['SDK', 'SDK-CERTAIN']],
    [
      'distributions.publications.create',
      [{ campaign: { name: 'SDK', count: 1 }, customer: { source_id: 'sdk-customer' } }],
      { object: 'publication', result: 'SUCCESS', channel: 'API' },
      'published',
    ],
    [
      'distributions.publications.list',
      ({ published }) => [{ customer: published.customer_id }],
      ({ published }) => ({ publications: [{ id: published.id }] }),
    ],
    ['campaigns.disable', ({ made }) => [made.id]],
    ['campaigns.get', ['SDK'], { active: false }],
    ['campaigns.enable', ({ made }) => [made.id]],
    ['campaigns.update', ({ made }) => [made.id, { description: 'More' }], { description: 'More', active: true }],
    ['campaigns.list', [{ limit: 100 }], { campaigns: has({ name: 'SDK' }) }],
    // What is to be expanded is sent as a list.
    ['campaigns.list', [{ expand: ['category'], limit: 1 }], { campaigns: [{}] }],
    ['campaigns.delete', ({ made }) => [made.id, { force: true }]],
    ['campaigns.get', ['SDK'], 404],
  ],
  'a customer is created, read, changed, put in a segment and deleted': [
    ['customers.create', [{ source_id: 'sdk/1', name: 'Ida' }], { object: 'customer', source_id: 'sdk/1' }, 'ida'],
    ['customers.update', [{ source_id: 'sdk/1', city: 'Oslo' }], ({ ida }) => ({ id: ida.id, name: 'Ida' })],
    ['segments.create', ({ ida }) => [{ type: 'static', name: 'SDK segment', customers: [ida.id] }], {}, 'segment'],
    ['segments.get', ({ segment }) => [segment.id], { object: 'segment', name: 'SDK segment' }],
    ['customers.get', ['sdk/1'], ({ ida }) => ({ id: ida.id })],
    ['customers.list', [{ limit: 1, page: 1 }], { customers: [{}] }],
    ['segments.delete', ({ segment }) => [segment.id]],
    ['customers.delete', ['sdk/1']],
    ['customers.get', ['sdk/1'], 404],
  ],
  'the redeemables, the activity and the segments of a customer are listed, and one is deleted for good': [
    ['customers.listRedeemables', ({ ada }) => [ada], list],
    ['customers.create', [{ source_id: 'sdk-forgotten' }], {}, 'gone'],
    ['customers.listActivity', ['sdk-forgotten'], { object: 'list', data: [{ type: 'customer.created' }] }, 'activity'],
    ['customers.listActivities', ['sdk-forgotten'], ({ activity }) => activity],
    ['customers.deletePermanently', ['sdk-forgotten'], ({ gone }) => ({ related_object_id: gone.id, status: 'DONE' })],
    ['customers.get', ['sdk-forgotten'], 404],
    ['segments.create', ({ ada }) => [{ name: 'SDK readers', type: 'static', customers: [ada] }], {}, 'segment'],
    ['segments.list', ['shop-1001'], ({ segment }) => ({ data: has({ id: segment.id, name: 'SDK readers' }) })],
    ['segments.delete', ({ segment }) => [segment.id]],
  ],
  'the activity of a card is listed': [
    ['loyalties.addPoints', ({ club }) => [club, 'CLUB-003', { points: 3 }]],
    [
      'loyalties.listMemberActivity',
      [null, 'CLUB-003', { order: 'created_at', limit: 1 }],
      { has_more: true, data: [{ data: { voucher: { code: 'CLUB-003' } } }] },
    ],
    [
      'loyalties.listMemberActivity',
      ({ club }) => [club, 'CLUB-003', { order: '-created_at', limit: 1 }],
      { has_more: true },
      'newest',
    ],
    ['loyalties.getMemberActivities', [null, 'CLUB-003'], ({ newest }) => ({ data: has({ id: newest.data[0].id }) })],
  ],
  'a product and its SKU are created, read, listed, changed and deleted': [
    [
      'products.create',
      [{ source_id: 'sdk-mug', name: 'Mug', price: 1200 }],
      { object: 'product', price: 1200 },
      'mug',
    ],
    ['products.createSku', ({ mug }) => [mug.id, { source_id: 'sdk-mug-l', sku: 'Mug L' }], { object: 'sku' }, 'large'],
    ['products.updateSku', ({ large }) => ['sdk-mug', { id: large.id, price: 1500 }], { price: 1500 }],
    ['products.getSku', ({ large }) => [large.id], { object: 'sku', sku: 'Mug L' }],
    ['products.listSkus', ['sdk-mug'], { skus: [{ source_id: 'sdk-mug-l' }] }],
    ['products.update', ({ mug }) => [{ id: mug.id, name: 'Enamel mug' }], { name: 'Enamel mug' }],
    ['products.list', [{ limit: 100 }], ({ mug }) => ({ products: has({ id: mug.id }) })],
    ['products.deleteSku', ({ mug, large }) => [mug.id, large.id, { force: true }]],
    ['products.delete', ({ mug }) => [mug.id, { force: true }]],
    ['products.get', ({ mug }) => [mug.id], 404],
  ],
  'a product collection is created, read with its products and deleted': [
    ['products.list', [{ limit: 1 }], { products: [{}] }, 'all'],
    [
      'productCollections.create',
      ({ all }) => [{ name: 'SDK shelf', type: 'STATIC', products: [{ id: all.products[0].id, object: 'product' }] }],
      {},
      'shelf',
    ],
    [
      'productCollections.listProducts',
      ({ shelf }) => [shelf.id],
      ({ all }) => ({ data: [{ id: all.products[0].id }] }),
    ],
    ['productCollections.list', [{ limit: 100 }], ({ shelf }) => ({ data: has({ id: shelf.id }) })],
    ['productCollections.delete', ({ shelf }) => [shelf.id]],
    ['productCollections.get', ({ shelf }) => [shelf.id], 404],
  ],
  'a category is created, renamed, read, listed and deleted': [
    ['categories.create', [{ name: 'SDK category', hierarchy: 7 }], {}, 'category'],
    ['categories.update', ({ category }) => [category.id, { name: 'Renamed', hierarchy: 7 }], { name: 'Renamed' }],
    ['categories.get', ({ category }) => [category.id], { object: 'category', name: 'Renamed' }],
    ['categories.list', [{}], ({ category }) => ({ data: has({ id: category.id }) })],
    ['categories.delete', ({ category }) => [category.id]],
  ],
  'a member is enrolled, receives points, and transfers some of them': [
    [
      'campaigns.create',
      [
        campaign('SDK club', {
          campaign_type: 'LOYALTY_PROGRAM',
          type: 'AUTO_UPDATE',
          voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
        }),
      ],
      {},
      'own',
    ],
    ['loyalties.createMember', ({ own }) => [own.id, { customer: { source_id: 'sdk-giver' } }], {}, 'giver'],
    ['loyalties.createMember', ({ own }) => [own.id, { customer: { source_id: 'sdk-taker' } }], {}, 'taker'],
    ['loyalties.addPoints', ({ own, giver }) => [own.id, giver.code, { points: 80 }], { points: 80, balance: 80 }],
    [
      'loyalties.transferPoints',
      ({ own, giver, taker }) => [
        own.id,
        taker.code,
        [{ code: giver.code, points: 30, reason: 'A present', source_id: 'sdk-transfer' }],
      ],
    ],
    ['loyalties.getMember', ({ giver }) => [null, giver.code], { loyalty_card: { balance: 50 } }],
    ['loyalties.getMember', ({ taker }) => [null, taker.code], { loyalty_card: { balance: 30 } }],
  ],
  'the transactions of a card are listed with and without its program, page by page': [
    ['loyalties.listCardTransactions', ['CLUB-004', null, { limit: 2 }], { data_ref: 'data', has_more: true }, 'first'],
    ['loyalties.listCardTransactions', ({ club }) => ['CLUB-004', club], {}, 'whole'],
    [
      'loyalties.listCardTransactions',
      ({ first }) => ['CLUB-004', null, { starting_after_id: first.data.at(-1).id }],
      ({ first, whole }) => ({ data: whole.data.slice(first.data.length).map(({ id }: Made) => ({ id })) }),
    ],
  ],
  'programs, members, earning rules and rewards are listed': [
    ['loyalties.list', [{ limit: 100 }], { campaigns: has({ name: 'Bean Club' }) }],
    ['loyalties.listMembers', ({ club }) => [club, { limit: 3 }], { vouchers: [{}, {}, {}] }],
    ['loyalties.listEarningRules', ({ club }) => [club], { data: [{}, {}] }],
    ['loyalties.listRewardAssignments', ({ club }) => [club], { data: [{}, {}] }],
    ['rewards.list', [], { data: [{}, {}] }],
  ],
  'an earning rule is created, disabled, enabled, changed, read and deleted': [
    [
      'loyalties.createEarningRule',
      ({ club }) => [
        club,
        [{ event: 'cupping_attended', loyalty: { type: 'FIXED', points: 5 }, source: { banner: 'Five more' } }],
      ],
      [{}],
      'rules',
    ],
    ['loyalties.disableEarningRule', ({ club, rules }) => [club, rules[0].id], { active: false }],
    ['loyalties.enableEarningRule', ({ club, rules }) => [club, rules[0].id], { active: true }],
    [
      'loyalties.updateEarningRule',
      ({ club, rules }) => [club, { id: rules[0].id, source: { banner: 'SDK banner' }, loyalty: { points: 26 } }],
    ],
    ['loyalties.getEarningRule', ({ club, rules }) => [club, rules[0].id], { source: { banner: 'SDK banner' } }],
    ['loyalties.deleteEarningRule', ({ club, rules }) => [club, rules[0].id]],
    ['loyalties.getEarningRule', ({ club, rules }) => [club, rules[0].id], 404],
  ],
  'a program is read, a card accepts points, and its points that expire are listed': [
    ['loyalties.get', ({ club }) => [club], { name: 'Bean Club', campaign_type: 'LOYALTY_PROGRAM' }],
    ['loyalties.addOrRemoveCardBalance', ({ club }) => ['CLUB-002', { points: 7 }, club], { points: 7 }],
    ['loyalties.getPointsExpiration', ({ club }) => [club, 'CLUB-002'], list],
  ],
  'a loyalty program is created, changed and deleted': [
    [
      'loyalties.create',
      [{ name: 'SDK program', voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 1 } } }],
      { object: 'campaign', campaign_type: 'LOYALTY_PROGRAM', name: 'SDK program' },
      'own',
    ],
    ['loyalties.update', ({ own }) => [{ id: own.id, description: 'Beans' }], { description: 'Beans' }],
    ['loyalties.delete', ({ own }) => [own.id, { force: true }]],
    ['loyalties.get', ({ own }) => [own.id], 404],
  ],
  'a reward is created, read, changed, offered by a program, repriced, withdrawn and deleted': [
    [
      'rewards.create',
      [{ name: 'SDK coins', type: 'COIN', parameters: { coin: { exchange_ratio: 2, points_ratio: 1 } } }],
      {},
      'coins',
    ],
    ['rewards.update', ({ coins }) => [{ id: coins.id, name: 'SDK more coins' }], { name: 'SDK more coins' }],
    ['loyalties.createRewardAssignments', ({ club, coins }) => [club, [{ reward: coins.id }]], [{}], 'offers'],
    ['loyalties.listRewardAssignments', ({ club }) => [club], ({ offers }) => ({ data: has({ id: offers[0].id }) })],
    ['loyalties.deleteRewardAssignment', ({ club, offers }) => [club, offers[0].id]],
    ['rewards.get', ({ coins }) => [coins.id], { name: 'SDK more coins' }],
    ['rewards.delete', ({ coins }) => [coins.id]],
    ['rewards.get', ({ coins }) => [coins.id], 404],
  ],
  'a reward is offered in a program, repriced and withdrawn, and a card shows it': [
    ['rewards.create', [{ name: 'SDK cup', type: 'MATERIAL', parameters: {} }], {}, 'cup'],
    ['rewards.createAssignment', ({ cup, club }) => [cup.id, { campaign: club, ...priced(5) }], {}, 'offer'],
    [
      'rewards.updateAssignment',
      ({ cup, offer }) => [cup.id, { id: offer.id, ...priced(6) }],
      ({ cup, offer }) => ({ id: offer.id, reward_id: cup.id, ...priced(6) }),
      'changed',
    ],
    ['loyalties.updateRewardAssignment', ({ club, offer }) => [club, { id: offer.id, ...priced(6) }], priced(6)],
    ['rewards.listAssignments', ({ cup }) => [cup.id, { limit: 5 }], ({ changed }) => ({ data: [changed] })],
    ['rewards.getAssignment', ({ cup, offer }) => [cup.id, offer.id], ({ changed }) => changed],
    ['loyalties.getRewardAssignment', ({ club, offer }) => [club, offer.id], ({ changed }) => changed],
    ['loyalties.getRewardDetails', ({ club, offer }) => [club, offer.id], { name: 'SDK cup' }],
    [
      'loyalties.listMemberRewards',
      ['CLUB-001', { affordable_only: true }],
      ({ cup, offer }) => ({ data: has({ reward: part({ id: cup.id }), assignment: part({ id: offer.id }) }) }),
    ],
    ['rewards.deleteAssignment', ({ cup, offer }) => [cup.id, offer.id]],
    ['rewards.getAssignment', ({ cup, offer }) => [cup.id, offer.id], 404],
  ],
  'a custom event is accepted for a customer': [
    [
      'events.create',
      ['cupping_attended', { customer: { source_id: 'shop-1002' }, metadata: { cups: 3 } }],
      { object: 'event', type: 'cupping_attended', customer: { object: 'customer' } },
    ],
  ],
  'an export of vouchers is created, listed and deleted': [
    [
      'distributions.exports.create',
      [{ exported_object: 'voucher', parameters: { order: '-created_at', fields: ['code', 'active'] } }],
      {},
      'ordered',
    ],
    ['distributions.exports.list', [{ limit: 10 }], ({ ordered }) => ({ exports: has({ id: ordered.id }) })],
    ['distributions.exports.delete', ({ ordered }) => [ordered.id]],
    ['distributions.exports.get', ({ ordered }) => [ordered.id], 404],
  ],
  'a validation rule is created, changed, judged for an order, assigned, listed, unassigned and deleted': [
    ['validationRules.create', [{ name: 'SDK rule', rules: above(3000) }], {}, 'rule'],
    ['validationRules.update', ({ rule }) => [{ id: rule.id, name: 'Renamed' }], { name: 'Renamed' }],
    [
      'validationRules.validate',
      ({ rule }) => [rule.id, { order: { amount: 5000 } }],
      ({ rule }) => ({ valid: true, rule_id: rule.id, applicable_to: { object: 'list', data_ref: 'data', total: 0 } }),
    ],
    ['validationRules.validate', ({ rule }) => [rule.id, { order: { amount: 1000 } }], { valid: false }],
    ['validationRules.createAssignment', ({ rule }) => [rule.id, { voucher: 'MORNING' }], {}, 'assigned'],
    ['validationRules.listAssignments', ({ rule }) => [rule.id], ({ assigned }) => ({ data: [{ id: assigned.id }] })],
    ['validationRules.list', [{ limit: 100 }], ({ rule }) => ({ data: has({ id: rule.id }) })],
    ['validationRules.listRulesAssignments', [], ({ rule }) => ({ data: has({ rule_id: rule.id }) })],
    ['validationRules.deleteAssignment', ({ rule, assigned }) => [rule.id, assigned.id]],
    ['validationRules.delete', ({ rule }) => [rule.id]],
    ['validationRules.get', ({ rule }) => [rule.id], 404],
  ],
  'metadata schemas and asynchronous actions are listed': [
    ['metadataSchemas.list', [], { object: 'list', schemas: expect.any(Array) }],
    ['metadataSchemas.get', ['voucher'], 404],
    ['asyncActions.list', [{ limit: 10 }], { object: 'list', async_actions: expect.any(Array) }],
  ],
  'the tiers and stacks of promotions are listed, and a stack is created, read, changed and deleted': [
    ['promotions.tiers.listAll', [], {}, 'all'],
    [
      'promotions.stack.createInCampaign',
      ({ all: { tiers } }) => [tiers[0].campaign_id, { name: 'SDK stack', tiers: { ids: [tiers[0].id] } }],
      {},
      'stack',
    ],
    [
      'promotions.stack.update',
      ({ stack }) => [stack.campaign_id, stack.id, { name: 'SDK stack two' }],
      { name: 'SDK stack two' },
    ],
    ['promotions.stack.get', ({ stack }) => [stack.campaign_id, stack.id], { name: 'SDK stack two' }],
    [
      'promotions.stack.listInCampaign',
      ({ stack }) => [stack.campaign_id],
      ({ stack }) => ({ data: has({ id: stack.id }) }),
    ],
    ['promotions.stack.list', [], ({ stack }) => ({ data: has({ id: stack.id }) })],
    ['promotions.stack.delete', ({ stack }) => [stack.campaign_id, stack.id]],
    ['promotions.stack.get', ({ stack }) => [stack.campaign_id, stack.id], 404],
  ],
  'orders are created, read, changed, listed and imported': [
    [
      'orders.create',
      [{ source_id: 'sdk-1', amount: 100, status: 'CREATED' }],
      { object: 'order', amount: 100 },
      'one',
    ],
    ['orders.update', [{ source_id: 'sdk-1', status: 'PAID' }], ({ one }) => ({ id: one.id, status: 'PAID' })],
    ['orders.get', ['sdk-1'], ({ one }) => ({ id: one.id, amount: 100 })],
    ['orders.list', [{ limit: 10 }], ({ one }) => ({ orders: has({ id: one.id }) })],
    ['orders.import', [[{ source_id: 'sdk-2', amount: 5 }]], { async_action_id: expect.any(String) }],
  ],
  'one code is qualified, validated and redeemed by the older calls': [
    ['vouchers.create', [coupon('SDK-OLDER')]],
    ['vouchers.qualifications.examine', [{ order: { amount: 10_000 } }], list],
    [
      'validations.validateVoucher',
      ['SDK-OLDER', { order: { amount: 10_000 } }],
      { valid: true, code: 'SDK-OLDER', order: { total_discount_amount: 1000 } },
    ],
    [
      'redemptions.redeem',
      ['SDK-OLDER', { order: { amount: 10_000 } }],
      { object: 'redemption', result: 'SUCCESS', voucher: { code: 'SDK-OLDER' } },
    ],
    ['promotions.tiers.listAll', [{}], {}, 'all'],
    [
      'promotions.tiers.redeem',
      ({ all }) => [
        all.tiers.find(({ name }: Made) => name === 'Ten percent from 40 euros').id,
        { order: { amount: 10_000 } },
      ],
      { object: 'redemption', result: 'SUCCESS', promotion_tier: { name: 'Ten percent from 40 euros' } },
    ],
  ],
  'a member redeems a reward of the program': [
    ['loyalties.addPoints', ({ club }) => [club, 'CLUB-002', { points: 400 }]],
    [
      'loyalties.redeemReward',
      ({ club }) => [club, 'CLUB-002', { reward: { id: 'rew_19b8d627a800000002' } }],
      { object: 'redemption', result: 'SUCCESS', reward: { id: 'rew_19b8d627a800000002' } },
    ],
  ],
  'loyalty tiers are created, listed and read, with their rules and rewards, and a member is in one': [
    ['loyalties.createTiers', ({ club }) => [club, [{ name: 'Roaster', points: { from: 9000 } }]], [{}], 'tiers'],
    [
      'loyalties.listTiers',
      ({ club }) => [club],
      { data: [{ name: 'Roaster' }, { name: 'Taster' }, { name: 'Regular' }, { name: 'Connoisseur' }] },
    ],
    ['loyalties.getTier', ({ club, tiers }) => [club, tiers[0].id], { name: 'Roaster', points: { from: 9000 } }],
    ['loyalties.listLoyaltyTierEarningRules', ({ club, tiers }) => [club, tiers[0].id], { data: [{}, {}] }],
    ['loyalties.listLoyaltyTierRewards', ({ club, tiers }) => [club, tiers[0].id], { data: [{}, {}] }],
    ['loyalties.listMemberLoyaltyTiers', ['CLUB-001'], { data: [{}] }],
  ],
}

test.each(Object.entries(stories))('%s', async (_, steps) => await tell(steps))

const started: readonly Step[] = [
  ['products.bulkUpdate', [[{ source_id: 'sdk-bulk', name: 'Bulk' }]]],
  ['products.bulkUpdateMetadata', [{ source_ids: ['house-blend'], metadata: { a: 1 } }]],
  ['products.importCSV', () => [csv('name,source_id,price\nCup,sdk-cup,21\n')]],
  ['products.importSkusCSV', () => [csv('product_id,sku,source_id,price\nhouse-blend,XL,sdk-xl,21\n')]],
  ['vouchers.bulkUpdate', [[{ code: 'BEANS10', metadata: { a: 1 } }]]],
  ['vouchers.bulkUpdateMetadata', [{ codes: ['BEANS10'], metadata: { a: 1 } }]],
  ['vouchers.import', [[{ code: 'SDK-IMPORTED', ...tenPercent }]]],
  ['vouchers.importCSV', () => [csv('Code,Voucher Type,Discount Type,Value\nSDK-CSV,DISCOUNT_VOUCHER,PERCENT,5\n')]],
  ['campaigns.importVouchers', ['Welcome', [{ code: 'SDK-WELCOME' }]]],
  ['campaigns.importVouchersCSV', ({ welcome }) => [welcome, csv('Code\nSDK-W-CSV\n')]],
  ['customers.updateInBulk', [[{ source_id: 'shop-1001', city: 'Ulm' }]]],
  ['customers.updateMetadataInBulk', [{ source_ids: ['shop-1001'], metadata: { a: 1 } }]],
  ['customers.importCSV', () => [csv('name,source_id\nEda,sdk-eda\n')]],
]

test.each(started.map((step) => [step[0], step] as const))('%s starts a background job', async (_, [method, args]) => {
  await tell([[method, args ?? [], { async_action_id: expect.any(String) }]])
})

test('a refusal arrives with its code, key, details and request id', async () => {
  const refused = sdk.vouchers.create(coupon('BEANS10') as never)

  await expect(refused).rejects.toMatchObject({ code: 409, key: 'duplicate_found', request_id: expect.any(String) })
  await expect(refused).rejects.toThrow('Duplicated resource found')
})

test('a wrong token is refused as unauthorized', async () => {
  const stranger = sdkWith('00000000-0000-0000-0000-000000000000')

  await expect(stranger.vouchers.get('BEANS10')).rejects.toMatchObject({ code: 401, key: 'unauthorized' })
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

test('all customers are listed page by page with the scroll', async () => {
  const seen: string[] = []
  const customers: AsyncIterable<{ id: string }> = sdk.customers.scroll({ limit: 3 } as never) as never
  for await (const { id } of customers) seen.push(id)

  expect(seen.length).toBeGreaterThanOrEqual(8)
  expect(new Set(seen).size).toBe(seen.length)
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

test('a background job is read until it is done', async () => {
  const { id } = await sdk.campaigns.create(campaign('SDK to delete') as never)
  const { async_action_id } = (await sdk.campaigns.delete(id, { force: true })) as never
  const done = await eventually(
    () => sdk.asyncActions.get(async_action_id),
    ({ status }) => status === 'DONE',
  )

  expect(done).toMatchObject({ id: async_action_id, object: 'async_action' })
})

test('the limits of the last answer are read from its headers', async () => {
  await sdk.vouchers.get('BEANS10')

  expect(sdk.apiLimitsHandler.areLimitsAvailable()).toBe(true)
  expect(sdk.apiLimitsHandler.getRateLimit()).toBe(0)
  expect(sdk.apiLimitsHandler.getRateLimitRemaining()).toBe(0)
  expect(sdk.apiLimitsHandler.getRetryAfter()).toBe(0)
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

const anyCampaign = { type: 'STATIC', active: true, metadata: {} }

function sdkWith(secretKey: string) {
  return VoucherifyServerSide({ apiUrl: sandbox.url, applicationId: sandbox.credentials.app_id, secretKey })
}
