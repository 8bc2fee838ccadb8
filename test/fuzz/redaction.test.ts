import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scrubberFor } from '../../src/api/request/redact.ts'
import { holds } from '../support/fuzz.ts'

const bytesOf = (text: string) => [...Buffer.from(text)]
const encodings: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'in upper case': (secret) => secret.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  'percent-encoded': encodeURIComponent,
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'percent-encoded byte by byte': (secret) =>
    bytesOf(secret)
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  'escaped as in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'escaped as in JSON twice': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  'escaped as in JSON, slashes included': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'escaped as in JSON character by character': (secret) =>
    Array.from({ length: secret.length }, (_, at) => `\\u${secret.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in Base64': (secret) => Buffer.from(secret).toString('base64'),
  'in Base64 for addresses': (secret) => Buffer.from(secret).toString('base64url'),
  'in Base64 after a name': (secret) => Buffer.from(`app-id-1:${secret}`).toString('base64').slice(11),
  'in Base64 after another name': (secret) => Buffer.from(`app-id-12:${secret}`).toString('base64').slice(14),
}

test.each(Object.keys(encodings))('a secret is removed %s', (name) => {
  const encode = encodings[name] as (secret: string) => string
  const secret = fc.oneof(fc.stringMatching(/^[!-~]{12,30}$/), fc.stringMatching(/^[0-9a-f-]{36}$/))
  const property = fc.property(secret, (given) => {
    const scrubbed = scrubberFor({ accessToken: given })(`before ${encode(given)} after`)

    // What is left of Base64 are the characters that it shares with what came before.
    expect(scrubbed).toMatch(/^before .{0,3}\[redacted\] after$/s)
  })
  holds(property, 40, [['s3cr3t/to"ken\\with all+of=it'], ['żółw/日本+token'], ['\\\\\\\\\\\\//////']])
})

test('a text that only begins like a secret is searched in linear time', () => {
  const scrub = scrubberFor({ accessToken: `${'\\'.repeat(40)}x` })
  const text = '\\'.repeat(20_000)

  expect(scrub(text)).toBe(text)
})
