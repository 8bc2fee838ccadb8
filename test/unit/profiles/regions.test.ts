import fc from 'fast-check'
import { expect, test } from 'vitest'
import { downloadOriginOf, originOf, regionOf } from '../../../src/profiles/regions.ts'

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com:443', 'https://api.example.com'],
  ['HTTPS://API.Example.com:8443/', 'https://api.example.com:8443'],
  ['https://аpi.example.com', 'https://xn--pi-6kc.example.com'],
  ['https://10.0.0.7:9000', 'https://10.0.0.7:9000'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ['http://127.255.0.9', 'http://127.255.0.9'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('the base URL %s is taken as %s', (text, origin) => {
  expect(originOf(text)).toBe(origin)
})

test.each([
  ['', 'is empty or holds a space, a backslash or an invisible character'],
  ['https://api.example.com\n', 'is empty or holds a space, a backslash or an invisible character'],
  ['https:\\\\api.example.com', 'is empty or holds a space, a backslash or an invisible character'],
  ['https://api.exa\u200bmple.com', 'is empty or holds a space, a backslash or an invisible character'],
  ['api.example.com', 'does not start with https://'],
  ['https:api.example.com', 'does not start with https://'],
  ['ftp://api.example.com', 'does not start with https://'],
  ['javascript://api.example.com', 'does not start with https://'],
  ['https://', 'is not an address: its host or its port is wrong'],
  ['https:///api.example.com', 'is not an address: its host or its port is wrong'],
  ['https://h:99999', 'is not an address: its host or its port is wrong'],
  ['https://h:0', 'is not an address: its host or its port is wrong'],
  ['https://h:port', 'is not an address: its host or its port is wrong'],
  ['https://api%2eexample.com', 'is not an address: its host or its port is wrong'],
  ['https://user@api.example.com', 'holds a user name or a password'],
  ['https://:p@api.example.com', 'holds a user name or a password'],
  ['https://@api.example.com', 'holds a user name or a password'],
  ['https://api.example.com?', 'has a query'],
  ['https://api.example.com/?a=1', 'has a query'],
  ['https://api.example.com#', 'has a fragment'],
  ['https://api.example.com/v1', 'has a path after api.example.com'],
  ['https://api.example.com//', 'has a path after api.example.com'],
])('the base URL %j is refused because it %s', (text, reason) => {
  expect(() => originOf(text)).toThrow(`the base URL ${reason}`)
})

test.each([
  'http://api.example.com',
  'http://127.0.0.1.evil.com',
  'http://127.0.0.1.',
  'http://localhost.',
  'http://localhost.evil.com',
  'http://[::ffff:127.0.0.1]',
  'http://[0:0:0:0:0:0:0:1]',
  'http://0x7f.1',
  'http://127.1',
  'http://2130706433',
  'http://0177.0.0.1',
  'http://127.0.0.01',
  'http://１２７.0.0.1',
  'http://0.0.0.0',
  'http://128.0.0.1',
])('plain http to %s is refused', (text) => {
  expect(() => originOf(text)).toThrow('is plain http to')
})

test('no host that only looks like this computer is reached by plain http', () => {
  const loopback = fc.constantFrom('localhost', '127.0.0.1', '[::1]', '127.9.9.9')
  const addition = fc.stringMatching(/^[a-z0-9.:@%_[\]-]{1,12}$/)

  fc.assert(
    fc.property(loopback, addition, fc.boolean(), (host, more, isBefore) => {
      const text = `http://${isBefore ? more + host : host + more}`
      let origin: string
      try {
        origin = originOf(text)
      } catch {
        return
      }
      expect(new URL(origin).hostname).toMatch(/^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/)
      expect(new URL(text).username).toBe('')
    }),
    { numRuns: 10_000 },
  )
})

test('a refused base URL is not repeated, because it may contain a password', () => {
  const messages = ['https://u:canary@h', 'https://h?t=canary', 'https://h#canary', 'https://h/canary', 'canary'].map(
    (text) => {
      try {
        return originOf(text)
      } catch (error) {
        return String(error)
      }
    },
  )

  expect(messages.join()).not.toContain('canary')
})

test('a base URL from a flag is wrong usage, and one from a setting is a wrong configuration', () => {
  expect(() => originOf('ftp://h')).toThrow(expect.objectContaining({ kind: 'usage', exitCode: 2 }))
  expect(() => originOf('ftp://h', 'config')).toThrow(expect.objectContaining({ kind: 'config', exitCode: 4 }))
})

test('exports of a shared cluster are downloaded from its download host', () => {
  expect(downloadOriginOf('https://api.voucherify.io')).toBe('https://download.voucherify.io')
  expect(downloadOriginOf('https://us1.api.voucherify.io')).toBe('https://us1.download.voucherify.io')
  expect(downloadOriginOf('https://acme.api.voucherify.io')).toBe('https://acme.download.voucherify.io')
  expect(downloadOriginOf('https://promo.example.com')).toBe('https://promo.example.com')
})

test('a region is recognised by the origin of its cluster', () => {
  expect(regionOf('https://as1.api.voucherify.io')).toBe('as')
  expect(regionOf('https://as1.api.voucherify.io.example.com')).toBeUndefined()
})
