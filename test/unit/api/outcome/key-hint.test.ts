import { expect, test } from 'vitest'
import { keyHint } from '../../../../src/api/outcome/key-hint.ts'
import { introspectToken } from '../../../../src/contract/oauth.ts'
import { getVoucher } from '../../../../src/contract/vouchers.ts'

const key = { id: 'a', token: 'secret-token' }
const connection = {
  origin: 'https://us1.api.voucherify.io',
  userAgent: 'test',
  credentials: { application: key, client: key },
  describe: { profile: 'live', region: 'us', otherRegions: ['eu', 'as'] },
}

test('the hint for a profile in one region names the others', () => {
  expect(keyHint(connection, getVoucher, 401, undefined)).toBe(
    'the application key from profile "live" was sent to region us (us1.api.voucherify.io); check the key, and whether its project is in another region (eu, as): promo profiles update live --keys',
  )
})

test.each([
  { code: 403, message: 'Forbidden', details: 'Project is bound to different region' },
  { code: 401, message: 'Unknown project in this cluster' },
])('%j is about the wrong region', (failure) => {
  expect(keyHint(connection, getVoucher, failure.code, failure)).toBe(
    'the application key from profile "live" was sent to region us (us1.api.voucherify.io), and its project is elsewhere (eu, as, or a cluster of its own): promo profiles add NAME --region eu',
  )
})

test('where nothing is known about profiles, the environment is named', () => {
  const bare = { origin: 'https://promo.example', userAgent: 'test', credentials: { application: key } }

  expect(keyHint(bare, getVoucher, 401, undefined)).toBe(
    'the application key from the environment was sent to promo.example; check the key: promo whoami',
  )
})

test('a client-side call names the client-side key', () => {
  const endpoint = { credential: 'client', path: '/client/v1/vouchers' } as const

  expect(keyHint(connection, endpoint, 403, undefined)).toMatch(/^the client-side key from profile "live" was sent to /)
})

test('a call that only takes the key pair never blames the access token', () => {
  const both = { ...connection, credentials: { application: key, accessToken: 'bearer-secret' } }

  expect(keyHint(both, introspectToken, 401, undefined)).toMatch(/^the application key /)
  expect(keyHint(both, getVoucher, 401, undefined)).toMatch(/^the access token /)
})

test('a path that belongs to no scope is not for access tokens', () => {
  const bearer = { ...connection, credentials: { accessToken: 'bearer-secret' } }

  const hint = keyHint(bearer, { credential: 'application', path: '/v1/oauth/token' }, 403, undefined)

  expect(hint).toContain('no access token will do here; use the key pair itself')
})
