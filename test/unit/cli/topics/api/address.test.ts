import { describe, expect, test } from 'vitest'
import { queryOf } from '../../../../../src/api/request/request.ts'
import { addressFrom, credentialAt, declaredAt } from '../../../../../src/cli/topics/api/address.ts'

describe('an address', () => {
  test('takes parameters from its own end and from beside it', () => {
    expect(addressFrom('/v1/vouchers?campaign=Black%20Friday', ['limit=5', 'code=a=b'])).toEqual({
      path: '/v1/vouchers',
      query: { campaign: 'Black Friday', limit: 5, code: 'a=b' },
    })
  })

  test('writes a list with its brackets once, and a filter as it was given', () => {
    const { query } = addressFrom('/v1/x', ['ids[]=a', 'ids[]=b', 'filters[code][conditions][$is]=X 1'])

    expect(queryOf(query)).toBe('ids%5B%5D=a&ids%5B%5D=b&filters%5Bcode%5D%5Bconditions%5D%5B%24is%5D=X%201')
  })

  test.each<[string, string[], RegExp]>([
    ['https://evil.example/v1/vouchers', [], /pass only the path/],
    ['v1/vouchers', [], /does not begin with a slash/],
    ['/v1/vouchers/{code}', [], /contains \{code\}/],
    ['/v1/vouchers', ['limit'], /does not have the form name=value/],
    ['/v1/vouchers', ['=1'], /does not have the form name=value/],
    ['/v1/vouchers?limit=1', ['limit=2'], /given twice/],
  ])('%s with %j is refused', (address, parameters, message) => {
    expect(() => addressFrom(address, parameters)).toThrow(message)
  })
})

describe('what the contract knows', () => {
  test('a declared call is found with its parameters filled in', () => {
    expect(declaredAt('POST', '/v1/campaigns/qualification')?.id).toBe('campaigns.qualification')
    expect(declaredAt('GET', '/v1/vouchers/A%2FB')?.path).toBe('/v1/vouchers/{code}')
    expect(declaredAt('GET', '/v1/vouchers/')).toBeUndefined()
    expect(declaredAt('GET', '/v9/nothing')).toBeUndefined()
  })

  test.each([
    ['/v1/oauth/token', 'application-pair'],
    ['/v1/anything', 'application'],
    ['/management/v1/anything', 'management'],
    ['/client/v1/anything', 'client'],
  ])('%s carries the credentials of its part of the service: %s', (path, credential) => {
    expect(credentialAt(path, undefined)).toBe(credential)
  })
})
