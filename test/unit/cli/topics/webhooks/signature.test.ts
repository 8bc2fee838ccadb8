import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSigned, signedBytes } from '../../../../../src/cli/topics/webhooks/signature.ts'

const vectors: [string, string][] = [
  ['{"a":1}', 'a17d2ac229d1ebbb5f10e839c7985c4818e5986eab297f7e5979196d4d7d3ed2'],
  ['{"a\\"b":1}', 'f7cf97814a03146abedb9793f56e1dec34f618f82d10395310d053f749483ffb'],
  ['  message  ', '53ff92957e1427ce23ad5bda9d0c5f2f4ff384d0806b83eeacb510c842d3a358'],
]

describe('the published vectors', () => {
  test.each(vectors)('%s', (body, signature) => {
    expect(isSigned(Buffer.from(body), signature, 'secretKey')).toBe(true)
    expect(isSigned(Buffer.from(body), signature, 'secretKeY')).toBe(false)
    expect(isSigned(Buffer.from(`${body}x`), signature, 'secretKey')).toBe(false)
  })

  test('white space between the parts of JSON makes no difference, inside of a string it does', () => {
    const [[, signature] = ['', '']] = vectors

    expect(isSigned(Buffer.from('\n{ "a" :\t1 }\r\n'), signature, 'secretKey')).toBe(true)
    expect(isSigned(Buffer.from('{"a ":1}'), signature, 'secretKey')).toBe(false)
  })
})

test.each([
  ['nothing', ''],
  ['too few digits', 'a17d2ac2'],
  ['another scheme', 't=1,v1=a17d2ac229d1ebbb5f10e839c7985c4818e5986eab297f7e5979196d4d7d3ed2'],
  ['letters that are no digits', 'z'.repeat(64)],
  ['the signature of another body', vectors[1]?.[1] ?? ''],
])('%s is no signature', (_what, header) => {
  expect(isSigned(Buffer.from('{"a":1}'), header, 'secretKey')).toBe(false)
})

test('one fitting signature of several is enough, in either case', () => {
  const [[, signature] = ['', '']] = vectors

  expect(isSigned(Buffer.from('{"a":1}'), `${'0'.repeat(64)}, ${signature.toUpperCase()}`, 'secretKey')).toBe(true)
})

test('what is signed of any JSON object is what JSON.stringify writes, however it was indented', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), fc.nat(4), (value, indent) => {
      const body = Buffer.from(JSON.stringify(value, null, indent))

      expect(Buffer.from(signedBytes(body)).toString()).toBe(JSON.stringify(value))
    }),
  )
})

test('a body is not parsed: numbers and escapes are signed as they arrived', () => {
  const body = Buffer.from('{"points": 9007199254740993, "rate": 1.0, "a": "\\u00e9\\\\"}')
  const signature = createHmac('sha256', 's').update('{"points":9007199254740993,"rate":1.0,"a":"\\u00e9\\\\"}')

  expect(isSigned(body, signature.digest('hex'), 's')).toBe(true)
})
