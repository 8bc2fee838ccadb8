import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../src/contract/catalogue.ts'
import { clientScopes, covers, scopeOf, scopes, serverScopes } from '../../../src/contract/scopes.ts'

describe('the scopes', () => {
  test('are the 42 of the specification, 12 of them client-side', () => {
    expect(new Set(scopes).size).toBe(42)
    expect(clientScopes.length).toBe(12)
    expect(serverScopes.length).toBe(30)
  })

  test.each([
    ['/v1/vouchers/SUMMER%2F25/disable', 'vouchers'],
    ['/v1/vouchers', 'vouchers'],
    ['/v1/vouchers?limit=1', 'vouchers'],
    ['/v1/products/{productId}/skus', 'products'],
    ['/v1/skus/sku_1', 'skus'],
    ['/v1/promotions/validation', 'promotions'],
    ['/v1/campaigns/qualification', 'campaigns'],
    ['/v1/validation-rules', 'validation-rules'],
    ['/v1/validation-rules-assignments', 'validation-rules-assignments'],
    ['/v1/templates/campaigns', 'templates'],
    ['/client/v1/validations', 'client_validations'],
    ['/client/v1/redeem', 'client_redeem'],
  ])('%s needs the scope %s', (path, scope) => {
    expect(scopeOf(path)).toBe(scope)
  })

  test.each([
    ['/v1/oauth/token'],
    ['/v1/oauth/introspect'],
    ['/management/v1/projects/proj_1/webhooks'],
    ['/v1/api'],
    ['/client/v1/api'],
    ['/v1/client_vouchers'],
    ['/v1/'],
    ['/'],
  ])('no scope opens %s', (path) => {
    expect(scopeOf(path)).toBeUndefined()
    expect(covers('api client_api', path)).toBe(false)
  })

  test('a token may call the paths of its scopes, and a whole side with the scope of that side', () => {
    expect(covers('loyalties vouchers', '/v1/vouchers/X')).toBe(true)
    expect(covers('loyalties', '/v1/vouchers/X')).toBe(false)
    expect(covers('api', '/v1/vouchers/X')).toBe(true)
    expect(covers('api', '/client/v1/validations')).toBe(false)
    expect(covers('client_api', '/client/v1/validations')).toBe(true)
    expect(covers('client_api', '/v1/validations')).toBe(false)
    expect(covers('', '/v1/vouchers/X')).toBe(false)
  })

  test('every call that takes a bearer token has a scope, and no other call has one', () => {
    const without = endpoints.filter((endpoint) => scopeOf(endpoint.path) === undefined)

    expect(without.filter(({ credential }) => credential === 'application' || credential === 'client')).toEqual([])
    expect(endpoints.length - without.length).toBe(
      endpoints.filter(({ credential }) => credential === 'application' || credential === 'client').length,
    )
  })
})
