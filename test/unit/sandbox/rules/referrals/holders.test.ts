import { describe, expect, test } from 'vitest'
import {
  type HolderRequest,
  type HolderTarget,
  holderListRefusal,
  holderTargetRefusal,
  resolvedHoldersRefusal,
} from '../../../../../src/sandbox/rules/referrals/holders.ts'

function many(count: number): HolderRequest[] {
  return Array.from({ length: count }, (_, index) => ({ source_id: `customer-${index}` }))
}

describe('the list of holders', () => {
  test.each([1, 2, 100])('%d customers are accepted', (count) => {
    expect(holderListRefusal(many(count))).toBeUndefined()
  })

  test.each<[string, HolderRequest[], string]>([
    ['an empty list', [], 'Property .holders must NOT have fewer than 1 items'],
    ['101 customers', many(101), 'Property .holders must NOT have more than 100 items'],
    [
      'a customer without any id',
      [{ source_id: 'a' }, { source_id: '' }],
      "Property .holders[1] must have required property 'source_id'",
    ],
    ['only such a customer', [{}], "Property .holders[0] must have required property 'source_id'"],
  ])('%s is an invalid payload', (_name, holders, details) => {
    expect(holderListRefusal(holders)).toEqual({
      code: 400,
      key: 'invalid_payload',
      message: 'Invalid payload',
      details,
    })
  })

  test.each<[string, HolderRequest[], string]>([
    ['source id', [{ source_id: 'a' }, { source_id: 'b' }, { source_id: 'a' }], 'a'],
    ['id', [{ id: 'cust_1' }, { id: 'cust_1', source_id: 'b' }], 'cust_1'],
  ])('the same %s twice is a duplicate customer', (_name, holders, id) => {
    expect(holderListRefusal(holders)).toEqual({
      code: 409,
      key: 'duplicate_found',
      message: 'Duplicated resource found',
      details: `Duplicated customer exists with id ${id}`,
      resource_id: id,
      resource_type: 'customer',
    })
  })
})

describe('the code that holders are added to', () => {
  const target: HolderTarget = {
    memberId: 'REF-1',
    voucher: { id: 'v_1', campaign_id: 'camp_1', is_referral_code: true },
    isPublished: true,
  }

  test('a published referral code accepts them, with and without its campaign in the path', () => {
    expect(holderTargetRefusal(target)).toBeUndefined()
    expect(holderTargetRefusal({ ...target, campaignId: 'Friends', campaign: { id: 'camp_1' } })).toBeUndefined()
  })

  test.each<[string, Partial<HolderTarget>, object]>([
    ['an unknown code', { voucher: undefined }, { code: 404, key: 'not_found', resource_type: 'voucher' }],
    [
      'an unknown campaign',
      { campaignId: 'camp_9', campaign: undefined },
      { code: 404, details: 'Cannot find campaign with id camp_9', resource_type: 'campaign' },
    ],
    [
      'a code of another campaign',
      { campaignId: 'camp_2', campaign: { id: 'camp_2' } },
      { code: 404, details: 'Cannot find voucher with id REF-1' },
    ],
    ['a code that is not a referral code', { voucher: { id: 'v_1' } }, { code: 400, key: 'invalid_voucher' }],
    [
      'a code without a referrer',
      { isPublished: false },
      {
        code: 400,
        key: 'not_published',
        message: 'Voucher is not published',
        details: 'Referral code must be first published to Referrer before assigning it to Referee',
      },
    ],
  ])('%s is refused', (_name, fields, expected) => {
    expect(holderTargetRefusal({ ...target, ...fields })).toMatchObject(expected)
  })
})

describe('the customers that the holders match', () => {
  const anna = { request: { source_id: 'anna' }, found: ['cust_anna'] }
  const ben = { request: { source_id: 'ben' }, found: [] }

  test('new and known customers who do not hold the code yet are accepted', () => {
    expect(
      resolvedHoldersRefusal([anna, ben, { request: { source_id: 'cleo' }, found: [] }], new Set()),
    ).toBeUndefined()
    const both = { request: { id: 'cust_anna', source_id: 'anna' }, found: ['cust_anna', 'cust_anna'] }
    expect(resolvedHoldersRefusal([both], new Set(['cust_dora']))).toBeUndefined()
  })

  test('a customer who already holds the code, as referee or referrer, is refused with the spelling of the service', () => {
    expect(resolvedHoldersRefusal([ben, anna], new Set(['cust_anna']))).toEqual({
      code: 409,
      key: 'holder_assignement_duplication',
      message: 'Customer is already assigned to given redeemable',
      details: 'anna',
      resource_id: 'cust_anna',
      resource_type: 'customer',
    })
  })

  test('one customer under two names, and one entry that names two customers, are duplicates', () => {
    const annaById = { request: { id: 'cust_anna' }, found: ['cust_anna'] }
    const split = { request: { id: 'cust_anna', source_id: 'ben' }, found: ['cust_anna', 'cust_ben'] }

    expect(resolvedHoldersRefusal([anna, annaById], new Set())).toMatchObject({ code: 409, key: 'duplicate_found' })
    expect(resolvedHoldersRefusal([split], new Set())).toMatchObject({ code: 409, resource_id: 'cust_anna' })
  })
})
