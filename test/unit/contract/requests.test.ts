import { describe, expect, test } from 'vitest'
import { eventNameLimit, newEvent } from '../../../src/contract/events.ts'
import { transactionExport } from '../../../src/contract/exports.ts'
import { itemsPerOrder, order } from '../../../src/contract/order.ts'
import { newHolders } from '../../../src/contract/referrals.ts'
import { newTemplate } from '../../../src/contract/templates.ts'
import { newValidation, repeatOf, validation } from '../../../src/contract/validations.ts'

const voucher = (id: string) => ({ object: 'voucher' as const, id })
const customer = { source_id: 'ada' }

describe('redeemables', () => {
  test('are accepted with the fields of a gift card and a loyalty card', () => {
    const redeemables = [
      voucher('SUMMER'),
      { ...voucher('GIFT'), gift: { credits: 500 } },
      { ...voucher('CLUB'), reward: { id: 'rew_1', points: 10 } },
      { object: 'promotion_tier', id: 'promo_1' },
    ]

    expect(newValidation.parse({ redeemables })).toEqual({ redeemables })
  })

  test('of two kinds may have the same id', () => {
    const redeemables = [voucher('A'), { object: 'promotion_tier', id: 'A' }]

    expect(newValidation.safeParse({ redeemables }).success).toBe(true)
  })

  test.each([
    ['the same one twice', [voucher('A'), voucher('B'), voucher('A')], 'duplicated_redeemables'],
    [
      'a stack with another redeemable',
      [{ object: 'promotion_stack', id: 'stack_1' }, voucher('A')],
      'invalid_redeemables',
    ],
    ['two stacks', ['stack_1', 'stack_2'].map((id) => ({ object: 'promotion_stack', id })), 'invalid_redeemables'],
  ])('%s is refused under the key of the service', (_, redeemables, key) => {
    const issues = newValidation.safeParse({ redeemables }).error?.issues ?? []

    expect(issues.map((issue) => (issue.code === 'custom' ? issue.params : issue))).toEqual([{ refused_as: key }])
  })

  test('of an unknown kind are refused', () => {
    expect(newValidation.safeParse({ redeemables: [{ object: 'gift_card', id: 'A' }] }).success).toBe(false)
  })
})

describe('one more identical validation', () => {
  test('only reads without a session, and opens a lock with an unknown key when the session has no key', () => {
    const redeemables = [voucher('A')]

    expect(repeatOf({ redeemables })).toBe('read')
    expect(repeatOf({ redeemables, session: { type: 'LOCK', key: 'mine' } })).toBe('idempotent')
    expect(repeatOf({ redeemables, session: { type: 'LOCK' } })).toBe('once')
  })
})

describe('an answer to a validation', () => {
  test('may hold unknown statuses, modes and fields', () => {
    const answer = {
      valid: false,
      redeemables: [{ status: 'POSTPONED', id: 'A', object: 'moon', result: {}, why: 1 }],
      stacking_rules: { redeemables_application_mode: 'SOME' },
    }

    expect(validation.parse(answer)).toEqual(answer)
  })

  test.each([['valid'], ['redeemables'], ['stacking_rules']])('is no proof without %s', (name) => {
    const answer: Record<string, unknown> = { valid: true, redeemables: [], stacking_rules: {} }
    delete answer[name]

    expect(validation.safeParse(answer).success).toBe(false)
  })
})

describe('an event name', () => {
  test('is counted in code points, so that 300 emoji fit', () => {
    expect(newEvent.safeParse({ event: '😀'.repeat(eventNameLimit), customer }).success).toBe(true)
    expect(newEvent.safeParse({ event: `${'😀'.repeat(eventNameLimit)}!`, customer }).success).toBe(false)
  })
})

describe('a holder', () => {
  test.each([
    ['its source id', { source_id: 'ada' }, true],
    ['its id', { id: 'cust_1', name: 'Ada', country: 'DE' }, true],
    ['both', { id: 'cust_1', source_id: 'ada' }, true],
    ['only a name', { name: 'Ada' }, false],
    ['two nulls', { id: null, source_id: null }, false],
    ['empty texts', { source_id: '' }, false],
  ])('with %s is judged', (_, holder, isTaken) => {
    expect(newHolders.safeParse({ holders: [holder] }).success).toBe(isTaken)
  })
})

describe('a template', () => {
  test.each([
    ['a campaign', { campaign_id: 'camp_1' }, true],
    ['a tier', { promotion_tier_id: 'promo_1' }, true],
    ['a campaign and a tier that is null', { campaign_id: 'camp_1', promotion_tier_id: null }, true],
    ['both', { campaign_id: 'camp_1', promotion_tier_id: 'promo_1' }, false],
    ['neither', {}, false],
    ['two nulls', { campaign_id: null, promotion_tier_id: null }, false],
    ['an empty text for a campaign', { campaign_id: '' }, false],
  ])('made from %s is judged', (_, ids, isTaken) => {
    expect(newTemplate.safeParse({ name: 'T', ...ids }).success).toBe(isTaken)
  })
})

describe('an order', () => {
  test('accepts quantities as numbers and as the texts of the samples', () => {
    const items = [
      { product_id: 'prod_1', quantity: '1' },
      { sku_id: 'sku_1', quantity: 2 },
    ]

    expect(order.parse({ items })).toEqual({ items })
    expect(order.safeParse({ items: [{ quantity: '1.5' }] }).success).toBe(false)
    expect(order.safeParse({ items: [{ quantity: -1 }] }).success).toBe(false)
  })

  test('has no more than 500 lines', () => {
    expect(order.safeParse({ items: Array(itemsPerOrder).fill({ quantity: 1 }) }).success).toBe(true)
    expect(order.safeParse({ items: Array(itemsPerOrder + 1).fill({ quantity: 1 }) }).success).toBe(false)
  })

  test('passes an amount below one to the service', () => {
    expect(order.safeParse({ amount: -5 }).success).toBe(true)
    expect(order.safeParse({ amount: 10.5 }).success).toBe(false)
  })
})

describe('an export of transactions', () => {
  test('may be requested without a body', () => {
    expect(transactionExport.parse(undefined)).toBeUndefined()
    expect(transactionExport.parse({})).toEqual({})
  })

  test('refuses an unknown column', () => {
    expect(transactionExport.safeParse({ parameters: { fields: ['balance', 'colour'] } }).success).toBe(false)
  })
})
