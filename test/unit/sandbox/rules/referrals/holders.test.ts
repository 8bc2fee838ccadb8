import { expect, test } from 'vitest'
import { resolvedHoldersRefusal } from '../../../../../src/sandbox/rules/referrals/holders.ts'

const anna = { request: { source_id: 'anna' }, found: ['cust_anna'] }

test('one customer under two names, and one entry that names two customers, are duplicates', () => {
  const both = { request: { id: 'cust_anna', source_id: 'anna' }, found: ['cust_anna', 'cust_anna'] }
  const annaById = { request: { id: 'cust_anna' }, found: ['cust_anna'] }
  const split = { request: { id: 'cust_anna', source_id: 'ben' }, found: ['cust_anna', 'cust_ben'] }

  expect(resolvedHoldersRefusal([both], new Set(['cust_dora']))).toBeUndefined()
  expect(resolvedHoldersRefusal([anna, annaById], new Set())).toMatchObject({ code: 409, key: 'duplicate_found' })
  expect(resolvedHoldersRefusal([split], new Set())).toMatchObject({ code: 409, resource_id: 'cust_anna' })
})
