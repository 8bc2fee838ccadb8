import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathOf } from '../../../../src/api/request/path.ts'
import { PromoError } from '../../../../src/errors.ts'

test.each([
  ['a/b', 'a%2Fb'],
  ['a b', 'a%20b'],
  ['a?b#c', 'a%3Fb%23c'],
  ['50%', '50%25'],
  ['a\\b', 'a%5Cb'],
  ['ü', '%C3%BC'],
  ['🎁', '%F0%9F%8E%81'],
  ['%2e%2e', '%252e%252e'],
  ['+', '%2B'],
  ['x/../../y', 'x%2F..%2F..%2Fy'],
  ['-x', '-x'],
  ['...', '...'],
  ['a\x1b[31mb\u009b', 'a%1B%5B31mb%C2%9B'],
  ['a\u202eb', 'a%E2%80%AEb'],
])('the code %j is sent as %s', (code, sent) => {
  expect(pathOf('/v1/vouchers/{code}/disable', { code })).toBe(`/v1/vouchers/${sent}/disable`)
})

test('a path with two names gets both', () => {
  const path = pathOf('/v1/referrals/{campaignId}/members/{memberId}/holders', { campaignId: 'a b', memberId: 'c/d' })

  expect(path).toBe('/v1/referrals/a%20b/members/c%2Fd/holders')
})

test('a path without names stays as it is', () => {
  expect(pathOf('/v1/events')).toBe('/v1/events')
})

test.each([
  ['.', 'the code "." cannot be part of an address'],
  ['..', 'the code ".." cannot be part of an address'],
  ['', 'the code is empty'],
  [' \u00a0', 'the code is empty'],
  ['a\nb', 'the code has a tab, a line break or a NUL in it'],
  ['a\u0000', 'the code has a tab, a line break or a NUL in it'],
  [' x', 'the code " x" has white space around it'],
  ['x\u00a0', 'the code "x\u00a0" has white space around it'],
  ['a\ud800', 'the code is not valid Unicode: it holds half of a surrogate pair'],
  ['x'.repeat(1025), 'the code is longer than 1,024 characters'],
])('the code %j is refused before anything is sent', (code, message) => {
  expect(caught(() => pathOf('/v1/vouchers/{code}', { code }))).toMatchObject({ kind: 'usage', exitCode: 2, message })
})

test('a refusal has the name of the parameter in words', () => {
  const refused = caught(() => pathOf('/v1/loyalties/members/{memberId}', { memberId: ' C' }))

  expect(refused).toMatchObject({ message: 'the member id " C" has white space around it' })
})

test('a code of 1,024 characters is accepted', () => {
  expect(pathOf('/{code}', { code: 'x'.repeat(1024) })).toHaveLength(1025)
  expect(pathOf('/{code}', { code: '😀'.repeat(1024) })).toBe(`/${'%F0%9F%98%80'.repeat(1024)}`)
})

test('whatever is accepted comes back unchanged and never changes the route', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (code) => {
      const path = caught(() => pathOf('/v1/vouchers/{code}/disable', { code }))
      if (path instanceof PromoError) return
      const segments = new URL(path as string, 'https://service.example').pathname.split('/')
      expect(segments.map(decodeURIComponent)).toEqual(['', 'v1', 'vouchers', code, 'disable'])
    }),
    { numRuns: 1000 },
  )
})

function caught(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
