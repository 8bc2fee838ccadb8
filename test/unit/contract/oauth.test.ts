import { expect, test } from 'vitest'
import { createToken, introspection, introspectToken } from '../../../src/contract/oauth.ts'

const grant_type = 'client_credentials'

test.each(['api', 'api vouchers', 'client_api validation-rules-assignments'])(
  'a token can be asked for "%s"',
  (scope) => {
    expect(createToken.body?.safeParse({ grant_type, scope }).success).toBe(true)
  },
)

test.each(['', 'api,vouchers', 'api, vouchers', 'voucher', 'API', ' api', 'api  vouchers'])(
  'a token cannot be asked for "%s"',
  (scope) => {
    expect(createToken.body?.safeParse({ grant_type, scope }).success).toBe(false)
  },
)

test('commas between scopes are refused in words that name the remedy', () => {
  const result = createToken.body?.safeParse({ grant_type, scope: 'api,vouchers' })

  expect(result?.error?.issues.map(({ message }) => message)).toEqual(['must separate scopes by spaces, not commas'])
})

test('an unknown token is answered in one word', () => {
  expect(introspection.parse({ active: false })).toEqual({ active: false })
  expect(introspection.safeParse({}).success).toBe(false)
})

test('the token calls carry the key pair and a form', () => {
  for (const endpoint of [createToken, introspectToken]) {
    expect([endpoint.credential, endpoint.encoding]).toEqual(['application-pair', 'form'])
  }
})
