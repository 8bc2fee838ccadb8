import { expect, test } from 'vitest'
import { createToken, introspection, introspectToken } from '../../../src/contract/oauth.ts'

const grant_type = 'client_credentials'

test.each(['api', 'api vouchers', 'client_api validation-rules-assignments'])(
  'a token can be requested for "%s"',
  (scope) => {
    expect(createToken.body?.safeParse({ grant_type, scope }).success).toBe(true)
  },
)

test.each(['', 'api,vouchers', 'api, vouchers', 'voucher', 'API', ' api', 'api  vouchers'])(
  'a token cannot be requested for "%s"',
  (scope) => {
    expect(createToken.body?.safeParse({ grant_type, scope }).success).toBe(false)
  },
)

test('commas between scopes are refused with the remedy', () => {
  const result = createToken.body?.safeParse({ grant_type, scope: 'api,vouchers' })

  expect(result?.error?.issues.map(({ message }) => message)).toEqual(['must separate scopes by spaces, not commas'])
})

test('the answer for an unknown token is only that it is inactive', () => {
  expect(introspection.parse({ active: false })).toEqual({ active: false })
  expect(introspection.safeParse({}).success).toBe(false)
})

test('the token calls carry the key pair and a form', () => {
  for (const endpoint of [createToken, introspectToken]) {
    expect([endpoint.credential, endpoint.encoding]).toEqual(['application-pair', 'form'])
  }
})
